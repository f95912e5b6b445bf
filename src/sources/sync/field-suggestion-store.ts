import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import type { Fields } from './merge.ts'

/** SQL of field suggestions. Private to this module. */
export interface SuggestedValues {
  readonly resource_id: string
  readonly reported_values: Fields
  readonly fingerprint: string
}

export const findFieldSuggestions = async (db: Db, integration: string, ids: readonly string[]): Promise<Map<string, SuggestedValues>> => {
  const { rows } = await sql<SuggestedValues>`
    select resource_id, reported_values, fingerprint from resource_field_suggestions where integration = ${integration} and resource_id = any(${ids}::uuid[])
  `.execute(db)
  return new Map(rows.map((row) => [row.resource_id, row]))
}

export const saveFieldSuggestions = async (db: Db, integration: string, suggestions: readonly SuggestedValues[]): Promise<void> => {
  await sql`
    insert into resource_field_suggestions (resource_id, integration, reported_values, fingerprint)
    select distinct on (resource_id) resource_id, ${integration}::uuid, reported_values, fingerprint
    from json_to_recordset(${JSON.stringify(suggestions)}::text::json) as x(resource_id uuid, reported_values jsonb, fingerprint text)
    on conflict (resource_id, integration) do update set reported_values = excluded.reported_values, fingerprint = excluded.fingerprint
  `.execute(db)
}

/** The entity types of the items that suggest something, by their keys. */
export type SuggestingItems = Readonly<Record<string, string>>

export interface SuggestedBy {
  readonly resource_id: string
  /** Null if that is not known. */
  readonly items: SuggestingItems | null
}

/** A page of all resources that an integration suggests something for. */
export const findSuggestingItems = async (db: Db, integration: string, after: string, limit: number): Promise<SuggestedBy[]> => {
  const { rows } = await sql<SuggestedBy>`
    select resource_id, items from resource_field_suggestions where integration = ${integration} and resource_id > ${after}::uuid
    order by resource_id limit ${sql.lit(limit)}
  `.execute(db)
  return rows
}

export const saveSuggestingItems = async (db: Db, integration: string, suggested: readonly SuggestedBy[]): Promise<void> => {
  await sql`
    update resource_field_suggestions o set items = x.items from json_to_recordset(${JSON.stringify(suggested)}::text::json) as x(resource_id uuid, items jsonb)
    where o.integration = ${integration} and o.resource_id = x.resource_id
  `.execute(db)
}

/** What other integrations suggest for these resources is written again with their next sync. */
export const forgetSuggestionsOfOthers = async (db: Db, integration: string, ids: readonly string[]): Promise<void> => {
  await sql`
    update resource_field_suggestions set fingerprint = '' where integration <> ${integration} and resource_id = any(${ids}::uuid[])
  `.execute(db)
}

/** The integrations that these resources belong to report them again with their next sync, if they are of one of these types. */
export const forgetOrigins = async (db: Db, types: readonly string[], ids: readonly string[]): Promise<void> => {
  await sql`
    update resource_origins o set fingerprint = '' from integrations i
    where i.id = o.integration and i.type = any(${types}::text[]) and o.resource_id = any(${ids}::uuid[])
  `.execute(db)
}

/** Those of these resources for which an integration of one of these types suggests something. */
export const findSuggestedFor = async (db: Db, types: readonly string[], ids: readonly string[]): Promise<Set<string>> => {
  const { rows } = await sql<{ resource_id: string }>`
    select distinct o.resource_id from resource_field_suggestions o join integrations i on i.id = o.integration
    where i.type = any(${types}::text[]) and o.resource_id = any(${ids}::uuid[])
  `.execute(db)
  return new Set(rows.map(({ resource_id }) => resource_id))
}

/** Suggestions for resources that have been deleted since. */
export const deleteOrphanedFieldSuggestions = async (db: Db, integration: string): Promise<void> => {
  await sql`
    delete from resource_field_suggestions o where o.integration = ${integration} and not exists (select from resources r where r.id = o.resource_id)
  `.execute(db)
}

/** Returns the resources that no longer have suggestions. */
export const deleteFieldSuggestions = async (db: Db, integration: string, keptIds: readonly string[], limit: number): Promise<string[]> => {
  const { rows } = await sql<{ resource_id: string }>`
    delete from resource_field_suggestions o using (
      select resource_id from resource_field_suggestions where integration = ${integration}
      except select unnest(${keptIds}::uuid[]) limit ${sql.lit(limit)}
    ) gone where o.integration = ${integration} and o.resource_id = gone.resource_id
    returning o.resource_id
  `.execute(db)
  return rows.map(({ resource_id }) => resource_id)
}

/** Deletes and returns a batch of the suggestions of a source, so that the caller can withdraw them. */
export const popFieldSuggestions = async (db: Db, integration: string, limit: number): Promise<Map<string, Fields>> => {
  const { rows } = await sql<{ resource_id: string; reported_values: Fields }>`
    delete from resource_field_suggestions o using (select resource_id from resource_field_suggestions where integration = ${integration} limit ${sql.lit(limit)}) gone
    where o.integration = ${integration} and o.resource_id = gone.resource_id
    returning o.resource_id, o.reported_values
  `.execute(db)
  return new Map(rows.map(({ resource_id, reported_values }) => [resource_id, reported_values]))
}

export interface SourceStatement {
  readonly reported_values: Fields
  /** The type of the source. */
  readonly source: string
}

/** Everything sources reported about a resource; the source it belongs to comes first. */
export const findSourceStatements = async (db: Db, id: string): Promise<SourceStatement[]> =>
  (await findAllSourceStatements(db, [id])).get(id) ?? []

/** The same for several resources. */
export const findAllSourceStatements = async (db: Db, ids: readonly string[]): Promise<Map<string, SourceStatement[]>> => {
  const { rows } = await sql<SourceStatement & { resource_id: string }>`
    select o.resource_id, o.reported_values, i.type as source from resource_origins o join integrations i on i.id = o.integration
    where o.resource_id = any(${ids}::uuid[])
    union all
    (select o.resource_id, o.reported_values - 'theirs', i.type from resource_field_suggestions o join integrations i on i.id = o.integration
      where o.resource_id = any(${ids}::uuid[]) order by i.type, i.id)
  `.execute(db)
  return Map.groupBy(rows, ({ resource_id }) => resource_id)
}
