import { dialectOfAdapter } from '../../lineage/queries/adapters.ts'
import { type Json, omitEmpty } from '../../platform/core/json-value.ts'
import { addInferredColumns } from './columns.ts'
import { findConsumers, toConsumer } from './consumers.ts'
import { mergeNodes } from './merge-nodes.ts'
import {
  ArtifactError,
  type Artifacts,
  type CompiledSql,
  type DbtColumn,
  type DbtNode,
  type DbtTable,
  type DbtTest,
  type NodeResult,
  type Project,
  TABLE_KINDS,
} from './project.ts'
import { findCompiledSql, findTestNodes, findTestTarget, isRunResult, mergeNewestResults, parseResults } from './results.ts'
import { mergeRuns, parseRuns } from './runs.ts'
import { getCompiledSql, getRawSql, toList, toNumber, toObject, toObjectValues, toText, toTexts } from './values.ts'

/** Parses artifacts to a project. Supports every manifest version: up to v6 two fields have other names, all others used here are the same. Pure. */
export const parseProject = ({ manifest, catalog, run_results, earlier_results = [], sources, kept }: Artifacts): Project => {
  const file = requireArtifact('manifest', manifest)
  const version = parseVersion(file, 'manifest')
  if (version === undefined || version < MIN_MANIFEST_VERSION)
    throw new ArtifactError(
      'manifest.json',
      version === undefined
        ? 'is not a dbt manifest: metadata.dbt_schema_version does not name one.'
        : `has the unknown manifest version ${version}. Version ${MIN_MANIFEST_VERSION} or later (dbt 0.19 or later) is supported.`,
    )
  if (!toObject(file.nodes)) throw new ArtifactError('manifest.json', 'nodes must be an object.')
  const metadata = toObject(file.metadata)!
  const nodes = toObjectValues(file.nodes)
  const ran = [...earlier_results, run_results].flatMap((each): Json[] => {
    const read = parseOptional('run-results', 'run_results.json', each)
    return read ? [read] : []
  })
  const reading: ProjectSources = {
    results: mergeNewestResults(
      kept?.results ?? [],
      ran.flatMap((each) => [...parseResults(each).values()]),
    ),
    compiled: findCompiledSql(nodes.filter(isTable), ran, kept),
    catalog: parseOptional('catalog', 'catalog.json', catalog),
    freshness: groupFreshness(parseOptional('sources', 'sources.json', sources)),
    groups: new Map(toObjectValues(file.groups).flatMap((group) => (toText(group.name) ? [[toText(group.name)!, group]] : []))),
  }
  const dialect = dialectOfAdapter(metadata.adapter_type)
  const merged = mergeNodes([...nodes.filter(isTable), ...toObjectValues(file.sources)].flatMap((node) => toTable(node, reading) ?? []))
  const described = merged.map((table) => addComment(table, reading))
  const { tables, readings, sql_defects } = addInferredColumns(described, dialect, kept?.readings ?? [])
  return {
    name: toText(metadata.project_name) ?? toText(nodes[0]?.package_name) ?? 'dbt',
    dbt_version: toText(metadata.dbt_version),
    dialect,
    generated_at: toText(metadata.generated_at),
    ran: isRunResult(run_results),
    tables,
    uses: findConsumers(file, nodes).flatMap(([kind, node]) => {
      const base = toNode(node, reading)
      return base ? [toConsumer(kind, node, base)] : []
    }),
    tests: findTestNodes(file).flatMap((node) => toTest(node, reading) ?? []),
    results: [...reading.results.values()],
    readings,
    compiled: [...reading.compiled.values()],
    runs: mergeRuns(kept?.runs ?? [], ran.flatMap(parseRuns)),
    sql_defects,
  }
}

const MIN_MANIFEST_VERSION = 1

interface ProjectSources {
  readonly results: ReadonlyMap<string, NodeResult>
  readonly compiled: ReadonlyMap<string, CompiledSql>
  readonly catalog: Json | undefined
  readonly freshness: ReadonlyMap<string, Json>
  readonly groups: ReadonlyMap<string, Json>
}

const requireArtifact = (file: string, value: unknown): Json => {
  const read = toObject(value)
  if (!read || !toObject(read.metadata)) throw new ArtifactError(`${file}.json`, 'is not a dbt artifact: it has no metadata.')
  return read
}

const parseVersion = ({ metadata }: Json, artifact: string): number | undefined => {
  const found = new RegExp(`/${artifact}/v(\\d+)(?:\\.json|/${artifact}\\.json)?$`).exec(
    toText(toObject(metadata)?.dbt_schema_version) ?? '',
  )
  return found ? Number(found[1]) : undefined
}

const parseOptional = (artifact: string, file: string, value: unknown): Json | undefined => {
  if (value === undefined) return undefined
  const read = requireArtifact(file.replace('.json', ''), value)
  if (parseVersion(read, artifact) === undefined)
    throw new ArtifactError(file, `metadata.dbt_schema_version does not name a ${artifact} file.`)
  return read
}

const isTable = ({ resource_type }: Json): boolean => (TABLE_KINDS as readonly unknown[]).includes(resource_type)

/** Fields common to all nodes. Undefined for a node without a name. */
const toNode = (node: Json, reading: ProjectSources): DbtNode | undefined => {
  const unique_id = toText(node.unique_id)
  const name = toText(node.name)
  if (!unique_id || !name) return undefined
  const config = toObject(node.config)
  const meta = omitEmpty({ ...toObject(config?.meta), ...toObject(node.meta) })
  const group = toText(node.group) ?? toText(config?.group)
  return {
    unique_id,
    name,
    description: toText(node.description)?.trim() ?? null,
    tags: [...new Set([...toTexts(node.tags), ...toTexts(config?.tags)])],
    owners: findOwners(node, meta, group ? reading.groups.get(group) : undefined),
    depends_on: toTexts(toObject(node.depends_on)?.nodes),
    raw: getRawSql(node),
    facts: { unique_id, package: node.package_name, path: toText(node.original_file_path)?.replaceAll('\\', '/'), group, meta },
  }
}

/** E-mail addresses in the node, its group or its `meta.owner`. */
const findOwners = (node: Json, meta: Json, group: Json | undefined): string[] => {
  const named = [toObject(node.owner)?.email, toObject(group?.owner)?.email, meta.owner, meta.owners, toObject(meta.owner)?.email]
  return [
    ...new Set(
      named
        .flatMap(toTexts)
        .filter((each) => each.includes('@'))
        .map((each) => each.trim().toLowerCase()),
    ),
  ]
}

const toTable = (node: Json, reading: ProjectSources): DbtTable | undefined => {
  const base = toNode(node, reading)
  const kind = TABLE_KINDS.find((each) => each === node.resource_type)
  if (!base || !kind) return undefined
  const config = toObject(node.config)
  const materialized = toText(config?.materialized)
  const title = toText(node.alias) ?? toText(node.identifier) ?? base.name
  const cataloged = findCatalogEntry({ ...base, kind }, reading)
  const result = reading.results.get(base.unique_id)
  const compiled = getCompiledSql(node) ?? reading.compiled.get(base.unique_id)?.sql ?? null
  return {
    ...base,
    kind,
    relation: materialized === 'ephemeral' ? null : [toText(node.database), toText(node.schema), title].filter((part) => part !== null),
    columns: toColumns(node, cataloged),
    relation_name: toText(node.relation_name),
    cataloged: cataloged !== undefined,
    compiled,
    sql: compiled,
    row_count: findStat(cataloged, ROW_STATS),
    byte_size: findStat(cataloged, BYTE_STATS),
    facts: omitEmpty({
      ...base.facts,
      kind,
      materialized,
      language: node.language === 'sql' ? null : node.language,
      source: kind === 'source' ? toText(node.source_name) : null,
      source_description: toText(node.source_description)?.trim(),
      loader: toText(node.loader),
      access: toText(node.access) ?? toText(config?.access),
      contract: toObject(node.contract)?.enforced === true ? true : null,
      version: node.version ?? null,
      latest_version: node.latest_version ?? null,
      deprecation_date: toText(node.deprecation_date),
      freshness: toFreshnessFacts(node, reading.freshness.get(base.unique_id)),
      run: result && toRunFacts(result),
    }),
  }
}

const findCatalogEntry = ({ kind, unique_id }: Pick<DbtTable, 'kind' | 'unique_id'>, { catalog }: ProjectSources): Json | undefined =>
  toObject(toObject(kind === 'source' ? catalog?.sources : catalog?.nodes)?.[unique_id])

/** Without a description in the project, the comment of the warehouse is used. */
const addComment = (table: DbtTable, reading: ProjectSources): DbtTable => {
  const comment = toText(toObject(findCatalogEntry(table, reading)?.metadata)?.comment)
  return table.description === null && comment ? { ...table, description: comment.trim() } : table
}

const toRunFacts = ({ status, executed_at, execution_time, rows_affected, message }: NodeResult): Json =>
  omitEmpty({ status, executed_at, execution_time, rows_affected, message })

const groupFreshness = (sources: Json | undefined): Map<string, Json> =>
  new Map(
    toList(sources?.results).flatMap((each) => {
      const result = toObject(each)
      const unique_id = toText(result?.unique_id)
      return result && unique_id ? [[unique_id, result] as const] : []
    }),
  )

const toFreshnessFacts = (node: Json, checked: Json | undefined): Json | undefined => {
  const rules = toObject(node.freshness)
  if (!rules && !checked) return undefined
  const within = (name: string) => {
    const { count, period } = toObject(rules?.[name]) ?? {}
    return count && period ? `${count} ${period}` : null
  }
  return omitEmpty({
    loaded_at_field: node.loaded_at_field,
    warn_after: within('warn_after'),
    error_after: within('error_after'),
    status: toText(checked?.status)?.toLowerCase(),
    max_loaded_at: toText(checked?.max_loaded_at),
    snapshotted_at: toText(checked?.snapshotted_at),
  })
}

const ROW_STATS = ['num_rows', 'row_count', 'rows'] // names used by BigQuery; Snowflake; Redshift, Spark and Databricks
const BYTE_STATS = ['num_bytes', 'bytes'] // Redshift's `size` is in megabytes and not used

const findStat = (cataloged: Json | undefined, names: readonly string[]): number | null => {
  const stats = toObject(cataloged?.stats)
  return names.map((name) => Number(toObject(stats?.[name])?.value ?? Number.NaN)).find((n) => Number.isSafeInteger(n) && n >= 0) ?? null
}

/** The columns of the warehouse in its order, with the project's descriptions; then those only the project lists. */
const toColumns = (node: Json, cataloged: Json | undefined): DbtColumn[] => {
  const written = new Map(
    toObjectValues(node.columns).flatMap((column) => (toText(column.name) ? [[toText(column.name)!.toLowerCase(), column]] : [])),
  )
  const found = toObjectValues(cataloged?.columns)
    .filter(({ name }) => toText(name))
    .sort((a, b) => (toNumber(a.index) ?? 0) - (toNumber(b.index) ?? 0))
  const keys = new Set(toTexts(node.primary_key).map((key) => key.toLowerCase()))
  const toColumn = (name: string, column: Json | undefined, there: Json | undefined): DbtColumn => ({
    name,
    type: toText(there?.type) ?? toText(column?.data_type),
    is_pk: keys.has(name.toLowerCase()),
    description: (toText(column?.description) ?? toText(there?.comment))?.trim() ?? null,
    tags: [...new Set([...toTexts(column?.tags), ...toTexts(toObject(column?.config)?.tags)])],
  })
  const catalogColumns = found.map((there) => {
    const key = toText(there.name)!.toLowerCase()
    const column = written.get(key)
    written.delete(key)
    return toColumn(toText(there.name)!, column, there)
  })
  return [...catalogColumns, ...[...written.values()].map((column) => toColumn(toText(column.name)!, column, undefined))]
}

const toTest = (node: Json, reading: ProjectSources): DbtTest | undefined => {
  const base = toNode(node, reading)
  if (!base) return undefined
  const config = toObject(node.config)
  const result = reading.results.get(base.unique_id)
  const { tests, column } = findTestTarget(node)
  return {
    ...base,
    tests,
    column,
    result: result
      ? {
          status: result.status,
          failures: result.failures,
          message: result.message,
          executed_at: result.executed_at,
          execution_time: result.execution_time,
        }
      : null,
    facts: omitEmpty({
      ...base.facts,
      test: toText(toObject(node.test_metadata)?.name) ?? (node.resource_type === 'unit_test' ? 'unit test' : 'sql'),
      column,
      severity: toText(config?.severity)?.toLowerCase(),
    }),
  }
}
