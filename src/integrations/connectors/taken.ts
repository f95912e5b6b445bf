import { cellOf } from './cells.ts'
import type { Cell, Rows } from './connector.ts'

const MOST_CHARACTERS = 32 * 1024 * 1024

/** Takes rows until there are as many as were asked for, or more than a process should hold. */
export class Taken {
  truncated = false
  readonly #rows: Cell[][] = []
  readonly #most: number
  #room = MOST_CHARACTERS

  constructor(most: number) {
    this.#most = most
  }

  /** False: this one was left, and there is no room for more. */
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
