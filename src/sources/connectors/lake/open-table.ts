import type { StoredTable } from '../stores/tables.ts'

/** A table whose files were listed: what they are called shows whether it has changed since it was last read. */
export interface OpenTable {
  readonly version: string | undefined
  read(): Promise<Omit<StoredTable, 'title' | 'parent'>>
}
