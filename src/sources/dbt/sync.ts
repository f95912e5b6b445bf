import { ensureTags } from '../../catalog/tags/tags.ts'
import type { Context } from '../../platform/context/context.ts'
import { findUsersByEmail } from '../sync/find-users.ts'
import type { Item } from '../sync/item.ts'
import { type DuplicateResource, mergeDuplicates } from '../sync/merge-duplicates.ts'
import { findResourceIdsByKey } from '../sync/sync-rows.ts'
import { findTeamsOfResources, loadArtifacts } from './dbt-rows.ts'
import { enrichTables } from './enrich.ts'
import { type CatalogNames, nodeKey, tableKey, toItems } from './items.ts'
import { findNodesWithEvents, updateJobFlows } from './job-flows.ts'
import { type DbtJob, findJobs } from './jobs.ts'
import { type LineageCounts, updateProjectLineage } from './lineage.ts'
import { matchTables, type TableMatches } from './match-tables.ts'
import type { Project } from './project.ts'
import { readProject } from './reader.ts'

/** Syncs a dbt project from its saved artifacts: first its own nodes, then what it reports about other sources' tables. */
export interface DbtSync {
  readonly integration: string
  readonly warehouse?: string
  readonly log: (line: string) => Promise<void>
  /** The resource with this key belongs to a warehouse now. */
  readonly markMoved?: (key: string) => void
}

export async function* discoverProject(ctx: Context, { integration, warehouse, log, markMoved }: DbtSync): AsyncGenerator<Item, void> {
  const project = await loadProject(ctx, integration)
  const matches = await matchTables(ctx, project, integration, warehouse)
  const { tables, uses, tests } = project
  await log(
    `dbt ${project.dbt_version ?? ''}: project ${project.name} with ${tables.length} tables, ${uses.length} exposures, metrics and other definitions, and ${tests.length} tests.`,
  )
  if (matches.ambiguous > 0)
    await log(`${matches.ambiguous} tables exist in several integrations. Set the warehouse in the credentials to choose one.`)
  for (const { key } of findDuplicates(project, matches)) markMoved?.(key)
  const jobs = await findOwnJobs(ctx, integration, project, matches)
  yield* toItems(project, jobs, matches, await findNames(ctx, project, matches))
}

/** Runs when the project's own nodes are in the catalog: updates other sources' tables and the lineage. */
export const applyProjectToOthers = async (ctx: Context, { integration, warehouse, log }: DbtSync): Promise<LineageCounts> => {
  const project = await loadProject(ctx, integration)
  const matches = await matchTables(ctx, project, integration, warehouse)
  const { matched, columns } = matches
  const merged = await mergeDuplicates(ctx, integration, findDuplicates(project, matches))
  const updated = await enrichTables(ctx, integration, project, matches, await findNames(ctx, project, matches))
  if (matched.size > 0)
    await log(`${matched.size} tables of other integrations matched, ${updated} updated.${merged ? ` ${merged} duplicates merged.` : ''}`)
  const ids = await findNodeIds(ctx, integration, project, matches)
  const counts = new Map<string, number>()
  for (const table of project.tables) {
    const found = matched.get(table.unique_id)
    const id = ids.get(table.unique_id)
    if (id) counts.set(id, found ? table.columns.filter(({ name }) => columns.column(found, name)).length : table.columns.length)
  }
  const lineage = await updateProjectLineage(ctx, integration, project, { ids, columns: (id) => counts.get(id) ?? 0 })
  const jobs = await findOwnJobs(ctx, integration, project, matches)
  await updateJobFlows(ctx, integration, project, { jobs, ids })
  return lineage
}

/** The resources of the project's nodes, by unique ID: those of a warehouse, and its own. */
const findNodeIds = async (
  ctx: Context,
  integration: string,
  { tables, uses }: Project,
  { matched }: TableMatches,
): Promise<ReadonlyMap<string, string>> => {
  const keys = new Map([
    ...tables.flatMap(({ unique_id, relation }) =>
      matched.has(unique_id) ? [] : [[unique_id, relation ? tableKey(relation) : nodeKey(unique_id)] as const],
    ),
    ...uses.map(({ unique_id }) => [unique_id, nodeKey(unique_id)] as const),
  ])
  const own = await findResourceIdsByKey(ctx.db, integration, [...keys.values()])
  const ids = new Map<string, string>([...matched].map(([unique_id, { id }]) => [unique_id, id]))
  for (const [unique_id, key] of keys) if (own.has(key)) ids.set(unique_id, own.get(key)!)
  return ids
}

const findOwnJobs = async (ctx: Context, integration: string, project: Project, matches: TableMatches): Promise<DbtJob[]> => {
  if (project.runs.length === 0) return []
  return findJobs(project, await findNodesWithEvents(ctx.db, project, await findNodeIds(ctx, integration, project, matches)))
}

/** Everything the project reported before a warehouse did, with its primary resource there. */
const findDuplicates = ({ tables }: Project, { matched, columns }: TableMatches): DuplicateResource[] =>
  tables.flatMap((table) => {
    const { relation } = table
    const found = matched.get(table.unique_id)
    if (!relation || !found) return []
    return [
      ...relation.slice(0, -1).map((_, i) => ({ key: tableKey(relation.slice(0, i + 1)) })),
      { key: tableKey(relation), id: found.id },
      ...table.columns.map(({ name }) => {
        const column = columns.column(found, name)
        return { key: tableKey([...relation, name]), ...(column ? { id: column.id } : {}) }
      }),
    ]
  })

const loadProject = async (ctx: Context, integration: string): Promise<Project> => {
  const files = await loadArtifacts(ctx.db, integration)
  if (files.size === 0) throw new Error('No artifacts yet. Upload them, or set a path or URL to read them from.')
  const project = await readProject(files, ctx.runtime.fileThreads)
  ctx.runtime.engineDefects.count(project.dialect, project.sql_defects)
  return project
}

const findNames = async (ctx: Context, { tables, uses, tests }: Project, { matched }: TableMatches): Promise<CatalogNames> => {
  const nodes = [...tables, ...uses, ...tests]
  const tags = nodes.flatMap((node) => [...node.tags, ...('columns' in node ? node.columns.flatMap((column) => column.tags) : [])])
  return {
    tags: await ensureTags(ctx, tags),
    people: await findUsersByEmail(ctx.db, [...new Set(nodes.flatMap(({ owners }) => owners))]),
    teams: await findTeamsOfResources(
      ctx.db,
      [...matched.values()].map(({ id }) => id),
    ),
  }
}
