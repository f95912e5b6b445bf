import type { Readable } from 'node:stream'
import { numberCell, textCell } from './cells.ts'
import type { Cell } from './connector.ts'

/** A tab-separated response: two header lines, then the rows, read on demand. */
export interface Table {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: AsyncGenerator<Cell[], void>
}

const LONGEST_LINE = 64 * 1024 * 1024

/** `over` is called when reading has ended. */
export const readTable = async (stream: Readable, over: () => void, told: (error: unknown) => Error): Promise<Table> => {
  const lines = linesOf(stream)
  const [names, types] = [(await lines.next()).value, (await lines.next()).value]
  if (names !== undefined && types === undefined) throw new Error('The response has an unsupported format. Remove FORMAT from the query.')
  const heads = names === undefined ? [] : split(names)
  const columns = heads.map((name, i) => ({ name: textCell(name ?? ''), type: split(types!)[i] ?? '' }))
  const read = columns.map(({ type }) => readerOf(type))
  const rows = async function* (): AsyncGenerator<Cell[], void> {
    try {
      for await (const line of lines) {
        const values = split(line)
        if (values.length !== columns.length) throw new Error('The response is incomplete or has an unsupported format.')
        yield values.map((value, i) => (value === null ? null : read[i]!(value)))
      }
    } catch (error) {
      throw told(error)
    } finally {
      over()
      stream.destroy()
    }
  }
  return { columns, rows: rows() }
}

async function* linesOf(stream: Readable): AsyncGenerator<string, void> {
  let parts: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, end)]).toString('utf8')
      parts = []
      size = 0
      from = end + 1
    }
    if (from === chunk.length) continue
    parts.push(chunk.subarray(from))
    size += chunk.length - from
    if (size > LONGEST_LINE) throw new Error('The response contains a value that is too long.')
  }
  if (parts.length > 0) yield Buffer.concat(parts).toString('utf8')
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', r: '\r', n: '\n', t: '\t', 0: '\0', a: '\x07', v: '\v' }

const split = (line: string): (string | null)[] =>
  line.split('\t').map((value) => (value === '\\N' ? null : value.replace(/\\([\s\S])/g, (_, mark: string) => ESCAPES[mark] ?? mark)))

/** The type without Nullable and LowCardinality. */
export const innerType = (type: string): string =>
  /^(?:Nullable|LowCardinality)\((.*)\)$/.exec(type)?.[1]?.replace(/^Nullable\((.*)\)$/, '$1') ?? type

const readerOf = (type: string): ((value: string) => Cell) => {
  const inner = innerType(type)
  if (inner === 'Bool') return (value) => value === 'true'
  return /^(?:U?Int\d+|Float\d+|BFloat16|Decimal)/.test(inner) ? numberCell : textCell
}
