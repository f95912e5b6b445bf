import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '../src/id.ts'
import { runJob } from '../src/jobs/run.ts'
import { JOBS } from '../src/tasks.ts'
import { forgetOldLines } from '../src/transfer/store.ts'
import { aServer } from './faults/server.ts'
import { aHouse, type House } from './house.ts'
import { exported, jsonl, SHOP, send } from './transfer.ts'
import { wrongPlaces, wrongVersions } from './tree.ts'

const many = (n: number, more: object = {}) =>
  Array.from({ length: n }, (_, i) => ({
    databuilder_id: `t${i}`,
    title: `t${i}`,
    ...(i === 0 ? {} : { parent_databuilder_id: 't0' }),
    ...more,
  }))

const counted = async (house: House) => {
  const { rows } = await sql<Record<'resources' | 'activities' | 'lines', number>>`
    select (select count(*) from resources) as resources, (select count(*) from activities) as activities, (select count(*) from import_lines) as lines
  `.execute(house.db)
  return rows[0]!
}

test('imports into one integration run one at a time, in parallel with other imports and edits', async () => {
  await using house = await aHouse()
  await using other = await house.instance()
  const [one, two] = [newId(), newId()]
  const answers = await Promise.all([
    send(house, many(300, { description: 'a' }), { integration: one }),
    send(other, many(300, { description: 'b' }), { integration: one }),
    send(house, many(300), { integration: two }),
    send(other, many(300, { title: 'same for all' }), { integration: one }),
    house.call('POST', '/resource/catalog', { body: { title: 'by hand' } }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 201])
  const imports = answers.filter(({ body }) => 'created' in body).map(({ body }) => [body.created, body.updated + body.unchanged])
  expect(imports.filter(([created]) => created === 300)).toHaveLength(2)
  expect(imports.filter(([, rest]) => rest === 300)).toHaveLength(2)
  expect(await counted(house)).toMatchObject({ resources: 601, lines: 0 })
  expect(await wrongPlaces(house.db)).toEqual([])
  expect(await wrongVersions(house.db)).toEqual([])
})

test('two concurrent imports that rename the same resources do not deadlock', async () => {
  await using house = await aHouse()
  const [one, two] = [newId(), newId()]
  await Promise.all([send(house, many(50), { integration: one }), send(house, many(50), { integration: two })])
  const renamed = (integration: string) =>
    send(house, [...many(50).map((line) => ({ ...line, title: `${line.title} again` })), { databuilder_id: 'new', title: 'new' }], {
      integration,
    })
  expect((await Promise.all([renamed(one), renamed(two)])).map(({ body }) => [body.created, body.updated])).toEqual([
    [1, 50],
    [1, 50],
  ])
  expect(await wrongPlaces(house.db)).toEqual([])
})

test('a killed import leaves nothing in the catalog, and its staged lines are cleaned up', { timeout: 90_000 }, async () => {
  await using house = await aHouse()
  const before = await counted(house)
  const server = await aServer({ DATABASE_URL: house.url })
  const path = `${server.address}/api/v1/integration/integrations/${newId()}/import_jsonl_metadata/`
  const headers = { authorization: `Bearer ${house.token}`, 'content-type': 'application/x-ndjson' }
  const sending = fetch(path, { method: 'POST', headers, body: jsonl(many(20_000)) }).catch(() => undefined)
  for (let i = 0; i < 600; i += 1) {
    // The first rows are written, but not the last ones.
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and application_name = 'tablinum transfer' and query like '%insert into resources%'
    `.execute(house.db)
    if (rows.length > 0) break
    await sleep(25)
  }
  server.signal('SIGKILL')
  await sending
  await server.ended
  await sleep(500)
  const { lines, ...rest } = await counted(house)
  expect(rest).toEqual({ resources: before.resources, activities: before.activities })
  expect(lines).toBe(20_000)
  await forgetOldLines({ ...house.ctx, now: new Date(Date.now() + 23 * 3_600_000) })
  expect((await counted(house)).lines).toBe(20_000) // a job might still need them
  await forgetOldLines({ ...house.ctx, now: new Date(Date.now() + 25 * 3_600_000) })
  expect((await counted(house)).lines).toBe(0)
})

test('queues a background import immediately, even if all transfer connections are in use', async () => {
  await using house = await aHouse()
  const { pool, db } = house.ctx.runtime.databases.transfer
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const holding = Array.from({ length: pool.max }, () =>
    db.connection().execute(async (held) => {
      await sql`select 1`.execute(held)
      await released
    }),
  )
  try {
    await expect.poll(() => pool.counts()).toMatchObject({ open: pool.max, idle: 0 })
    const { status, body } = await send(house, SHOP, { integration: newId(), query: '?background=true' })
    expect([status, body.status]).toEqual([200, 'PENDING'])
  } finally {
    release()
    await Promise.all(holding)
  }
})

test('a background import runs as its user and reports the result', async () => {
  await using house = await aHouse()
  const editor = await house.someone('editor')
  const integration = newId()
  const asked = async (lines: readonly object[], query = '') => {
    const { status, body: job } = await send(house, lines, { integration, token: editor.token, query: `?background=true${query}` })
    expect([status, job.status]).toEqual([200, 'PENDING'])
    const { rows } = await sql<{ payload: { job_id: string; payload: unknown } }>`
      select payload from graphile_worker._private_jobs where payload ->> 'job_id' = ${job.id}
    `.execute(house.db)
    const payload = rows[0]!.payload.payload
    await runJob(house.ctx, JOBS, job.id, payload, false)
    const { body } = await house.call('GET', `/background_jobs/${job.id}`, { token: editor.token })
    return { ...body, payload }
  }
  const job = await asked(SHOP)
  expect(job).toMatchObject({
    status: 'COMPLETED',
    progress: 100,
    failed: false,
    user: editor.id,
    logs: expect.stringContaining('"created":5'),
  })
  const { body: log } = await house.call(
    'GET',
    '/activity_log/audit_logs/?filter={"operator":"exact","field":"activity_type","value":"resource_created"}',
  )
  expect(log.results.map((entry: { performer_id: string }) => entry.performer_id)).toEqual(Array(5).fill(editor.id))
  // The job finds an invalid reference and is not retried.
  const failed = await asked([{ databuilder_id: 'x', parent_databuilder_id: 'nobody' }])
  expect(failed).toMatchObject({
    status: 'FAILED',
    failed: true,
    logs: expect.stringContaining('line 1: parent_databuilder_id: This resource exists neither in the file'),
  })
  // An invalid line is rejected immediately.
  expect((await send(house, [{ title: 'no key' }], { integration, query: '?background=true' })).status).toBe(400)
  expect(await asked(SHOP, '&dry_run=true')).toMatchObject({ status: 'COMPLETED', logs: expect.stringContaining('"dry_run":true') })
  expect(await exported(house, `&integration_id=${integration}`)).toHaveLength(5)
})
