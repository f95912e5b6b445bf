import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openLogFile } from '../../../src/sources/query-log/read-rows.ts'

const read = async (content: string | Buffer) => {
  const folder = await mkdtemp(join(tmpdir(), 'log-'))
  try {
    const path = join(folder, 'log')
    await writeFile(path, content)
    const { columns, rows } = await openLogFile(path)
    const found: string[] = []
    for await (const each of rows()) found.push(`${each.line}: ${'error' in each ? `(${each.error})` : Object.values(each.row).join('|')}`)
    return { columns, found }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const problemOf = (content: string | Buffer) => read(content).catch((error) => error.errors?.file?.[0])

const CSV = 'query,who\r\n"select a\r\nfrom t",ada\r\n\r\nselect 2 from t,etl\r\n'
const JSON_LINES = '{"query":"select 1 from t","who":"ada"}\r\n\r\n{"query":"select 2\\nfrom t","who":"etl"}\r\n'

test.each([
  ['CSV with a byte order mark, CRLF, a quoted newline and an empty line', `\uFEFF${CSV}`],
  ['the same, compressed', gzipSync(`\uFEFF${CSV}`)],
  ['the same in UTF-16', Buffer.from(`\uFEFF${CSV}`, 'utf16le')],
])('%s', async (_, content) => {
  expect(await read(content)).toEqual({ columns: ['query', 'who'], found: ['2: select a\r\nfrom t|ada', '5: select 2 from t|etl'] })
})

test.each([
  ['JSON lines with a byte order mark, CRLF and an empty line', `\uFEFF${JSON_LINES}`],
  ['the same, compressed', gzipSync(JSON_LINES)],
])('%s', async (_, content) => {
  expect(await read(content)).toEqual({ columns: ['query', 'who'], found: ['1: select 1 from t|ada', '3: select 2\nfrom t|etl'] })
})

test('broken rows are named with their line, and the others are read', async () => {
  const { found } = await read('query,who\nselect a, b from t,etl\nselect "x" from t,ada\n"select "y" from t",etl\nselect 3 from t,ada\n')
  expect(found).toEqual([
    '2: (the row has more columns than the header (an unquoted comma?))',
    '3: select "x" from t|ada',
    '4: select "y" from t|etl',
    '5: select 3 from t|ada',
  ])
  const broken = await read('{"query":"select 1"}\n{"query":\n7\n{"query":"select 2"}\n')
  expect(broken.found).toEqual(['1: select 1', '2: (the line is not valid JSON)', '3: (the line is no JSON object)', '4: select 2'])
})

test.each([
  ['CSV', Array.from({ length: 20_000 }, (_, i) => (i === 0 ? 'query,who' : `select ${i * 7919} from t${i},u${i}`)).join('\n')],
  ['JSON lines', Array.from({ length: 20_000 }, (_, i) => JSON.stringify({ query: `select ${i * 7919} from t${i}` })).join('\n')],
])('compressed %s that is cut off is read until there', async (_, text) => {
  const whole = gzipSync(text)
  const { found } = await read(whole.subarray(0, whole.length - 2000))
  expect(found.length).toBeGreaterThan(1000)
  expect(found.at(-1)).toMatch(/\(the compressed file is damaged from here on \(unexpected end of file\)\)$/)
})

test.each([
  ['is a JSON list. Write one object per line.', '[\n {"query": "select 1"}]'],
  ['is a ZIP archive. Unpack it, or compress the log with gzip.', Buffer.from('504b0304aabb', 'hex')],
  ['is compressed with zstd. Unpack it, or compress the log with gzip.', zstdCompressSync('a,b')],
  ['is a compressed Parquet file. Unpack it.', gzipSync('PAR1 …')],
  ['is text in UTF-16 (big endian). Save it as UTF-8.', Buffer.from('feff0061', 'hex')],
  ['is empty.', '\uFEFF\n'],
])('a file that %s', async (problem, content) => {
  expect(await problemOf(content)).toBe(problem)
})
