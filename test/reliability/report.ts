import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'

/** Whole numbers from the command line: `--kills 50`. */
export const readNumbers = <N extends string>(defaults: Readonly<Record<N, number>>): Record<N, number> => readOptions(defaults, []).numbers

/** Whole numbers, and texts without a default: `--state FILE`. */
export const readOptions = <N extends string, T extends string>(defaults: Readonly<Record<N, number>>, texts: readonly T[]) => {
  const names = [...Object.keys(defaults), ...texts]
  const { values } = parseArgs({ options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])), strict: true })
  const numbers = Object.entries<number>(defaults).map(([name, value]) => {
    const given = values[name] === undefined ? value : Number(values[name])
    if (!Number.isInteger(given) || given < 1) throw new Error(`--${name} must be a whole number above 0.`)
    return [name, given]
  })
  return {
    numbers: Object.fromEntries(numbers) as Record<N, number>,
    texts: Object.fromEntries(texts.map((name) => [name, values[name]])) as Partial<Record<T, string>>,
  }
}

export type Row = Readonly<Record<string, string | number>>

/** Prints the rows as a Markdown table, with the day and the machine. */
export const printReport = (title: string, rows: readonly Row[]): void => {
  const columns = Object.keys(rows[0] ?? {})
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  const machine = `${cpus().length} cores (${process.arch}), ${Math.round(totalmem() / 1024 ** 3)} GB, Node ${process.versions.node}`
  console.log(`\n${title}\n${new Date().toISOString().slice(0, 16)}Z, ${machine}\n`)
  if (rows.length === 0) {
    console.log('Nothing was complete.')
    return
  }
  console.log(
    [line(columns), line(columns.map(() => '---')), ...rows.map((row) => line(columns.map((name) => row[name] ?? '')))].join('\n'),
  )
}

/** For the title of a report. */
export const noteOf = (interrupt: AbortSignal): string => (interrupt.aborted ? ', interrupted' : '')

/** Prints how far a run is, twenty times in all. */
export const printProgress = (before: number, done: number, all: number): void => {
  const toStep = (n: number) => Math.floor((n / all) * 20)
  if (toStep(done) > toStep(before))
    console.error(`${new Date().toISOString().slice(11, 19)}Z ${done.toLocaleString('en')} of ${all.toLocaleString('en')}`)
}

/** The value below which this share of the sorted values is. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!

export const formatMs = (ms: number): string => `${Math.round(ms)} ms`
