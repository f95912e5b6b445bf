import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { dialectOfAdapter } from '../queries/adapters.ts'
import { resolveTables } from '../queries/resolve-tables.ts'
import { isComparedNode, toObject } from './manifest-fields.ts'
import { compareQuery, type Proposal } from './what-if-sql.ts'

/** Compares the models of a dbt project with the catalog. Only the manifest fields named here are read. */

interface Model {
  readonly name: string
  /** Database, schema and table, as far as they are set. */
  readonly relation: readonly string[]
  readonly sql: string | undefined
}

const MIN_MANIFEST_VERSION = 1
const MAX_MODELS = 2_000
const MAX_SQL_LENGTH = 1024 * 1024

export const compareManifest = async (ctx: Context, manifest: Record<string, unknown>): Promise<Proposal> => {
  const dialect = getManifestDialect(manifest)
  const models = parseModels(manifest)
  const binding = await resolveTables(
    ctx,
    models.map(({ relation }) => relation),
    dialect,
    {},
  )
  const storedHashes = await findQueryHashes(
    ctx,
    models.flatMap(({ relation }) => binding.get(relation).table?.id ?? []),
  )
  const parts: Proposal[] = []
  const notes: string[] = []
  const skip = (name: string, why: string) => notes.push(`${name}: ${why}`)
  for (const { name, relation, sql } of models) {
    const { table, reason } = binding.get(relation)
    if (!table)
      skip(name, reason === 'ambiguous' ? 'several tables in the catalog have this name.' : 'the table is not in the catalog yet.')
    else if (sql === undefined) skip(name, 'the model is not compiled. Run dbt compile first.')
    else if (sql.length > MAX_SQL_LENGTH) skip(name, 'the SQL is longer than 1 MB.')
    else if (storedHashes.get(table.id)?.has(hashSql(sql))) continue
    else if (parts.length === MAX_MODELS)
      skip(name, `skipped, only the first ${MAX_MODELS.toLocaleString('en')} changed models are compared.`)
    else
      try {
        parts.push(await compareQuery(ctx, { sql, dialect, table_id: table.id }))
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        skip(name, error.message)
      }
  }
  return {
    changes: parts.flatMap(({ changes }) => changes),
    queries: parts.flatMap(({ queries }) => queries),
    unresolved: parts.flatMap(({ unresolved }) => unresolved),
    notes: [...notes, ...parts.flatMap((part) => part.notes)],
  }
}

const hashSql = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The hashes of the queries that fill each table. */
const findQueryHashes = async (ctx: Context, tables: readonly string[]): Promise<Map<string, Set<string>>> => {
  const { rows } = await sql<{ id: string; hashes: string[] }>`
    select e.downstream as id, array_agg(distinct encode(q.hash, 'hex')) as hashes
    from lineage_edges e join lineage_queries q on q.id = e.query where e.downstream = any(${tables}::uuid[]) group by e.downstream
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map(({ id, hashes }) => [id, new Set(hashes)]))
}

const getManifestDialect = ({ metadata }: Record<string, unknown>): string => {
  const { dbt_schema_version: version, adapter_type: adapter } = toObject(metadata) ?? {}
  const number = Number(/\/manifest\/v(\d+)\.json$/.exec(toText(version) ?? '')?.[1])
  if (!(number >= MIN_MANIFEST_VERSION))
    throw invalid({ manifest: [`metadata.dbt_schema_version must be a manifest schema of version ${MIN_MANIFEST_VERSION} or later.`] })
  return dialectOfAdapter(adapter)
}

/** The nodes are a list once the manifest has been reduced to what is read of it. */
const parseModels = ({ nodes }: Record<string, unknown>): Model[] => {
  const all = Array.isArray(nodes) ? nodes : toObject(nodes)
  if (!all) throw invalid({ manifest: ['nodes must be an object.'] })
  return Object.values(all).flatMap((each): Model[] => {
    const node = toObject(each)
    if (!node || !isComparedNode(node)) return []
    const title = toText(node.alias) ?? toText(node.name)
    // An ephemeral model is not a table: its SQL is inlined into the models that use it.
    if (!title || toObject(node.config)?.materialized === 'ephemeral') return []
    const relation = [toText(node.database), toText(node.schema), title].filter((part) => part !== undefined)
    return [{ name: toText(node.name) ?? title, relation, sql: toText(node.compiled_code) ?? toText(node.compiled_sql) }]
  })
}

const toText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
