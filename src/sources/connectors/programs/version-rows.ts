import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connect.ts'

/** SQL of the versions of a connector's items. */

/** After this time everything is read again: some changes are not visible in a version, e.g. how often something is used. */
const FULL_RUN_DAYS = 7

export interface StoredVersions {
  readonly versions: ReadonlyMap<string, string>
  /** When everything was read last; undefined if there are no versions. */
  readonly listed_at: Date | undefined
}

/** The versions of items that are in the catalog. None if they are too old, or if there are new users, who may be owners of any item. */
export const findVersions = async (db: Db, integration: string, settings_hash: string, now: Date): Promise<StoredVersions> => {
  const { rows } = await sql<{ key: string; version: string; listed_at: string }>`
    select v.key, v.value as version, s.listed_at
    from connector_versions s cross join lateral jsonb_each_text(s.versions) v
    join resource_origins o on o.integration = s.integration and o.key = v.key and o.gone_at is null
    where s.integration = ${integration} and s.settings_hash = ${settings_hash}
      and s.listed_at > ${now}::timestamptz - ${FULL_RUN_DAYS} * interval '1 day' and not exists (select from users u where u.created_at > s.read_at)
  `.execute(db)
  const [first] = rows
  return { versions: new Map(rows.map(({ key, version }) => [key, version])), listed_at: first && new Date(first.listed_at) }
}

export interface SavedVersions {
  readonly settings_hash: string
  readonly versions: ReadonlyMap<string, string>
  readonly listed_at: Date
  /** When the run began. */
  readonly read_at: Date
}

export const saveVersions = async (
  db: Db,
  integration: string,
  { settings_hash, versions, listed_at, read_at }: SavedVersions,
): Promise<void> => {
  if (versions.size === 0) {
    await sql`delete from connector_versions where integration = ${integration}`.execute(db)
    return
  }
  await sql`
    insert into connector_versions (integration, settings_hash, versions, listed_at, read_at)
    values (${integration}, ${settings_hash}, ${JSON.stringify(Object.fromEntries(versions))}::text::jsonb, ${listed_at}::timestamptz, ${read_at}::timestamptz)
    on conflict (integration) do update set settings_hash = excluded.settings_hash, versions = excluded.versions, listed_at = excluded.listed_at,
      read_at = excluded.read_at
  `.execute(db)
}

/** Those of these items whose definition names tables that are not in the catalog yet. */
export const findWithoutLineage = async (db: Db, integration: string, keys: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ key: string }>`
    select o.key from resource_origins o where o.integration = ${integration} and o.key = any(${keys}::text[]) and o.lineage is null
  `.execute(db)
  return rows.map(({ key }) => key)
}
