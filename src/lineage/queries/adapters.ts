import { findDialect } from '../../sql/index.ts'

/** dbt adapter names that differ from our dialect names. */
const ADAPTERS: Readonly<Record<string, string>> = { sqlserver: 'tsql', fabric: 'tsql', synapse: 'tsql', glue: 'spark' }

/** The SQL dialect a dbt adapter compiles to; `ansi` when unknown. */
export const dialectOfAdapter = (adapter: unknown): string => {
  if (typeof adapter !== 'string') return 'ansi'
  const name = Object.hasOwn(ADAPTERS, adapter) ? ADAPTERS[adapter]! : adapter
  return findDialect(name) ? name : 'ansi'
}
