import type { Cell, Rows } from './connector.ts'

/** Messages between this process and a driver process. */

export type Request =
  | { readonly id: number; readonly open: unknown }
  | { readonly id: number; readonly begin: string; readonly timeout_ms: number; readonly along?: unknown }
  | { readonly id: number; readonly more: number }
  | { readonly id: number; readonly end: true }
  | { readonly id: number; readonly close: true }

/** Some of the rows of the current statement. */
export interface Page {
  readonly rows: readonly (readonly Cell[])[]
  readonly last: boolean
}
export type Columns = Rows['columns']

/** `last`: the process is ending. */
export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string; readonly last?: true }
