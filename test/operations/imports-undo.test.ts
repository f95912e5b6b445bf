import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { JOB_HANDLERS } from '../../src/app/tasks.ts'
import { deleteOldReportedValues } from '../../src/operations/imports/import-rows.ts'
import { UNDO_IMPORT_JOB } from '../../src/operations/imports/imports.ts'
import { previewImportUndo } from '../../src/operations/imports/preview-undo.ts'
import { newId } from '../../src/platform/core/id.ts'
import { type JobHandler, type ReportProgress, runJob } from '../../src/platform/jobs/run.ts'
import { findWrongLocations, findWrongVersions } from '../support/find-wrong-locations.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { CSV, exportLines, importLines, SHOP } from '../support/transfer.ts'

/** An import is one operation that can be undone as a whole. */

const listImports = async (app: TestApp, token = app.token) => (await app.call('GET', '/imports', { token })).body.results
const preview = async (app: TestApp, id: string, token = app.token) =>
  (await app.call('POST', `/imports/${id}/undo?dry_run=true`, { token })).body

/** Runs the undo as its job would, and returns the finished job. `before` is called before each report of its progress. */
const undo = async (
  app: TestApp,
  id: string,
  token = app.token,
  before: (job: string, progress: number) => Promise<unknown> = async () => {},
) => {
  const { status, body: job } = await app.call('POST', `/imports/${id}/undo`, { token })
  expect([status, job.status]).toEqual([202, 'PENDING'])
  const handler: JobHandler = (ctx, payload, report) => {
    const reportAfter: ReportProgress = async (progress, line) => {
      await before(job.id, progress)
      await report(progress, line)
    }
    return JOB_HANDLERS.get(UNDO_IMPORT_JOB)!(ctx, payload, reportAfter)
  }
  await runJob({ ...app.ctx, now: new Date() }, new Map([[UNDO_IMPORT_JOB, handler]]), job.id, { import_id: id }, true)
  return (await app.call('GET', `/background_jobs/${job.id}`)).body // as an admin: the caller may have lost access
}

const newestImport = async (app: TestApp, token = app.token) => (await listImports(app, token))[0]
const read = async (app: TestApp, id: string) => (await app.call('GET', `/resource/all/${id}`)).body
const edit = (app: TestApp, id: string, body: object) => app.call('PATCH', `/resource/all/${id}`, { body })
const idsByKey = async (app: TestApp, integration: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await exportLines(app, `&integration_id=${integration}&fields=id,databuilder_id`)).map(({ id, databuilder_id }) => [
      databuilder_id,
      id,
    ]),
  )

test('an import is listed with its file, and undone: created resources are in the trash, and changes are back', async () => {
  await using app = await createTestApp()
  const integration = newId()
  const editor = await app.createUser('editor')
  const [finance, sales] = await Promise.all(
    ['Finance', 'Sales'].map(async (name) => (await app.call('POST', '/tag', { body: { name } })).body.id),
  )
  const term = (await app.createResource({ entity_type: 'glossary', title: 'Revenue' })).id
  const property = (await app.call('POST', '/resource/all_v2/custom_properties/', { body: { name: 'Cost center', value_type: 'string' } }))
    .body
  await importLines(app, SHOP, { integration })
  const ids = await idsByKey(app, integration)
  const orders = ids['shop.public.orders']!
  await edit(app, orders, { tags: [finance], owners: [editor.id], description: 'Before.' })
  await app.call('PUT', `/resource/all_v2/custom_properties/${property.id}/${orders}`, { body: { value: '100' } })
  const before = await exportLines(app, '&property_columns=true')

  const { body: imported } = await importLines(
    app,
    [
      {
        databuilder_id: 'shop.public.orders',
        description: `After. ${'long '.repeat(500)}`,
        tags: [sales],
        owners: null,
        terms: [term],
        row_count: 12,
        'property:Cost center': '200',
      },
      { databuilder_id: 'shop.public.items', row_count: 8, parent_databuilder_id: 'shop.new', verified: true },
      { databuilder_id: 'shop.new', parent_databuilder_id: 'shop', entity_type: 'schema', title: 'new' },
      { databuilder_id: 'shop.new.t', parent_databuilder_id: 'shop.new', entity_type: 'table', title: 't', 'property:Cost center': '7' },
      { databuilder_id: 'shop.new.t.c', parent_databuilder_id: 'shop.new.t', entity_type: 'column', title: 'c' },
      { from_identifier: 'shop.public.items', to_identifier: 'shop.public.orders' },
      { from_identifier: 'shop.new.t', to_identifier: 'shop.public.orders' },
    ],
    { integration, token: editor.token, query: '?file_name=costs.jsonl' },
  )
  expect(imported).toMatchObject({ created: 3, updated: 2, lineage_created: 2 })
  const record = await newestImport(app, editor.token)
  expect(record).toMatchObject({
    user: editor.id,
    integration,
    file_name: 'costs.jsonl',
    format: 'jsonl',
    lines: 7,
    created: 3,
    updated: 2,
    lineage_created: 2,
    undone_at: null,
    undone: null,
  })

  const expected = { resources_restored: 2, resources_deleted: 3, lineage_deleted: 1, changes_kept: 0, kept: [] }
  const dry = await preview(app, record.id, editor.token)
  expect(dry).toMatchObject({ dry_run: true, complete: true, ...expected })
  expect(dry.restored.find(({ resource_id }: { resource_id: string }) => resource_id === orders).changes).toEqual(
    expect.arrayContaining([
      { field: 'tags', from: [sales], to: [finance] },
      { field: 'custom_property:Cost center', from: '200', to: '100' },
      { field: 'row_count', from: 12, to: null },
    ]),
  )
  expect(dry.restored.filter(({ change }: { change: string }) => change === 'deleted')).toMatchObject([{ title: 'new', changes: [] }])
  expect(await listImports(app)).toMatchObject([{ undone_at: null }, {}]) // a preview changes nothing

  expect(await undo(app, record.id, editor.token)).toMatchObject({
    status: 'COMPLETED',
    logs: expect.stringContaining('Undone: 2 resources restored, 3 resources moved to the trash, 1 lineage edge deleted, 0 changes kept.'),
  })
  const comparable = (rows: Record<string, unknown>[]) => rows.map(({ updated_at: _, version: __, ...row }) => row)
  expect(comparable(await exportLines(app, '&property_columns=true'))).toEqual(comparable(before))
  expect((await app.call('GET', `/lineage/graph?resource_id=${orders}&depth=3`)).body.edges).toHaveLength(1)
  expect((await app.call('GET', '/trash')).body.results).toMatchObject([{ title: 'new', resources_below: 2, deleted_by: editor.id }])
  expect(await newestImport(app, editor.token)).toMatchObject({
    undone_by: editor.id,
    undone_at: expect.any(String),
    undo_job: null,
    undone: { resources_restored: 2, resources_deleted: 3, lineage_deleted: 1, changes_kept: 0 },
  })
  expect(await findWrongLocations(app.db)).toEqual([])
  expect(await findWrongVersions(app.db)).toEqual([])

  // What was moved to the trash comes back with its property value and its lineage.
  const [{ id: schema }] = (await app.call('GET', '/trash')).body.results
  expect((await app.call('POST', `/resource/all/${schema}/restore`, { body: {} })).status).toBe(200)
  expect((await app.call('GET', `/lineage/graph?resource_id=${orders}&depth=3`)).body.edges).toHaveLength(2)
  expect((await app.call('POST', `/imports/${record.id}/undo`)).body).toMatchObject({ code: 'conflict' })

  const { body: log } = await app.call('GET', '/activity_log/audit_logs')
  const types = log.results.map(({ activity_type }: { activity_type: string }) => activity_type)
  expect(types.filter((type: string) => type.startsWith('import_'))).toEqual(['import_undone', 'import_completed', 'import_completed'])
})

test('what was changed since is kept and listed', async () => {
  await using app = await createTestApp()
  const integration = newId()
  await importLines(app, SHOP, { integration })
  const ids = await idsByKey(app, integration)
  const [orders, items] = [ids['shop.public.orders']!, ids['shop.public.items']!]
  await importLines(
    app,
    [
      { databuilder_id: 'shop.public.orders', description: 'Imported.', verified: true },
      { databuilder_id: 'shop.public.items', description: 'Imported.', row_count: 8 },
      { databuilder_id: 'shop.a', parent_databuilder_id: 'shop', entity_type: 'schema', title: 'a' },
      { databuilder_id: 'shop.a.kept', parent_databuilder_id: 'shop.a', entity_type: 'table', title: 'kept' },
      { databuilder_id: 'shop.a.gone', parent_databuilder_id: 'shop.a', entity_type: 'table', title: 'gone' },
      { databuilder_id: 'shop.b', parent_databuilder_id: 'shop', entity_type: 'schema', title: 'b' },
    ],
    { integration },
  )
  const { id } = await newestImport(app)
  const created = await idsByKey(app, integration)
  await edit(app, orders, { description: 'A person wrote this.' })
  await edit(app, created['shop.a.kept']!, { description: 'Someone needs it.' })
  await app.createResource({ entity_type: 'table', title: 'theirs', parent: created['shop.b'] })
  await importLines(app, [{ databuilder_id: 'shop.public.items', row_count: 9 }], { integration })

  const kept = [
    { title: 'orders', field: 'description', reason: 'changed', imported: 'Imported.', now: 'A person wrote this.' },
    { title: 'items', field: 'row_count', reason: 'changed', imported: 8, now: 9 },
    { title: 'a', field: null, reason: 'contains' },
    { title: 'kept', field: null, reason: 'used' },
    { title: 'b', field: null, reason: 'contains' },
  ]
  const dry = await preview(app, id)
  expect(dry).toMatchObject({ resources_restored: 2, resources_deleted: 1, changes_kept: 5 })
  expect(dry.kept).toEqual(expect.arrayContaining(kept.map((each) => expect.objectContaining(each))))
  const { status, logs } = await undo(app, id)
  expect(status).toBe('COMPLETED')
  expect(logs).toContain('Kept description of orders: it has been changed since.\n')
  expect(logs).toContain('Kept kept: it has been changed or used since.\n')
  expect(await read(app, orders)).toMatchObject({ description: 'A person wrote this.', verified: false })
  expect(await read(app, items)).toMatchObject({ description: null, row_count: 9 })
  expect(Object.keys(await idsByKey(app, integration))).toEqual(expect.arrayContaining(['shop.a', 'shop.a.kept', 'shop.b']))
  expect((await app.call('GET', '/trash')).body.results).toMatchObject([{ title: 'gone' }])

  const { results } = (await app.call('GET', '/activity_log/audit_logs/')).body
  const undone = results.find(({ activity_type }: { activity_type: string }) => activity_type === 'import_undone')
  expect(undone.event_blocks.at(-1).value).toBe('– 2 restored, 1 moved to the trash, 5 kept')

  // What was kept is named afterwards too, with the titles of now and without what the reader may not see.
  await edit(app, orders, { title: 'all orders' })
  const { body: details } = await app.call('GET', `/imports/${id}`)
  expect(details.undone).toEqual({ resources_restored: 2, resources_deleted: 1, lineage_deleted: dry.lineage_deleted, changes_kept: 5 })
  expect(details.kept).toHaveLength(5)
  expect(details.kept).toEqual(
    expect.arrayContaining([
      { resource_id: orders, title: 'all orders', entity_type: 'table', field: 'description', reason: 'changed' },
      expect.objectContaining({ title: 'kept', field: null, reason: 'used' }),
    ]),
  )
  const editor = await app.createUser('editor')
  await sql`update imports set user_id = ${editor.id} where id = ${id}`.execute(app.db)
  await edit(app, orders, { teams: [await app.createTeam(true)] })
  const { body: others } = await app.call('GET', `/imports/${id}`, { token: editor.token })
  expect(others.kept.map(({ title }: { title: string }) => title)).not.toContain('all orders')
  expect(others.kept.length).toBeGreaterThan(0)
  expect(others.undone.changes_kept).toBe(5)
})

test('what an import published is hidden again, unless something in it was published since', async () => {
  await using app = await createTestApp()
  const integration = newId()
  const lines = (schema: string) => [
    { databuilder_id: schema, parent_databuilder_id: 'shop', entity_type: 'schema', title: schema },
    { databuilder_id: `${schema}.t`, parent_databuilder_id: schema, entity_type: 'table', title: 't' },
    { databuilder_id: `${schema}.t.c`, parent_databuilder_id: `${schema}.t`, entity_type: 'column', title: 'c' },
    { databuilder_id: `${schema}.u`, parent_databuilder_id: schema, entity_type: 'table', title: 'u' },
  ]
  await importLines(app, [{ databuilder_id: 'shop', entity_type: 'database', title: 'shop' }, ...lines('a'), ...lines('b')], {
    integration,
  })
  const ids = await idsByKey(app, integration)
  await importLines(
    app,
    [
      { databuilder_id: 'a.t', published: true },
      { databuilder_id: 'b.t', published: true },
    ],
    { integration },
  )
  const { id } = await newestImport(app)
  await edit(app, ids['b.u']!, { published: true })
  expect(await preview(app, id)).toMatchObject({
    changes_kept: 2,
    kept: expect.arrayContaining([expect.objectContaining({ title: 'shop', reason: 'published' })]),
  })
  await undo(app, id)
  const published = Object.fromEntries(
    await Promise.all(Object.entries(ids).map(async ([key, id]) => [key, (await read(app, id)).published] as const)),
  )
  expect(published).toEqual({
    shop: true,
    a: false,
    'a.t': false,
    'a.t.c': false,
    'a.u': false,
    b: true,
    'b.t': false,
    'b.t.c': false,
    'b.u': true,
  })
})

test('its author or an admin may undo it, with the permissions of today', async () => {
  await using app = await createTestApp()
  const integration = newId()
  const [author, other, viewer] = [await app.createUser('editor'), await app.createUser('editor'), await app.createUser('viewer')]
  await importLines(app, SHOP, { integration, token: author.token })
  await importLines(app, [{ databuilder_id: 'shop.public.orders', description: 'Mine.' }], { integration, token: author.token })
  const { id } = await newestImport(app, author.token)
  expect(await listImports(app, other.token)).toEqual([])
  const asOther = { token: other.token }
  expect((await app.call('POST', `/imports/${id}/undo`, asOther)).status).toBe(404)
  expect((await app.call('GET', `/imports/${id}`, asOther)).status).toBe(404)
  expect((await app.call('GET', '/imports', { token: viewer.token })).status).toBe(403)

  // A table in a closed team by now is hidden from the author: it is kept, and its name is not returned.
  const team = await app.createTeam(true)
  const { 'shop.public.orders': orders } = await idsByKey(app, integration)
  await edit(app, orders!, { teams: [team] })
  expect(await preview(app, id, author.token)).toMatchObject({ resources_restored: 0, restored: [], kept: [] })
  await undo(app, id, author.token)
  expect(await read(app, orders!)).toMatchObject({ description: 'Mine.' })

  const [, first] = await listImports(app)
  const shown = await preview(app, first.id, author.token)
  expect(JSON.stringify(shown)).not.toContain('orders')
  expect(shown).toMatchObject({ changes_kept: 4 }) // the table, its column, and the schema and database that contain it
  await sql`update users set role = 'viewer' where id = ${author.id}`.execute(app.db)
  expect((await app.call('POST', `/imports/${first.id}/undo`, { token: author.token })).status).toBe(403)
  expect(await undo(app, first.id)).toMatchObject({ status: 'COMPLETED' })
})

test('an undo that was cancelled is continued by the next one, and its counts are those of both', async () => {
  await using app = await createTestApp()
  const integration = newId()
  const table = (key: string) => ({ databuilder_id: key, entity_type: 'table', title: key })
  await importLines(app, [table('old')], { integration })
  await importLines(app, [{ databuilder_id: 'old', description: 'Imported.' }, ...['t0', 't1', 't2'].map(table)], { integration })
  const { id } = await newestImport(app)
  const cancel = async (job: string) => expect((await app.call('POST', `/background_jobs/${job}/cancel`, { body: {} })).status).toBe(200)

  // After the first step, which restores the description.
  expect(await undo(app, id, app.token, cancel)).toMatchObject({ status: 'FAILED' })
  expect(await newestImport(app)).toMatchObject({ undone_at: null, undo_job: null, undone: null })
  expect(await exportLines(app, `&integration_id=${integration}&fields=title,description`)).toHaveLength(4)
  expect(await preview(app, id)).toMatchObject({ resources_restored: 0, resources_deleted: 3 })
  // When nothing is left to do.
  const cancelLate = async (job: string, progress: number) => progress === 99 && (await cancel(job))
  expect(await undo(app, id, app.token, cancelLate)).toMatchObject({ status: 'FAILED' })
  expect(await newestImport(app)).toMatchObject({ undone_at: null, undone: null })
  expect(await undo(app, id)).toMatchObject({
    status: 'COMPLETED',
    logs: expect.stringContaining('1 resource restored, 3 resources moved to the trash, 0 lineage edges deleted, 0 changes kept.'),
  })
  expect(await exportLines(app, `&integration_id=${integration}&fields=databuilder_id,description`)).toMatchObject([
    { databuilder_id: 'old', description: null },
  ])
  expect(await newestImport(app)).toMatchObject({ undone: { resources_restored: 1, resources_deleted: 3, changes_kept: 0 } })
})

test('two undos of an import that are requested at once are one', async () => {
  await using app = await createTestApp()
  await importLines(app, SHOP)
  const { id } = await newestImport(app)
  // Both wait for the row, so the second has begun before the first creates its job.
  let requests: ReturnType<TestApp['call']>[] = []
  await app.db.transaction().execute(async (db) => {
    await sql`select from imports where id = ${id} for update`.execute(db)
    requests = [1, 2].map(() => app.call('POST', `/imports/${id}/undo`))
    await expect
      .poll(async () => {
        const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
          app.db,
        )
        return rows.length
      })
      .toBe(2)
  })
  const responses = await Promise.all(requests)
  expect(responses.map(({ status }) => status).sort()).toEqual([202, 409])
  const started = responses.find(({ status }) => status === 202)!.body
  expect(await newestImport(app)).toMatchObject({ undo_job: started.id })
  const jobs = await app.db.selectFrom('background_jobs').select('id').where('kind', '=', UNDO_IMPORT_JOB).execute()
  expect(jobs).toEqual([{ id: started.id }])
})

test('an undo stops when its caller may no longer edit', async () => {
  await using app = await createTestApp()
  const integration = newId()
  const author = await app.createUser('editor')
  await importLines(app, SHOP, { integration })
  await importLines(
    app,
    [
      { databuilder_id: 'shop.public.orders', description: 'Imported.' },
      { databuilder_id: 'new', entity_type: 'table', title: 'new' },
    ],
    {
      integration,
      token: author.token,
    },
  )
  const { id } = await newestImport(app)
  const demote = () => sql`update users set role = 'viewer' where id = ${author.id}`.execute(app.db)
  expect(await undo(app, id, author.token, demote)).toMatchObject({
    status: 'FAILED',
    logs: expect.stringContaining('The person who started this undo may no longer edit the catalog.'),
  })
  const { new: created, 'shop.public.orders': orders } = await idsByKey(app, integration)
  expect(await read(app, orders!)).toMatchObject({ description: 'One row each.' }) // the step before
  expect(await read(app, created!)).toMatchObject({ title: 'new' })
  expect(await undo(app, id)).toMatchObject({ status: 'COMPLETED' })
})

test('the preview of a large import is bounded, and it can be undone all the same', async () => {
  await using app = await createTestApp()
  const integration = newId()
  const lines = (description: string) =>
    Array.from({ length: 2_100 }, (_, i) => ({ databuilder_id: `t${i}`, entity_type: 'table', title: `t${i}`, description }))
  await importLines(app, lines('Before.'), { integration })
  await importLines(app, lines('After.'), { integration })
  const { id } = await newestImport(app)
  const dry = await preview(app, id)
  expect(dry).toMatchObject({ complete: false, resources_restored: 2_000 })
  expect(dry.restored).toHaveLength(100)
  const ctx = { ...app.ctx, now: new Date() }
  const unlimited = { changes: 1_000_000, milliseconds: 60_000 }
  expect(await previewImportUndo(ctx, id, unlimited)).toMatchObject({ complete: true, resources_restored: 2_100 })
  expect(await previewImportUndo(ctx, id, { ...unlimited, milliseconds: 1 })).toMatchObject({ complete: false })
  await undo(app, id)
  expect((await newestImport(app)).undone).toMatchObject({ resources_restored: 2_100 })
})

test('fields of one entity type are restored, and the preview shows what they are now', async () => {
  await using app = await createTestApp()
  const integration = newId()
  const term = (synonyms: string[]) => [{ databuilder_id: 'revenue', entity_type: 'glossary', title: 'Revenue', synonyms }]
  await importLines(app, term(['turnover']), { integration })
  await importLines(app, term(['sales', 'income']), { integration })
  const { id } = await newestImport(app)
  const { revenue } = await idsByKey(app, integration)
  const [restored] = (await preview(app, id)).restored
  expect(restored.changes).toEqual([{ field: 'synonyms', from: ['sales', 'income'], to: ['turnover'] }])
  await undo(app, id)
  expect(await read(app, revenue!)).toMatchObject({ synonyms: ['turnover'] })
})

test('many created trees and edges are undone in batches, and one that changes meanwhile is kept', async () => {
  await using app = await createTestApp()
  const integration = newId()
  await importLines(app, SHOP, { integration })
  const keys = Array.from({ length: 130 }, (_, i) => `t${i}`)
  const tables = keys.flatMap((key) => [
    { databuilder_id: key, entity_type: 'table', title: key },
    { databuilder_id: `${key}.c`, parent_databuilder_id: key, entity_type: 'column', title: 'c' },
  ])
  await importLines(app, [...tables, { from_identifier: 'shop.public.items', to_identifier: 'shop.public.orders' }], { integration })
  const { id } = await newestImport(app)
  const { t129 } = await idsByKey(app, integration)
  const reported: number[] = []
  const editOnce = async (_: string, progress: number) => {
    if (reported.length === 0) await edit(app, t129!, { description: 'Needed.' })
    reported.push(Math.round(progress))
  }
  expect(await undo(app, id, app.token, editOnce)).toMatchObject({ status: 'COMPLETED' })
  expect(reported[0]).toBe(75) // 100 of 130 trees
  expect((await newestImport(app)).undone).toMatchObject({ resources_deleted: 258, lineage_deleted: 1, changes_kept: 2 })
  expect(await exportLines(app, `&integration_id=${integration}`)).toHaveLength(7)
  expect(await read(app, t129!)).toMatchObject({ description: 'Needed.' })
  expect(await findWrongVersions(app.db)).toEqual([])
})

test('dry runs and imports that change nothing are not listed; after 90 days an import cannot be undone', async () => {
  await using app = await createTestApp()
  const integration = newId()
  const file = 'databuilder_id,entity_type,title,row_count\na,table,a,5\n'
  const into = { integration, headers: CSV }
  await importLines(app, file, { ...into, query: '?dry_run=true' })
  expect(await listImports(app)).toEqual([])
  await importLines(app, file, into)
  await importLines(app, file, into)
  await importLines(app, file.replace('5', '6'), into)
  expect(await listImports(app)).toMatchObject([
    { format: 'csv', file_name: null, updated: 1 },
    { format: 'csv', created: 1 },
  ])
  const { id } = await newestImport(app)
  const countValues = async () => (await app.db.selectFrom('import_reported_values').selectAll().execute()).length
  expect(await countValues()).toBe(1)
  await deleteOldReportedValues(app.ctx)
  expect(await countValues()).toBe(1)
  await sql`update imports set imported_at = imported_at - interval '91 days' where id = ${id}`.execute(app.db)
  expect((await app.call('POST', `/imports/${id}/undo`)).body).toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('90 days'),
  })
  await deleteOldReportedValues(app.ctx)
  expect(await countValues()).toBe(0)
})

test('a value before that is no longer possible is not restored, and everything else is', async () => {
  await using app = await createTestApp()
  const integration = newId()
  await importLines(app, SHOP, { integration })
  const ids = await idsByKey(app, integration)
  const lines = [
    { databuilder_id: 'shop.other', parent_databuilder_id: 'shop', entity_type: 'schema', title: 'other' },
    { databuilder_id: 'shop.public.orders', parent_databuilder_id: 'shop.other', description: 'Moved.' },
    { databuilder_id: 'shop.public.items', parent_databuilder_id: 'shop.other' },
  ]
  await importLines(app, lines, { integration })
  const { id } = await newestImport(app)
  expect((await app.call('DELETE', `/resource/all/${ids['shop.public']}`)).status).toBe(204)
  await undo(app, id)
  expect(await read(app, ids['shop.public.orders']!)).toMatchObject({ description: 'One row each.', title_full: 'shop.other.orders' })
  expect((await newestImport(app)).undone).toMatchObject({ resources_deleted: 0, changes_kept: 3 })
})
