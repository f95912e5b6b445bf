import type { Context } from '../context.ts'
import { handOver, type Twin } from '../sync/hand-over.ts'
import type { Item } from '../sync/item.ts'
import { findPeople } from '../sync/people.ts'
import { findByKeys } from '../sync/store.ts'
import { ensureTags } from '../tags/tags.ts'
import { enrichTables } from './enrich.ts'
import { itemsOf, type Names, nodeKey, tableKey } from './items.ts'
import { type Counted, readProjectLineage } from './lineage.ts'
import { type Meeting, meetTables } from './meet.ts'
import type { Project } from './project.ts'
import { readProject } from './reader.ts'
import { loadArtifacts, teamsOf } from './store.ts'

/** Syncs a dbt project from its saved artifacts: first its own nodes, then what it reports about other sources' tables. */
export interface DbtSync {
  readonly integration: string
  readonly warehouse?: string
  readonly say: (line: string) => Promise<void>
  /** The resource with this key belongs to a warehouse now. */
  readonly moved?: (key: string) => void
}

export async function* discoverProject(ctx: Context, { integration, warehouse, say, moved }: DbtSync): AsyncGenerator<Item, void> {
  const project = await loadProject(ctx, integration)
  const meeting = await meetTables(ctx, project, integration, warehouse)
  const { tables, uses, tests } = project
  await say(
    `dbt ${project.dbt_version ?? ''}: project ${project.name} with ${tables.length} tables, ${uses.length} exposures, metrics and other definitions, and ${tests.length} tests.`,
  )
  if (meeting.ambiguous > 0)
    await say(`${meeting.ambiguous} tables exist in several integrations. Set the warehouse in the credentials to choose one.`)
  for (const { key } of twinsOf(project, meeting)) moved?.(key)
  yield* itemsOf(project, meeting, await namesOf(ctx, project, meeting))
}

/** Runs when the project's own nodes are in the catalog: updates other sources' tables and the lineage. */
export const finishProject = async (ctx: Context, { integration, warehouse, say }: DbtSync): Promise<Counted> => {
  const project = await loadProject(ctx, integration)
  const meeting = await meetTables(ctx, project, integration, warehouse)
  const { met, columns } = meeting
  const handed = await handOver(ctx, integration, twinsOf(project, meeting))
  const said = await enrichTables(ctx, integration, project, meeting, await namesOf(ctx, project, meeting))
  if (met.size > 0)
    await say(`${met.size} tables of other integrations matched, ${said} updated.${handed ? ` ${handed} duplicates merged.` : ''}`)
  const keys = new Map([
    ...project.tables.flatMap(({ unique_id, relation }) =>
      met.has(unique_id) ? [] : [[unique_id, relation ? tableKey(relation) : nodeKey(unique_id)] as const],
    ),
    ...project.uses.map(({ unique_id }) => [unique_id, nodeKey(unique_id)] as const),
  ])
  const own = await findByKeys(ctx.db, integration, [...keys.values()])
  const ids = new Map<string, string>([...met].map(([unique_id, { id }]) => [unique_id, id]))
  for (const [unique_id, key] of keys) if (own.has(key)) ids.set(unique_id, own.get(key)!)
  const counts = new Map<string, number>()
  for (const table of project.tables) {
    const found = met.get(table.unique_id)
    const id = ids.get(table.unique_id)
    if (id) counts.set(id, found ? table.columns.filter(({ name }) => columns.column(found, name)).length : table.columns.length)
  }
  return readProjectLineage(ctx, integration, project, { ids, columns: (id) => counts.get(id) ?? 0 })
}

/** Everything the project reported before a warehouse did, with its primary resource there. */
const twinsOf = ({ tables }: Project, { met, columns }: Meeting): Twin[] =>
  tables.flatMap((table) => {
    const { relation } = table
    const found = met.get(table.unique_id)
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
  const project = await readProject(files)
  ctx.runtime.sqlDefects.count(project.dialect, project.sql_defects)
  return project
}

const namesOf = async (ctx: Context, { tables, uses, tests }: Project, { met }: Meeting): Promise<Names> => {
  const nodes = [...tables, ...uses, ...tests]
  const tags = nodes.flatMap((node) => [...node.tags, ...('columns' in node ? node.columns.flatMap((column) => column.tags) : [])])
  return {
    tags: await ensureTags(ctx, tags),
    people: await findPeople(ctx.db, [...new Set(nodes.flatMap(({ owners }) => owners))]),
    teams: await teamsOf(
      ctx.db,
      [...met.values()].map(({ id }) => id),
    ),
  }
}
