import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { JOB_HANDLERS } from '../../src/app/tasks.ts'
import { deleteOldImportLines } from '../../src/operations/transfer/import-line-rows.ts'
import { newId } from '../../src/platform/core/id.ts'
import { runJob } from '../../src/platform/jobs/run.ts'
import { startTestServer } from '../faults/server.ts'
import { eventually } from '../support/eventually.ts'
import { findWrongLocations, findWrongVersions } from '../support/find-wrong-locations.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { exportLines, importLines, jsonl, SHOP } from '../support/transfer.ts'

const createLines = (n: number, more: object = {}) =>
  Array.from({ length: n }, (_, i) => ({
    databuilder_id: `t${i}`,
    title: `t${i}`,
    ...(i === 0 ? {} : { parent_databuilder_id: 't0' }),
    ...more,
  }))

const countRows = async (app: TestApp) => {
  const { rows } = await sql<Record<'resources' | 'activities' | 'lines', number>>`
    select (select count(*) from resources) as resources, (select count(*) from activities) as activities, (select count(*) from import_lines) as lines
  `.execute(app.db)
  return rows[0]!
}

test('imports into one integration run one at a time, in parallel with other imports and edits', async () => {
  await using app = await createTestApp()
  await using other = await app.createInstance()
  const [one, two] = [newId(), newId()]
  const responses = await Promise.all([
    importLines(app, createLines(300, { description: 'a' }), { integration: one }),
    importLines(other, createLines(300, { description: 'b' }), { integration: one }),
    importLines(app, createLines(300), { integration: two }),
    importLines(other, createLines(300, { title: 'same for all' }), { integration: one }),
    app.call('POST', '/resource/catalog', { body: { title: 'by hand' } }),
  ])
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 201])
  const imports = responses.filter(({ body }) => 'created' in body).map(({ body }) => [body.created, body.updated + body.unchanged])
  expect(imports.filter(([created]) => created === 300)).toHaveLength(2)
  expect(imports.filter(([, rest]) => rest === 300)).toHaveLength(2)
  expect(await countRows(app)).toMatchObject({ resources: 601, lines: 0 })
  expect(await findWrongLocations(app.db)).toEqual([])
  expect(await findWrongVersions(app.db)).toEqual([])
})

test('two concurrent imports that rename the same resources do not deadlock', async () => {
  await using app = await createTestApp()
  const [one, two] = [newId(), newId()]
  await Promise.all([importLines(app, createLines(50), { integration: one }), importLines(app, createLines(50), { integration: two })])
  const renamed = (integration: string) =>
    importLines(
      app,
      [...createLines(50).map((line) => ({ ...line, title: `${line.title} again` })), { databuilder_id: 'new', title: 'new' }],
      {
        integration,
      },
    )
  expect((await Promise.all([renamed(one), renamed(two)])).map(({ body }) => [body.created, body.updated])).toEqual([
    [1, 50],
    [1, 50],
  ])
  expect(await findWrongLocations(app.db)).toEqual([])
})

test('a killed import leaves nothing in the catalog, and its staged lines are cleaned up', async () => {
  await using app = await createTestApp()
  const before = await countRows(app)
  const server = await startTestServer({ DATABASE_URL: app.url })
  const path = `${server.address}/api/v1/integration/integrations/${newId()}/import_jsonl_metadata/`
  const headers = { authorization: `Bearer ${app.token}`, 'content-type': 'application/x-ndjson' }
  const sending = fetch(path, { method: 'POST', headers, body: jsonl(createLines(20_000)) }).catch(() => undefined)
  // The first resources are written, and their activities wait.
  const countImporting = async (condition: RawBuilder<unknown>) => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'tablinum transfer' and ${condition}
    `.execute(app.db)
    return rows[0]!.n
  }
  await app.db.transaction().execute(async (db) => {
    await sql`lock table activities in exclusive mode`.execute(db)
    await eventually(async () => expect(await countImporting(sql`wait_event_type = 'Lock'`)).toBeGreaterThan(0))
    server.signal('SIGKILL')
    await sending
    await server.ended
  })
  await eventually(async () => expect(await countImporting(sql`true`)).toBe(0))
  const { lines, ...rest } = await countRows(app)
  expect(rest).toEqual({ resources: before.resources, activities: before.activities })
  expect(lines).toBe(20_000)
  await deleteOldImportLines({ ...app.ctx, now: new Date(Date.now() + 23 * 3_600_000) })
  expect((await countRows(app)).lines).toBe(20_000) // a job might still need them
  await deleteOldImportLines({ ...app.ctx, now: new Date(Date.now() + 25 * 3_600_000) })
  expect((await countRows(app)).lines).toBe(0)
})

test('queues a background import immediately, even if all transfer connections are in use', async () => {
  await using app = await createTestApp()
  const { pool, db } = app.ctx.runtime.databases.transfer
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const holding = Array.from({ length: pool.max }, () =>
    db.connection().execute(async (held) => {
      await sql`select 1`.execute(held)
      await released
    }),
  )
  try {
    await expect.poll(() => pool.counts()).toMatchObject({ open: pool.max, idle: 0 })
    const { status, body } = await importLines(app, SHOP, { integration: newId(), query: '?background=true' })
    expect([status, body.status]).toEqual([200, 'PENDING'])
  } finally {
    release()
    await Promise.all(holding)
  }
})

test('a background import runs as its user and reports the result', async () => {
  await using app = await createTestApp()
  const editor = await app.createUser('editor')
  const integration = newId()
  const startImport = async (lines: readonly object[], query = '') => {
    const { status, body: job } = await importLines(app, lines, { integration, token: editor.token, query: `?background=true${query}` })
    expect([status, job.status]).toEqual([200, 'PENDING'])
    const { rows } = await sql<{ payload: { job_id: string; payload: unknown } }>`
      select payload from graphile_worker._private_jobs where payload ->> 'job_id' = ${job.id}
    `.execute(app.db)
    const payload = rows[0]!.payload.payload
    await runJob(app.ctx, JOB_HANDLERS, job.id, payload, false)
    const { body } = await app.call('GET', `/background_jobs/${job.id}`, { token: editor.token })
    return { ...body, payload }
  }
  const job = await startImport(SHOP)
  expect(job).toMatchObject({
    status: 'COMPLETED',
    progress: 100,
    failed: false,
    user: editor.id,
    logs: expect.stringContaining('"created":5'),
  })
  const { body: log } = await app.call(
    'GET',
    '/activity_log/audit_logs/?filter={"operator":"exact","field":"activity_type","value":"resource_created"}',
  )
  expect(log.results.map((entry: { performer_id: string }) => entry.performer_id)).toEqual(Array(5).fill(editor.id))
  // The job finds an invalid reference and is not retried.
  const failed = await startImport([{ databuilder_id: 'x', parent_databuilder_id: 'nobody' }])
  expect(failed).toMatchObject({
    status: 'FAILED',
    failed: true,
    logs: expect.stringContaining('line 1: parent_databuilder_id: This resource exists neither in the file'),
  })
  // An invalid line is rejected immediately.
  expect((await importLines(app, [{ title: 'no key' }], { integration, query: '?background=true' })).status).toBe(400)
  expect(await startImport(SHOP, '&dry_run=true')).toMatchObject({ status: 'COMPLETED', logs: expect.stringContaining('"dry_run":true') })
  expect(await exportLines(app, `&integration_id=${integration}`)).toHaveLength(5)
})
