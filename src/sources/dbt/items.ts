import { buildItemKey, type Item } from '../sync/item.ts'
import { type DbtJob, toJobItems } from './jobs.ts'
import type { TableMatches } from './match-tables.ts'
import type { DbtConsumer, DbtNode, DbtTable, DbtTest, Project } from './project.ts'

/** Names used in a project, resolved to records of the catalog. */
export interface CatalogNames {
  readonly tags: ReadonlyMap<string, string>
  /** By e-mail address. */
  readonly people: ReadonlyMap<string, string>
  /** Teams of matched tables by ID, so that tests are hidden from users who cannot see their table. */
  readonly teams: ReadonlyMap<string, readonly string[]>
}

/** Cannot clash, because no database has an empty name: nodes without a table in the warehouse are identified by their unique ID. */
export const nodeKey = (unique_id: string): string => buildItemKey('', unique_id)
export const tableKey = (relation: readonly string[]): string => buildItemKey(...relation)

/** The nodes of a project as items, parents before children. Without matched tables, which belong to another source. */
export function* toItems(project: Project, jobs: readonly DbtJob[], { matched }: TableMatches, names: CatalogNames): Generator<Item, void> {
  yield {
    key: nodeKey('project'),
    entity_type: 'job_group',
    fields: { title: project.name, native_type: 'dbt project' },
    facts: { dbt_version: project.dbt_version, dialect: project.dialect },
  }
  const containers = new Set<string>()
  for (const table of project.tables) {
    if (matched.has(table.unique_id)) continue
    if (!table.relation) {
      yield {
        ...toNodeItem(table, names, 'query'),
        fields: { ...toFields(table, names), native_type: 'ephemeral model', definition: table.raw },
      }
      continue
    }
    yield* toContainerItems(table.relation, containers)
    yield* toTableItems(table, table.relation, names)
  }
  for (const job of jobs)
    yield* toJobItems(job, {
      parent: nodeKey('project'),
      owners: resolveTagsAndOwners(job.table, names).owners,
      teams: names.teams.get(matched.get(job.table.unique_id)?.id ?? ''),
    })
  for (const use of project.uses) yield toConsumerItem(use, names)
  if (project.tests.length > 0)
    yield {
      key: nodeKey('tests'),
      parent: nodeKey('project'),
      entity_type: 'test_suite',
      fields: { title: `${project.name} tests`, native_type: 'dbt tests' },
    }
  const tables = new Map(project.tables.map((table) => [table.unique_id, table]))
  for (const test of project.tests) yield toTestItem(test, tables.get(test.tests ?? ''), matched.get(test.tests ?? '')?.id, names)
}

/** The fields of a node that users can edit too. */
const toFields = ({ name, description, tags, owners }: DbtNode, names: CatalogNames) => ({
  title: name,
  description,
  ...resolveTagsAndOwners({ tags, owners }, names),
})

/** Resolves tags and owners to IDs. Unknown ones are omitted. */
export const resolveTagsAndOwners = (
  { tags, owners = [] }: { tags: readonly string[]; owners?: readonly string[] },
  names: CatalogNames,
) => ({
  tags: tags.flatMap((tag) => names.tags.get(tag) ?? []),
  owners: owners.flatMap((email) => names.people.get(email) ?? []),
})

const toNodeItem = (node: DbtNode, names: CatalogNames, entity_type: string): Item => ({
  key: nodeKey(node.unique_id),
  parent: nodeKey('project'),
  entity_type,
  fields: toFields(node, names),
  facts: node.facts,
})

/** The database and schema of a table, each reported once. */
function* toContainerItems(relation: readonly string[], reported: Set<string>): Generator<Item, void> {
  const kinds = relation.length === 3 ? ['database', 'schema'] : ['schema']
  for (const [i, entity_type] of kinds.slice(0, relation.length - 1).entries()) {
    const path = relation.slice(0, i + 1)
    const key = tableKey(path)
    if (reported.has(key)) continue
    reported.add(key)
    yield {
      key,
      ...(i > 0 ? { parent: tableKey(relation.slice(0, i)) } : {}),
      entity_type,
      fields: { title: path.at(-1)!, native_type: entity_type },
    }
  }
}

function* toTableItems(table: DbtTable, relation: readonly string[], names: CatalogNames): Generator<Item, void> {
  const key = tableKey(relation)
  yield {
    key,
    ...(relation.length > 1 ? { parent: tableKey(relation.slice(0, -1)) } : {}),
    entity_type: 'table',
    fields: { ...toFields(table, names), title: relation.at(-1)!, native_type: table.kind },
    reported: { row_count: table.row_count, byte_size: table.byte_size },
    facts: { dbt: toTableFacts(table) },
  }
  for (const [i, { name, type, is_pk, description, tags }] of table.columns.entries())
    yield {
      key: tableKey([...relation, name]),
      parent: key,
      entity_type: 'column',
      fields: { title: name, native_type: type, description, tags: resolveTagsAndOwners({ tags }, names).tags },
      own: { sort_order: i + 1, is_pk },
    }
}

/** What only the project knows about a table: its code, compiled if it is, and its run results. */
export const toTableFacts = ({ facts, compiled, raw }: DbtTable): Record<string, unknown> => ({
  ...facts,
  ...(raw && compiled && raw !== compiled ? { raw_code: raw.slice(0, MAX_CODE_LENGTH) } : {}),
  ...((compiled ?? raw) ? { code: (compiled ?? raw)!.slice(0, MAX_CODE_LENGTH) } : {}),
})
const MAX_CODE_LENGTH = 50_000

const toConsumerItem = (use: DbtConsumer, names: CatalogNames): Item => {
  const exposure = use.kind === 'exposure'
  const entity_type = exposure ? (use.type === 'dashboard' ? 'dashboard' : 'report') : 'query'
  return {
    ...toNodeItem(use, names, entity_type),
    fields: {
      ...toFields(use, names),
      title: use.label ?? use.name,
      native_type: exposure ? `${use.type ?? 'dbt'} exposure` : use.kind,
      ...(use.raw ? { definition: use.raw } : {}),
      ...(use.url ? { url: use.url } : {}),
    },
  }
}

const toTestItem = (test: DbtTest, table: DbtTable | undefined, tested_id: string | undefined, names: CatalogNames): Item => {
  const teams = tested_id ? names.teams.get(tested_id) : undefined
  return {
    ...toNodeItem(test, names, 'test'),
    parent: nodeKey('tests'),
    fields: { ...toFields(test, names), native_type: 'dbt test', ...(teams ? { teams: [...teams] } : {}) },
    facts: {
      ...test.facts,
      ...(table?.relation ? { tested: table.relation.join('.') } : {}),
      ...(tested_id ? { tested_id } : table?.relation ? { tested_key: tableKey(table.relation) } : {}),
      ...(test.result ? { result: test.result } : {}),
    },
  }
}
