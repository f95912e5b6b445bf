import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import { type JobFlows, NO_FLOWS } from '../job-flows/flows.ts'
import { findFlows, findResourcesWithFlows, saveFlows } from '../job-flows/job-flow-rows.ts'
import { type FlowUpdate, saveAllFlows } from '../job-flows/save-flow.ts'
import { findResourceIdsByKey } from '../sync/sync-rows.ts'
import { type DbtJob, jobKey, jobRunKey } from './jobs.ts'
import { findUpstreamTables } from './match-tables.ts'
import type { Project } from './project.ts'
import { toRunState } from './runs.ts'

const BATCH_SIZE = 200

/**
 * What the jobs of a project and their runs read and write. A run keeps what it read when it ran, although the model may read something else
 * now; a skipped run read nothing. Jobs that are gone give their lineage back.
 */
export const updateJobFlows = async (
  ctx: Context,
  integration: string,
  project: Project,
  { jobs, ids }: { readonly jobs: readonly DbtJob[]; readonly ids: ReadonlyMap<string, string> },
): Promise<void> => {
  const upstream = findUpstreamTables(project)
  const current = new Set<string>()
  for (let start = 0; start < jobs.length; start += BATCH_SIZE) {
    const batch = jobs.slice(start, start + BATCH_SIZE)
    const keys = batch.flatMap(({ table, runs }) => [jobKey(table.unique_id), ...runs.map(jobRunKey)])
    const own = await findResourceIdsByKey(ctx.db, integration, keys)
    const stored = await findFlows(ctx.db, [...own.values()])
    const ofRuns = new Map<string, JobFlows>()
    const updates: FlowUpdate[] = []
    for (const { table, runs } of batch) {
      const key = jobKey(table.unique_id)
      const [owner, target] = [own.get(key), ids.get(table.unique_id)]
      if (!owner || !target) continue
      const from = [...upstream(table.depends_on)].flatMap((id) => ids.get(id) ?? []).filter((id) => id !== target)
      const after = toFlows(owner, [...new Set(from)].sort(), target)
      current.add(owner)
      updates.push({ key, owner, job: owner, before: stored.get(owner) ?? NO_FLOWS, after, integration })
      for (const run of runs) {
        const id = own.get(jobRunKey(run))
        if (id && !stored.has(id) && toRunState(run) !== 'ABORTED') ofRuns.set(id, after)
      }
    }
    await saveAllFlows(ctx, updates)
    await saveFlows(ctx.db, ofRuns)
  }
  const outdated = (await findResourcesWithFlows(ctx.db, integration)).filter(
    ({ entity_type, resource_id }) => entity_type === 'job' && !current.has(resource_id),
  )
  const stored = await findFlows(
    ctx.db,
    outdated.map(({ resource_id }) => resource_id),
  )
  const updates = outdated.map(({ resource_id: owner, key }) => ({
    key,
    owner,
    job: owner,
    before: stored.get(owner) ?? NO_FLOWS,
    after: NO_FLOWS,
    integration,
  }))
  await saveAllFlows(ctx, updates)
}

/** A seed reads no table: its job stands at the beginning of the lineage. */
const toFlows = (job: string, inputs: readonly string[], target: string): JobFlows => ({
  inputs,
  outputs: [target],
  columns: [],
  pairs: (inputs.length > 0 ? inputs : [job]).map((from) => [from, target] as const),
})

/**
 * The nodes whose runs arrive as OpenLineage events (dbt-ol names their jobs `database.schema.package.model…`): events come first, as for
 * orchestrators. By unique ID.
 */
export const findNodesWithEvents = async (db: Db, { tables }: Project, ids: ReadonlyMap<string, string>): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ id: string; title: string }>`
    select distinct e.downstream as id, j.title from lineage_edges e
    join lineage_queries q on q.id = e.query and q.dialect = 'openlineage'
    join resources j on j.id = (q.statements -> 0 ->> 'job')::uuid and not j.stale and not j.archived
    where e.downstream = any(${[...new Set(ids.values())]}::uuid[]) and e.kind = 'table'
  `.execute(db)
  const titles = Map.groupBy(rows, ({ id }) => id)
  return new Set(
    tables.flatMap(({ unique_id }) => {
      const name = `.${unique_id.split('.').slice(1).join('.')}.`
      const written = titles.get(ids.get(unique_id) ?? '') ?? []
      return written.some(({ title }) => `.${title}.`.includes(name)) ? [unique_id] : []
    }),
  )
}
