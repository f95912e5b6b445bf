import type { Cell, SourceRows } from './connector.ts'

/** Messages between this process and a driver process. */

export type DriverRequest =
  | { readonly id: number; readonly open: unknown }
  | { readonly id: number; readonly begin: string; readonly timeout_ms: number; readonly along?: unknown }
  | { readonly id: number; readonly more: number }
  | { readonly id: number; readonly end: true }
  | { readonly id: number; readonly close: true }

/** Some of the rows of the current statement. */
export interface DriverPage {
  readonly rows: readonly (readonly Cell[])[]
  readonly last: boolean
}
export type DriverColumns = SourceRows['columns']

/** `last`: the process is ending. */
export type DriverResponse =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string; readonly last?: true }
