import { findDialect } from '../sql/index.ts'

/** What dbt calls a database, where we say otherwise. */
const ADAPTERS: Readonly<Record<string, string>> = { sqlserver: 'tsql', fabric: 'tsql', synapse: 'tsql', glue: 'spark' }

/** The dialect of what a dbt adapter compiles to. */
export const dialectOfAdapter = (adapter: unknown): string => {
  const name = ADAPTERS[String(adapter)] ?? String(adapter)
  return findDialect(name) ? name : 'ansi'
}
