/** The SQL engine: statements in, lineage out. Independent of the rest of the application. */
export { type Analysis, analyse, type Options } from './analyse.ts'
export type { SqlProblem } from './problems.ts'
export type { IncompleteReason } from './relations/budget.ts'
export type { UnresolvedReason } from './relations/scope.ts'
export type { ColumnsOf, Defaults } from './relations/tables.ts'
export type { ColumnPair, ColumnReference, Statement, TableReference, Unresolved } from './report.ts'
export type { StatementKind } from './statements/statement.ts'
export { dialectNames, findDialect } from './text/dialects.ts'
