import { dialectOfAdapter } from '../lineage/adapters.ts'
import { withColumns } from './columns.ts'
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
import { compiledOf, newestOf, resultsOf, tellsOfARun, testedBy, testNodes } from './results.ts'
import { speakTogether } from './together.ts'
import { asUse, usesOf } from './uses.ts'
import { compiledSqlOf, given, type Json, listOf, numberOf, objectOf, rawOf, textOf, textsOf, valuesOf } from './values.ts'

/** Parses artifacts to a project. Supports every manifest version: up to v6 two fields have other names, all others used here are the same. Pure. */
export const projectOf = ({ manifest, catalog, run_results, sources, kept }: Artifacts): Project => {
  const file = mustBe('manifest', manifest)
  const version = versionOf(file, 'manifest')
  if (version === undefined || version < OLDEST)
    throw new ArtifactError(
      'manifest.json',
      version === undefined
        ? 'is not a dbt manifest: metadata.dbt_schema_version does not name one.'
        : `has the unknown manifest version ${version}. Version ${OLDEST} or later (dbt 0.19 or later) is supported.`,
    )
  if (!objectOf(file.nodes)) throw new ArtifactError('manifest.json', 'nodes must be an object.')
  const metadata = objectOf(file.metadata)!
  const nodes = valuesOf(file.nodes)
  const ran = optional('run-results', 'run_results.json', run_results)
  const reading: Reading = {
    results: newestOf(kept?.results ?? [], resultsOf(ran).values()),
    compiled: compiledOf(nodes.filter(isTable), ran, kept),
    catalog: optional('catalog', 'catalog.json', catalog),
    freshness: freshnessOf(optional('sources', 'sources.json', sources)),
    groups: new Map(valuesOf(file.groups).flatMap((group) => (textOf(group.name) ? [[textOf(group.name)!, group]] : []))),
  }
  const dialect = dialectOfAdapter(metadata.adapter_type)
  const told = speakTogether([...nodes.filter(isTable), ...valuesOf(file.sources)].flatMap((node) => tableOf(node, reading) ?? []))
  const described = told.map((table) => withComment(table, reading))
  const { tables, readings, sql_defects } = withColumns(described, dialect, kept?.readings ?? [])
  return {
    name: textOf(metadata.project_name) ?? textOf(nodes[0]?.package_name) ?? 'dbt',
    dbt_version: textOf(metadata.dbt_version),
    dialect,
    generated_at: textOf(metadata.generated_at),
    ran: tellsOfARun(run_results),
    tables,
    uses: usesOf(file, nodes).flatMap(([kind, node]) => {
      const base = nodeOf(node, reading)
      return base ? [asUse(kind, node, base)] : []
    }),
    tests: testNodes(file).flatMap((node) => testOf(node, reading) ?? []),
    results: [...reading.results.values()],
    readings,
    compiled: [...reading.compiled.values()],
    sql_defects,
  }
}

const OLDEST = 1

interface Reading {
  readonly results: ReadonlyMap<string, NodeResult>
  readonly compiled: ReadonlyMap<string, CompiledSql>
  readonly catalog: Json | undefined
  readonly freshness: ReadonlyMap<string, Json>
  readonly groups: ReadonlyMap<string, Json>
}

const mustBe = (file: string, value: unknown): Json => {
  const read = objectOf(value)
  if (!read || !objectOf(read.metadata)) throw new ArtifactError(`${file}.json`, 'is not a dbt artifact: it has no metadata.')
  return read
}

const versionOf = ({ metadata }: Json, artifact: string): number | undefined => {
  const found = new RegExp(`/${artifact}/v(\\d+)(?:\\.json|/${artifact}\\.json)?$`).exec(String(objectOf(metadata)?.dbt_schema_version))
  return found ? Number(found[1]) : undefined
}

const optional = (artifact: string, file: string, value: unknown): Json | undefined => {
  if (value === undefined) return undefined
  const read = mustBe(file.replace('.json', ''), value)
  if (versionOf(read, artifact) === undefined)
    throw new ArtifactError(file, `metadata.dbt_schema_version does not name a ${artifact} file.`)
  return read
}

const isTable = ({ resource_type }: Json): boolean => (TABLE_KINDS as readonly unknown[]).includes(resource_type)

/** Fields common to all nodes. Undefined for a node without a name. */
const nodeOf = (node: Json, reading: Reading): DbtNode | undefined => {
  const unique_id = textOf(node.unique_id)
  const name = textOf(node.name)
  if (!unique_id || !name) return undefined
  const config = objectOf(node.config)
  const meta = given({ ...objectOf(config?.meta), ...objectOf(node.meta) })
  const group = textOf(node.group) ?? textOf(config?.group)
  return {
    unique_id,
    name,
    description: textOf(node.description)?.trim() ?? null,
    tags: [...new Set([...textsOf(node.tags), ...textsOf(config?.tags)])],
    owners: ownersOf(node, meta, group ? reading.groups.get(group) : undefined),
    depends_on: textsOf(objectOf(node.depends_on)?.nodes),
    raw: rawOf(node),
    facts: { unique_id, package: node.package_name, path: textOf(node.original_file_path)?.replaceAll('\\', '/'), group, meta },
  }
}

/** E-mail addresses in the node, its group or its `meta.owner`. */
const ownersOf = (node: Json, meta: Json, group: Json | undefined): string[] => {
  const named = [objectOf(node.owner)?.email, objectOf(group?.owner)?.email, meta.owner, meta.owners, objectOf(meta.owner)?.email]
  return [
    ...new Set(
      named
        .flatMap(textsOf)
        .filter((each) => each.includes('@'))
        .map((each) => each.trim().toLowerCase()),
    ),
  ]
}

const tableOf = (node: Json, reading: Reading): DbtTable | undefined => {
  const base = nodeOf(node, reading)
  const kind = TABLE_KINDS.find((each) => each === node.resource_type)
  if (!base || !kind) return undefined
  const config = objectOf(node.config)
  const materialized = textOf(config?.materialized)
  const title = textOf(node.alias) ?? textOf(node.identifier) ?? base.name
  const cataloged = catalogedOf({ ...base, kind }, reading)
  const result = reading.results.get(base.unique_id)
  const compiled = compiledSqlOf(node) ?? reading.compiled.get(base.unique_id)?.sql ?? null
  return {
    ...base,
    kind,
    relation: materialized === 'ephemeral' ? null : [textOf(node.database), textOf(node.schema), title].filter((part) => part !== null),
    columns: columnsOf(node, cataloged),
    relation_name: textOf(node.relation_name),
    cataloged: cataloged !== undefined,
    compiled,
    sql: compiled,
    row_count: statOf(cataloged, ROWS),
    byte_size: statOf(cataloged, BYTES),
    facts: given({
      ...base.facts,
      kind,
      materialized,
      language: node.language === 'sql' ? null : node.language,
      source: kind === 'source' ? textOf(node.source_name) : null,
      source_description: textOf(node.source_description)?.trim(),
      loader: textOf(node.loader),
      access: textOf(node.access) ?? textOf(config?.access),
      contract: objectOf(node.contract)?.enforced === true ? true : null,
      version: node.version ?? null,
      latest_version: node.latest_version ?? null,
      deprecation_date: textOf(node.deprecation_date),
      freshness: freshnessFacts(node, reading.freshness.get(base.unique_id)),
      run: result && runFacts(result),
    }),
  }
}

const catalogedOf = ({ kind, unique_id }: Pick<DbtTable, 'kind' | 'unique_id'>, { catalog }: Reading): Json | undefined =>
  objectOf(objectOf(kind === 'source' ? catalog?.sources : catalog?.nodes)?.[unique_id])

/** Without a description in the project, the comment of the warehouse is used. */
const withComment = (table: DbtTable, reading: Reading): DbtTable => {
  const comment = textOf(objectOf(catalogedOf(table, reading)?.metadata)?.comment)
  return table.description === null && comment ? { ...table, description: comment.trim() } : table
}

const runFacts = ({ status, executed_at, execution_time, rows_affected, message }: NodeResult): Json =>
  given({ status, executed_at, execution_time, rows_affected, message })

const freshnessOf = (sources: Json | undefined): Map<string, Json> =>
  new Map(
    listOf(sources?.results).flatMap((each) => {
      const result = objectOf(each)
      const unique_id = textOf(result?.unique_id)
      return result && unique_id ? [[unique_id, result] as const] : []
    }),
  )

const freshnessFacts = (node: Json, checked: Json | undefined): Json | undefined => {
  const wanted = objectOf(node.freshness)
  if (!wanted && !checked) return undefined
  const within = (name: string) => {
    const { count, period } = objectOf(wanted?.[name]) ?? {}
    return count && period ? `${count} ${period}` : null
  }
  return given({
    loaded_at_field: node.loaded_at_field,
    warn_after: within('warn_after'),
    error_after: within('error_after'),
    status: textOf(checked?.status)?.toLowerCase(),
    max_loaded_at: textOf(checked?.max_loaded_at),
    snapshotted_at: textOf(checked?.snapshotted_at),
  })
}

const ROWS = ['num_rows', 'row_count', 'rows'] // names used by BigQuery; Snowflake; Redshift, Spark and Databricks
const BYTES = ['num_bytes', 'bytes'] // Redshift's `size` is in megabytes and not used

const statOf = (cataloged: Json | undefined, names: readonly string[]): number | null => {
  const stats = objectOf(cataloged?.stats)
  return names.map((name) => Number(objectOf(stats?.[name])?.value ?? Number.NaN)).find((n) => Number.isSafeInteger(n) && n >= 0) ?? null
}

/** The columns of the warehouse in its order, with the project's descriptions; then those only the project lists. */
const columnsOf = (node: Json, cataloged: Json | undefined): DbtColumn[] => {
  const written = new Map(
    valuesOf(node.columns).flatMap((column) => (textOf(column.name) ? [[textOf(column.name)!.toLowerCase(), column]] : [])),
  )
  const found = valuesOf(cataloged?.columns)
    .filter(({ name }) => textOf(name))
    .sort((a, b) => (numberOf(a.index) ?? 0) - (numberOf(b.index) ?? 0))
  const keys = new Set(textsOf(node.primary_key).map((key) => key.toLowerCase()))
  const columnOf = (name: string, column: Json | undefined, there: Json | undefined): DbtColumn => ({
    name,
    type: textOf(there?.type) ?? textOf(column?.data_type),
    is_pk: keys.has(name.toLowerCase()),
    description: (textOf(column?.description) ?? textOf(there?.comment))?.trim() ?? null,
    tags: [...new Set([...textsOf(column?.tags), ...textsOf(objectOf(column?.config)?.tags)])],
  })
  const known = found.map((there) => {
    const key = textOf(there.name)!.toLowerCase()
    const column = written.get(key)
    written.delete(key)
    return columnOf(textOf(there.name)!, column, there)
  })
  return [...known, ...[...written.values()].map((column) => columnOf(textOf(column.name)!, column, undefined))]
}

const testOf = (node: Json, reading: Reading): DbtTest | undefined => {
  const base = nodeOf(node, reading)
  if (!base) return undefined
  const config = objectOf(node.config)
  const result = reading.results.get(base.unique_id)
  const { tests, column } = testedBy(node)
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
    facts: given({
      ...base.facts,
      test: textOf(objectOf(node.test_metadata)?.name) ?? (node.resource_type === 'unit_test' ? 'unit test' : 'sql'),
      column,
      severity: textOf(config?.severity)?.toLowerCase(),
    }),
  }
}
