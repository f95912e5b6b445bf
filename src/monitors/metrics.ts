import type { Cell } from '../integrations/connectors/connector.ts'
import type { Words } from '../integrations/connectors/words.ts'

/** The SQL of metrics, and what the numbers it gives mean. Pure. Monitors of one table are folded into one statement: one scan for all. */
export interface Asked {
  readonly id: string
  readonly metric_type: string
  /** As the source calls it. */
  readonly column?: string
  readonly timestamp_column?: string
  readonly where?: string
  /** So many rows that different values are estimated where the source can: exact ones could cost more than they tell. */
  readonly large?: boolean
}

export type Outcome = { readonly value: number; readonly row_count?: number } | { readonly error: string }

export interface Statement {
  readonly sql: string
  /** What its one row says of each. */
  read(row: readonly Cell[]): Map<string, Outcome>
}

export const foldStatement = (words: Words, path: readonly string[], asked: readonly Asked[]): Statement => {
  const expressions: string[] = []
  const place = (expression: string): number => {
    const at = expressions.indexOf(expression)
    return at >= 0 ? at : expressions.push(expression) - 1
  }
  // What all of them want of the same rows is a condition of the statement: the source may know where those are, and leave the others.
  const [shared, ...others] = new Set(asked.map(({ where }) => where))
  const common = others.length === 0 ? shared : undefined
  const readers = asked.map(
    (each) => [each.id, readerOf(words, common === undefined ? each : { ...each, where: undefined }, place)] as const,
  )
  const where = common === undefined ? '' : ` where (${common})`
  return {
    sql: `select ${expressions.map((each, i) => `${each} as m${i}`).join(', ')} from ${words.table(path)}${where}`,
    read: (row) => new Map(readers.map(([id, read]) => [id, attempt(() => read(row))])),
  }
}

type Reader = (row: readonly Cell[]) => Outcome

const readerOf = (
  words: Words,
  { metric_type, column, timestamp_column, where, large }: Asked,
  place: (expression: string) => number,
): Reader => {
  const when = (expression: string) => (where === undefined ? expression : `case when (${where}) then ${expression} end`)
  // Only where it is asked for: the newest row alone may be found by an index, a count reads them all.
  const countRows = () => place(where === undefined ? 'count(*)' : `count(${when('1')})`)
  const name = column === undefined ? '' : words.quote(column)
  const different = () => (large ? words.approxDistinct(when(name)) : `count(distinct ${when(name)})`)
  const one = (what: string, expression: string): Reader => {
    const at = place(expression)
    return (row) => ({ value: numberIn(row[at], what) })
  }
  switch (metric_type) {
    case 'row_count': {
      const rows = countRows()
      return (row) => ({ value: countIn(row[rows]) })
    }
    case 'null_percentage': {
      const [rows, set] = [countRows(), place(`count(${when(name)})`)]
      return (row) => {
        const [total, filled] = [countIn(row[rows]), countIn(row[set])]
        return { value: total === 0 ? 0 : (100 * (total - filled)) / total, row_count: total } // of no rows, none is null
      }
    }
    case 'unique_percentage': {
      const [set, distinct] = [place(`count(${when(name)})`), place(different())]
      return (row) => {
        const [filled, values] = [countIn(row[set]), countIn(row[distinct])]
        return { value: filled === 0 ? 100 : Math.min(100, (100 * values) / filled), row_count: filled } // of no values, none is there twice
      }
    }
    case 'cardinality': {
      const values = place(different())
      return (row) => ({ value: countIn(row[values]) })
    }
    case 'min':
    case 'max':
      return one(`The ${metric_type === 'min' ? 'minimum' : 'maximum'}`, words.castToNumber(`${metric_type}(${when(name)})`))
    case 'mean':
      return one('The mean', words.castToNumber(`avg(${when(name)})`))
    case 'freshness': {
      const age = place(words.hoursSince(`max(${when(words.quote(timestamp_column ?? ''))})`))
      return (row) => ({ value: ageIn(numberIn(row[age], 'The time of the newest row')) })
    }
    default:
      throw new Error(`${metric_type} is not folded`)
  }
}

const CLOCKS_DIFFER_HOURS = 5 / 60

/** A newest row of tomorrow hides that nothing came today: that is no freshness. */
const ageIn = (hours: number): number => {
  if (hours < -CLOCKS_DIFFER_HOURS)
    throw new Error(
      `The newest row is dated ${(-hours).toLocaleString('en', { maximumFractionDigits: 1 })} hours in the future. Check the time zone and unit of its timestamps, or leave such rows out with a condition.`,
    )
  return Math.max(0, hours)
}

const attempt = (read: () => Outcome): Outcome => {
  try {
    return read()
  } catch (error) {
    return { error: (error as Error).message }
  }
}

/** Numbers that a double cannot hold come as text, and become the nearest double. No message repeats a value: it is read by more people than the table. */
const numberIn = (cell: Cell | undefined, what: string): number => {
  if (cell === null || cell === undefined) throw new Error(`${what} is not known: there are no rows with a value.`)
  const value = typeof cell === 'string' && cell.trim() !== '' ? Number(cell) : cell
  if (typeof value !== 'number' || Number.isNaN(value)) throw new Error(`${what} is no number.`)
  if (!Number.isFinite(value)) throw new Error(`${what} is infinite.`)
  return value
}

/** Of nothing, some count nothing and others say NULL. */
const countIn = (cell: Cell | undefined): number => (cell === null ? 0 : numberIn(cell, 'The count'))

/** What a SELECT of one's own gave: one row with one number. */
export const readCustom = (rows: readonly (readonly Cell[])[], truncated: boolean): Outcome =>
  attempt(() => {
    if (rows.length === 0) throw new Error('The query gave no row; one row with one number is wanted.')
    if (rows.length > 1 || truncated) throw new Error('The query gave more than one row; one row with one number is wanted.')
    const [row] = rows
    if (row!.length !== 1) throw new Error(`The query gave ${row!.length} columns; one row with one number is wanted.`)
    if (row![0] === null) throw new Error('The query gave NULL; a number is wanted.')
    return { value: numberIn(row![0], 'What the query gave') }
  })
