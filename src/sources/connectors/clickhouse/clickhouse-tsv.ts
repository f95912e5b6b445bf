import type { Readable } from 'node:stream'
import { toNumberCell, toTextCell } from '../../../../connector/src/cells.ts'
import type { Cell } from '../../../../connector/src/protocol.ts'
import type { StartedStatement } from '../../../../connector/src/serve-session.ts'
import { getInnerType } from './clickhouse-types.ts'

const MAX_LINE_BYTES = 64 * 1024 * 1024
const BATCH_ROWS = 500

/** A tab-separated response: two header lines, then the rows, read on demand. */
export const parseTsv = async (stream: Readable, toError: (error: unknown) => Error): Promise<StartedStatement> => {
  const lines = readLines(stream)
  const [names, types] = [(await lines.next()).value, (await lines.next()).value]
  if (names !== undefined && types === undefined) throw new Error('The response has an unsupported format. Remove FORMAT from the query.')
  const heads = names === undefined ? [] : splitLine(names)
  const columns = heads.map((name, i) => ({ name: toTextCell(name ?? ''), type: splitLine(types!)[i] ?? '' }))
  const readers = columns.map(({ type }) => getCellReader(type))
  async function* readRows(): AsyncGenerator<Cell[][], void> {
    try {
      let batch: Cell[][] = []
      for await (const line of lines) {
        const values = splitLine(line)
        if (values.length !== columns.length) throw new Error('The response is incomplete or has an unsupported format.')
        batch.push(values.map((value, i) => (value === null ? null : readers[i]!(value))))
        if (batch.length < BATCH_ROWS) continue
        yield batch
        batch = []
      }
      yield batch
    } catch (error) {
      throw toError(error)
    } finally {
      stream.destroy()
    }
  }
  return { columns, rows: readRows() }
}

async function* readLines(stream: Readable): AsyncGenerator<string, void> {
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
    if (size > MAX_LINE_BYTES) throw new Error('The response contains a value that is too long.')
  }
  if (parts.length > 0) yield Buffer.concat(parts).toString('utf8')
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', r: '\r', n: '\n', t: '\t', 0: '\0', a: '\x07', v: '\v' }

const splitLine = (line: string): (string | null)[] =>
  line.split('\t').map((value) => (value === '\\N' ? null : value.replace(/\\([\s\S])/g, (_, mark: string) => ESCAPES[mark] ?? mark)))

const getCellReader = (type: string): ((value: string) => Cell) => {
  const inner = getInnerType(type)
  if (inner === 'Bool') return (value) => value === 'true'
  return /^(?:U?Int\d+|Float\d+|BFloat16|Decimal)/.test(inner) ? toNumberCell : (value) => value
}
