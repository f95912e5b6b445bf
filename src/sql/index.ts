/** Reads SQL, knows nothing of ours: statements in, lineage out. */
export { type Analysis, analyse, type Options } from './analyse.ts'
export type { Shortfall } from './budget.ts'
export { dialectNames, findDialect } from './dialects.ts'
export type { Problem } from './problems.ts'
export type { ColumnPair, ColumnReference, Statement, TableReference, Unresolved } from './report.ts'
export type { Reason } from './scope.ts'
export type { StatementKind } from './statement.ts'
export type { ColumnsOf, Defaults } from './tables.ts'
