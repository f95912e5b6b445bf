import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { invalid, Refusal } from '../errors.ts'
import { dialectOfAdapter } from './adapters.ts'
import { bindTables } from './bind.ts'
import { compareQuery, type Proposal } from './what-if-sql.ts'

/** Compares the models of a dbt project with the catalog. Only the manifest fields named here are read. */

interface Model {
  readonly name: string
  /** Database, schema and table, as far as they are set. */
  readonly relation: readonly string[]
  readonly sql: string | undefined
}

const OLDEST = 1
const MOST_MODELS = 2_000
const LONGEST = 1024 * 1024

export const compareManifest = async (ctx: Context, manifest: Record<string, unknown>): Promise<Proposal> => {
  const dialect = dialectOf(manifest)
  const models = modelsOf(manifest)
  const binding = await bindTables(
    ctx,
    models.map(({ relation }) => relation),
    dialect,
    {},
  )
  const known = await findHashes(
    ctx,
    models.flatMap(({ relation }) => binding.of(relation).table?.id ?? []),
  )
  const parts: Proposal[] = []
  const notes: string[] = []
  const skip = (name: string, why: string) => notes.push(`${name}: ${why}`)
  for (const { name, relation, sql } of models) {
    const { table, reason } = binding.of(relation)
    if (!table)
      skip(name, reason === 'ambiguous' ? 'several tables in the catalog have this name.' : 'the table is not in the catalog yet.')
    else if (sql === undefined) skip(name, 'the model is not compiled. Run dbt compile first.')
    else if (sql.length > LONGEST) skip(name, 'the SQL is longer than 1 MB.')
    else if (known.get(table.id)?.has(hashOf(sql))) continue
    else if (parts.length === MOST_MODELS)
      skip(name, `skipped, only the first ${MOST_MODELS.toLocaleString('en')} changed models are compared.`)
    else
      try {
        parts.push(await compareQuery(ctx, { sql, dialect, table_id: table.id }))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
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

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The hashes of the queries that fill each table. */
const findHashes = async (ctx: Context, tables: readonly string[]): Promise<Map<string, Set<string>>> => {
  const { rows } = await sql<{ id: string; hashes: string[] }>`
    select e.downstream as id, array_agg(distinct encode(q.hash, 'hex')) as hashes
    from lineage_edges e join lineage_queries q on q.id = e.query where e.downstream = any(${tables}::uuid[]) group by e.downstream
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map(({ id, hashes }) => [id, new Set(hashes)]))
}

const dialectOf = ({ metadata }: Record<string, unknown>): string => {
  const { dbt_schema_version: version, adapter_type: adapter } = objectOf(metadata) ?? {}
  const number = Number(/\/manifest\/v(\d+)\.json$/.exec(String(version))?.[1])
  if (!(number >= OLDEST))
    throw invalid({ manifest: [`metadata.dbt_schema_version must be a manifest schema of version ${OLDEST} or later.`] })
  return dialectOfAdapter(adapter)
}

const modelsOf = ({ nodes }: Record<string, unknown>): Model[] => {
  const all = objectOf(nodes)
  if (!all) throw invalid({ manifest: ['nodes must be an object.'] })
  return Object.values(all).flatMap((each): Model[] => {
    const node = objectOf(each)
    if (!node || (node.resource_type !== 'model' && node.resource_type !== 'snapshot')) return []
    const title = textOf(node.alias) ?? textOf(node.name)
    // An ephemeral model is not a table: its SQL is inlined into the models that use it.
    if (!title || objectOf(node.config)?.materialized === 'ephemeral') return []
    const relation = [textOf(node.database), textOf(node.schema), title].filter((part) => part !== undefined)
    return [{ name: textOf(node.name) ?? title, relation, sql: textOf(node.compiled_code) ?? textOf(node.compiled_sql) }]
  })
}

const objectOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
