import { cellOf } from './cells.ts'
import type { Cell, Rows } from './connector.ts'

const MOST_CHARACTERS = 32 * 1024 * 1024

/** Collects rows up to the requested number, or to the memory limit. */
export class Taken {
  truncated = false
  readonly #rows: Cell[][] = []
  readonly #most: number
  #room = MOST_CHARACTERS

  constructor(most: number) {
    this.#most = most
  }

  /** False: the row was not added because a limit was reached. */
  take(row: readonly unknown[]): boolean {
    this.truncated ||= this.#rows.length >= this.#most || this.#room <= 0
    if (this.truncated) return false
    const cells = row.map(cellOf)
    for (const cell of cells) this.#room -= typeof cell === 'string' ? cell.length : 8
    this.#rows.push(cells)
    return true
  }

  rows(columns: Rows['columns']): Rows {
    return { columns, rows: this.#rows, truncated: this.truncated }
  }
}
