import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { XLSX_TYPE } from '../../src/operations/transfer/column.ts'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { exportLines, importLines, SHOP } from '../support/transfer.ts'
import { row, workbook } from './workbook.ts'

const XLSX = { 'content-type': XLSX_TYPE }

const importXlsx = (
  app: TestApp,
  file: Buffer,
  { integration = newId(), query = '', token }: { integration?: string; query?: string; token?: string } = {},
) =>
  app.call('POST', `/integration/integrations/${integration}/import_xlsx_metadata/${query}`, {
    headers: XLSX,
    body: file,
    ...(token ? { token } : {}),
  })

const exportXlsx = async (app: TestApp, query = ''): Promise<Buffer> => {
  const response = await app.fastify.inject({
    url: `/api/v1/resource/export?format=xlsx${query}`,
    headers: { authorization: `Bearer ${app.token}` },
  })
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, XLSX_TYPE])
  return response.rawPayload
}

/** The workbook with another unpacked size of its worksheet in the index. */
const withSize = (file: Buffer, size: number): Buffer => {
  const changed = Buffer.from(file)
  const entry = changed.lastIndexOf('xl/sheet.xml') - 46
  expect(changed.readUInt32LE(entry)).toBe(0x02014b50)
  changed.writeUInt32LE(size, entry + 24)
  return changed
}

test('an XLSX export is imported again without a difference', async () => {
  await using app = await createTestApp()
  const integration = newId()
  const texts = ['=1+1', "'quoted'", '', ' space ', 'two\nlines', 'cr\r\nlf', '\u0001\u0002', '_x0041_', '<&>', '😀', 'null']
  const lines = texts.map((description, i) => ({
    databuilder_id: `k${i}`,
    entity_type: 'table',
    title: `t${i}`,
    description,
    byte_size: 2 ** 52 + i,
    pii: i % 2 === 0,
  }))
  await importLines(app, [...SHOP, ...lines], { integration })
  const file = await exportXlsx(app, `&integration_id=${integration}`)
  expect((await importXlsx(app, file, { integration })).body).toMatchObject({ created: 0, updated: 0, unchanged: 16, ignored_fields: [] })
  const to = newId()
  expect((await importXlsx(app, file, { integration: to })).body).toMatchObject({ created: 16 })
  const read = async (of: string) =>
    (await exportLines(app, `&integration_id=${of}`))
      .map(({ id: _, parent: __, integration: ___, ...rest }) => rest)
      .sort((a, b) => (a.title < b.title ? -1 : 1))
  expect(await read(to)).toEqual(await read(integration))
  const zip = await fromBufferPromise(file, { lazyEntries: true })
  expect((await Array.fromAsync(zip.eachEntry())).map(({ fileName }) => fileName)).toContain('xl/worksheets/sheet1.xml')
})

test('a workbook of another program is read: the first visible worksheet, dates, numbers and custom properties', async () => {
  await using app = await createTestApp()
  const define = (name: string, value_type: string) =>
    app.call('POST', '/resource/all_v2/custom_properties/', { body: { name, value_type } })
  await define('Reviewed on', 'date')
  await define('Score', 'number')
  const file = await readFile(new URL('./openpyxl.xlsx', import.meta.url))
  const integration = newId()
  const dry = await importXlsx(app, file, { integration, query: '?dry_run=true' })
  expect(dry.body).toMatchObject({ dry_run: true, lines: 2, created: 2, differences: [{ line: 2 }, { line: 4, title: 'orders' }] })
  expect((await importXlsx(app, file, { integration })).body).toMatchObject({ created: 2, ignored_fields: [] })
  const [orders] = await exportLines(app, `&integration_id=${integration}&entity_type=table&property_columns=true`)
  expect(orders).toMatchObject({
    title: 'orders',
    description: 'Größe <1 & "mehr"\nzweite Zeile',
    row_count: 1234567,
    pii: true,
    'property:Reviewed on': '2026-01-31',
    'property:Score': '12.5',
  })
})

test('bad workbooks get a clear error and import nothing', async () => {
  await using app = await createTestApp()
  const viewer = await app.createUser('viewer')
  const header = row('databuilder_id', 'entity_type', 'title', 'description')
  const good = await workbook(header + row('a', 'table', 'a', 'x'))
  expect((await importXlsx(app, good, { token: viewer.token })).status).toBe(403)
  const strings = `<sst><si><t>${'x'.repeat(5_000_000)}</t></si></sst>`
  const many = Array.from({ length: 40 }, (_, i) => `<row><c t="inlineStr"><is><t>k${i}</t></is></c><c/><c/><c t="s"><v>0</v></c></row>`)
  const cases: [Buffer, number, string][] = [
    [Buffer.from('a,b\n1,2\n'), 400, 'is not an XLSX file'],
    [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 400, 'protected by a password'],
    [good.subarray(0, good.length - 30), 400, 'is not an XLSX file'],
    [await workbook('<row><c>'), 400, 'is not an XLSX file'],
    [await workbook('<row><c t="inlineStr"><is><t>&boom;</t></is></c></row>'), 400, 'is not an XLSX file'],
    [await workbook(''), 400, 'is empty'],
    [await workbook(header + row('a', 'table', 'a', 'x', 'y')), 400, 'has 5 cells, but the header has 4'],
    [await workbook(header + row('a', 'tabel', 'a', 'x')), 400, 'line 2: entity_type'],
    [await workbook(header + row('a', 'table', 'a', 'x'.repeat(32_767))), 400, 'the rest may be missing'],
    // One text that many cells share.
    [await workbook(header + many.join(''), { 'xl/strings.xml': strings }), 413, 'too large'],
    // The reader trusts the sizes in the index of the archive, and stops where a part is longer.
    [withSize(good, 300 * 1024 * 1024), 413, 'too large'],
    [withSize(good, 20), 400, 'is not an XLSX file'],
  ]
  for (const [file, status, problem] of cases) {
    const { body, status: got } = await importXlsx(app, file)
    expect([got, body.detail], problem).toEqual([status, expect.stringContaining(problem)])
  }
  expect((await app.call('GET', '/resource/catalog')).body.count).toBe(0)
  expect((await app.db.selectFrom('import_lines').select('line').execute()).length).toBe(0)
})
