import { toCell } from '../../../../connector/src/cells.ts'
import type { Cell, SourceRows } from './connector.ts'

export const MAX_CHARACTERS = 32 * 1024 * 1024

/** Collects rows up to the requested number, or to the memory limit. */
export class RowCollector {
  truncated = false
  readonly #rows: Cell[][] = []
  readonly #maxRows: number
  #remainingCharacters = MAX_CHARACTERS

  constructor(maxRows: number) {
    this.#maxRows = maxRows
  }

  /** False: the row was not added because a limit was reached. */
  add(row: readonly unknown[]): boolean {
    this.truncated ||= this.#rows.length >= this.#maxRows || this.#remainingCharacters <= 0
    if (this.truncated) return false
    const cells = row.map(toCell)
    for (const cell of cells) this.#remainingCharacters -= typeof cell === 'string' ? cell.length : 8
    this.#rows.push(cells)
    return true
  }

  toRows(columns: SourceRows['columns']): SourceRows {
    return { columns, rows: this.#rows, truncated: this.truncated }
  }
}
