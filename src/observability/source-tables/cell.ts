import { Type } from 'typebox'

/** A cell of a row that was read from a source. */
export const Cell = Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] })

/** Texts of rows that are shown are cut to this length. */
export const MAX_CELL_LENGTH = 2_000

/** Stands for a value that was not read. */
export const MASK = '•••'
