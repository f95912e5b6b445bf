import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Resource } from '../../src/catalog/records/schema.ts'
import { getResourceAsOf } from '../../src/catalog/versions/as-of.ts'
import { compareVersions, getVersionRecord } from '../../src/catalog/versions/versions.ts'
import { countQueries } from '../lists/count-queries.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Storage and read cost of versions of long documents. */
const SIZE = 20_000
/** Random, so that it does not compress. */
const createText = (n: number) => `${n} ${randomBytes(SIZE / 2).toString('hex')}`
const make = async (app: TestApp, body: object): Promise<Resource> => (await app.call('POST', '/resource/catalog', { body })).body
const edit = async (app: TestApp, id: string, body: object): Promise<Resource> =>
  (await app.call('PATCH', `/resource/all/${id}`, { body })).body

/** A document saved this many times; version `n` has text `n`. */
const createTestDocument = async (app: TestApp, saves: number) => {
  const texts = ['', ...Array.from({ length: saves }, (_, i) => createText(i + 1))]
  const { id } = await make(app, { title: 'handbook', entity_type: 'document', definition: texts[1] })
  for (const definition of texts.slice(2)) await edit(app, id, { definition })
  return { id, texts }
}

test('reading one version reads one text, however many versions there are', async () => {
  await using app = await createTestApp()
  const { id, texts } = await createTestDocument(app, 85)
  const costOf = async <T>(read: (ctx: TestApp['ctx']) => Promise<T>) => {
    const { ctx, count } = countQueries(app.ctx)
    return { record: await read(ctx), bytes: count.bytes }
  }
  for (const n of [1, 2, 9, 10, 11, 44, 79, 80, 84, 85]) {
    const { record, bytes } = await costOf((ctx) => getVersionRecord(ctx, id, n))
    expect(record).toMatchObject({ version: n, definition: texts[n], definition_version: n })
    // The current record, the text of this version, and the beginnings in at most ten entries.
    expect(bytes).toBeLessThan(4 * SIZE)
  }
  const compared = await costOf((ctx) => compareVersions(ctx, id, 3, 84))
  expect(compared.record).toEqual([{ field: 'definition', from: texts[3], to: texts[84] }])
  expect(compared.bytes).toBeLessThan(8 * SIZE)
  const { body } = await app.call('GET', `/resource/all/${id}/versions?page_size=1&page=2`)
  const past = await costOf((ctx) => getResourceAsOf({ ...ctx, now: new Date(Date.now() + 1000) }, id, body.results[0].created_at))
  expect(past.bytes).toBeLessThan(4 * SIZE)
})

test('a text shared by two versions is stored once', async () => {
  await using app = await createTestApp()
  const { id, texts } = await createTestDocument(app, 10)
  await edit(app, id, { definition: texts[3] })
  const { rows } = await sql<{ texts: number; bytes: number; entries: number }>`
    select count(*) as texts, sum(octet_length(text)) as bytes, (select sum(octet_length(changes::text)) from activities where resource_id = ${id}) as entries
    from history_texts where resource_id = ${id}
  `.execute(app.db)
  expect(rows[0]).toMatchObject({ texts: 10, bytes: texts.join('').length })
  expect(rows[0]!.entries).toBeLessThan(11 * 2000)
})

test('lists of versions contain full texts up to 4 MB and mark the shortened ones after that', async () => {
  await using app = await createTestApp()
  const big = (n: number) => `${n} ${'ä'.repeat(490_000)}` // nearly a megabyte
  const { id } = await make(app, { title: 'handbook', entity_type: 'document', definition: big(1) })
  for (let n = 2; n <= 7; n += 1) await edit(app, id, { definition: big(n) })
  for (const path of [`/resource/all/${id}/versions`, `/activity_log/resource_logs?resource_id=${id}`]) {
    const { body, text } = await app.call('GET', path)
    const items = (body.results ?? body.version_histories) as { version: number; changes: object[] }[]
    expect(text.length).toBeLessThan(5_000_000)
    expect(items[0]).toMatchObject({ version: 7 })
    expect(items[0]!.changes).toEqual([{ field: 'definition', from: big(6), to: big(7) }])
    expect(items[5]!.changes).toEqual([{ field: 'definition', from: big(1).slice(0, 500), to: big(2).slice(0, 500), shortened: true }])
  }
})

test('versions from before texts were stored separately are still readable', async () => {
  await using app = await createTestApp()
  const { id, texts } = await createTestDocument(app, 25)
  const before = (await app.call('GET', `/resource/all/${id}/versions`)).body.results
  // The format of those entries: full texts in the changes, no snapshots.
  await sql`
    update activities a set snapshot = null, changes = (
      select jsonb_agg((c - 'from_text' - 'to_text')
        || case when c ? 'from_text' then jsonb_build_object('from', (select text from history_texts t where t.resource_id = a.resource_id and t.hash = c ->> 'from_text')) else '{}' end
        || case when c ? 'to_text' then jsonb_build_object('to', (select text from history_texts t where t.resource_id = a.resource_id and t.hash = c ->> 'to_text')) else '{}' end)
      from jsonb_array_elements(a.changes) c)
    where a.resource_id = ${id}
  `.execute(app.db)
  await sql`delete from history_texts`.execute(app.db)
  expect((await app.call('GET', `/resource/all/${id}/versions`)).body.results).toEqual(before)
  const next = createText(26)
  await edit(app, id, { definition: next })
  for (const n of [1, 20, 24, 25]) expect((await app.call('GET', `/resource/all/${id}/versions/${n}`)).body.definition).toBe(texts[n])
  expect((await app.call('GET', `/resource/all/${id}/versions/compare?from=25&to=26`)).body).toEqual([
    { field: 'definition', from: texts[25], to: next },
  ])
})

test('a restored document has its text, and an export contains the full texts', async () => {
  await using app = await createTestApp()
  const { id, texts } = await createTestDocument(app, 22)
  await app.call('DELETE', `/resource/all/${id}`)
  expect((await app.call('GET', `/resource/all/${id}/versions/23`)).body.definition).toBe(texts[22])
  const { body } = await app.call('POST', `/resource/all/${id}/restore`, { body: { version: 7 } })
  expect(body).toMatchObject({ version: 24, definition: texts[7] })
  expect((await app.call('GET', `/resource/all/${id}/versions/24`)).body).toEqual(body)
  const filter = encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'resource_id', value: id }))
  const { text } = await app.call('GET', `/activity_log/export?format=jsonl&fields=version,changes&filter=${filter}`)
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { version: number; changes: object[] })
  expect(lines.find(({ version }) => version === 9)!.changes).toEqual([{ field: 'definition', from: texts[8], to: texts[9] }])
})
