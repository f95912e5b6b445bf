import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Project, RetainedArtifacts } from './project.ts'
import { ARTIFACT_FILES, type CompressedFiles, RESULTS_FILE, RETAINED_FILE } from './reader.ts'
import { mergeNewestResults } from './results.ts'
import { mergeRuns } from './runs.ts'

/** SQL of dbt projects. Private to this module. */
const [compressBuffer, decompressBuffer] = [promisify(gzip), promisify(gunzip)]

/** Compresses a file for storage, optimized for speed. */
export const compress = (bytes: Uint8Array): Promise<Buffer> => compressBuffer(bytes, { level: 1 })

/** Files that are not sent are kept: a catalog is generated less often than a manifest. Results of a command that ran nothing are ignored. */
export const saveArtifacts = async (ctx: Context, integration: string, files: CompressedFiles, project: Project): Promise<void> => {
  for (const [name, body] of files) {
    if (!ARTIFACT_FILES.includes(name) || (name === RESULTS_FILE && !project.ran)) continue
    await saveArtifact(ctx, integration, name, body)
  }
  await saveResults(ctx, integration, project)
}

const saveArtifact = async (ctx: Context, integration: string, name: string, body: Uint8Array): Promise<void> => {
  await sql`
    insert into dbt_artifacts (integration, name, body, created_at) values (${integration}, ${name}, ${Buffer.from(body)}, ${ctx.now}::timestamptz)
    on conflict (integration, name) do update set body = excluded.body, created_at = excluded.created_at
  `.execute(ctx.db)
}

/** Adds the results of this run to those of earlier runs, for nodes the project still has. */
export const saveResults = async (
  ctx: Context,
  integration: string,
  { tables, tests, results, readings, compiled, runs }: Project,
): Promise<void> => {
  const row = await ctx.db
    .selectFrom('dbt_artifacts')
    .select('body')
    .where('integration', '=', integration)
    .where('name', '=', RETAINED_FILE)
    .executeTakeFirst()
  const before: RetainedArtifacts = row ? JSON.parse((await decompressBuffer(row.body)).toString()) : { results: [], readings: [] }
  const existingIds = new Set([...tables, ...tests].map(({ unique_id }) => unique_id))
  const exists = ({ unique_id }: { unique_id: string }) => existingIds.has(unique_id)
  const last = <E extends { unique_id: string }>(all: readonly E[]): E[] => [...new Map(all.map((each) => [each.unique_id, each])).values()]
  const retained: RetainedArtifacts = {
    results: [...mergeNewestResults(before.results, results).values()].filter(exists),
    readings: last([...before.readings, ...readings]).filter(exists),
    compiled: last([...(before.compiled ?? []), ...compiled]).filter(exists),
    runs: mergeRuns((before.runs ?? []).filter(exists), runs.filter(exists)),
  }
  await saveArtifact(ctx, integration, RETAINED_FILE, await compress(Buffer.from(JSON.stringify(retained))))
}

export const loadArtifacts = async (db: Db, integration: string): Promise<Map<string, Buffer>> => {
  const rows = await db.selectFrom('dbt_artifacts').select(['name', 'body']).where('integration', '=', integration).execute()
  return new Map(rows.map(({ name, body }) => [name, body]))
}

export const findTeamsOfResources = async (db: Db, ids: readonly string[]): Promise<Map<string, string[]>> => {
  const { rows } = await sql<{ id: string; teams: string[] }>`
    select id, teams from resources where id = any(${ids}::uuid[]) and teams is not null
  `.execute(db)
  return new Map(rows.map(({ id, teams }) => [id, teams]))
}

export interface SourceQueries {
  readonly target: string
  readonly fingerprint: string
  readonly hashes: readonly string[]
}

/** The queries a source reported before, by the table they fill. */
export const findSourceQueries = async (db: Db, integration: string): Promise<Map<string, SourceQueries>> => {
  const rows = await db
    .selectFrom('source_queries')
    .select(['target', 'fingerprint', 'hashes'])
    .where('integration', '=', integration)
    .execute()
  return new Map(rows.map((row) => [row.target, row]))
}

export const saveSourceQueries = async (db: Db, integration: string, { target, fingerprint, hashes }: SourceQueries): Promise<void> => {
  await sql`
    insert into source_queries (integration, target, fingerprint, hashes) values (${integration}, ${target}, ${fingerprint}, ${hashes}::text[])
    on conflict (integration, target) do update set fingerprint = excluded.fingerprint, hashes = excluded.hashes
  `.execute(db)
}

export const deleteSourceQueries = async (db: Db, integration: string, target: string): Promise<void> => {
  await db.deleteFrom('source_queries').where('integration', '=', integration).where('target', '=', target).execute()
}

/** Deletes and returns a batch of the queries a source reported. */
export const popSourceQueries = async (db: Db, integration: string, limit: number): Promise<SourceQueries[]> => {
  const { rows } = await sql<SourceQueries>`
    delete from source_queries q using (select target from source_queries where integration = ${integration} limit ${sql.lit(limit)}) gone
    where q.integration = ${integration} and q.target = gone.target
    returning q.target, q.fingerprint, q.hashes
  `.execute(db)
  return rows
}

/** The queries any source reports for these tables. */
export const findSourceQueriesOfOthers = async (db: Db, targets: readonly string[]): Promise<Map<string, Set<string>>> => {
  const { rows } = await sql<{ target: string; hashes: string[] }>`
    select q.target, q.hashes from source_queries q join integrations i on i.id = q.integration where q.target = any(${targets}::uuid[])
  `.execute(db)
  const found = new Map<string, Set<string>>()
  for (const { target, hashes } of rows) found.set(target, new Set([...(found.get(target) ?? []), ...hashes]))
  return found
}
