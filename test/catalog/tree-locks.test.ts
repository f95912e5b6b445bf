import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { finishPathUpdates } from '../../src/catalog/records/paths.ts'
import { createResource, createResources } from '../../src/catalog/resources/create.ts'
import { deleteTrees } from '../../src/catalog/resources/delete.ts'
import { editResources } from '../../src/catalog/resources/edit.ts'
import { importFile } from '../../src/operations/transfer/import.ts'
import { stageFile } from '../../src/operations/transfer/stage.ts'
import { type Context, inTransaction } from '../../src/platform/context/context.ts'
import { newId } from '../../src/platform/core/id.ts'
import { eventually } from '../support/eventually.ts'
import { findWrongLocations, findWrongVersions } from '../support/find-wrong-locations.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { importLines } from '../support/transfer.ts'

/**
 * Long transactions, such as imports, with concurrent renames, moves, deletes and creates. A blocked statement fails after three seconds.
 */
let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ requestTimeoutMs: 3_000 })
})
afterAll(() => app[Symbol.asyncDispose]())
afterEach(async () => {
  expect(await findWrongLocations(app.db)).toEqual([])
  expect(await findWrongVersions(app.db)).toEqual([])
  expect((await sql`select from parent_changes`.execute(app.db)).rows).toEqual([])
})

const edit = (id: string, body: object) => app.call('PATCH', `/resource/all/${id}`, { body })
const read = async (id: string) => (await app.call('GET', `/resource/all/${id}`)).body
const create = (body: object) => app.call('POST', '/resource/catalog', { body })

const createWarehouse = async () => {
  const createNode = async (entity_type: string, title: string, parent?: string) =>
    (await app.createResource({ entity_type, title, parent })).id
  const database = await createNode('database', 'shop')
  const schema = await createNode('schema', 'public', database)
  const table = await createNode('table', 'orders', schema)
  return { database, schema, table }
}

/** Runs `work` in a transaction and keeps it open while `meanwhile` runs. */
const withOpenTransaction = async <T>(work: (ctx: Context) => Promise<T>, meanwhile: (done: T) => Promise<void>): Promise<T> => {
  const [written, gate] = [Promise.withResolvers<T>(), Promise.withResolvers<void>()]
  const held = inTransaction(app.ctx, async (ctx) => {
    const done = await work(ctx)
    written.resolve(done)
    await gate.promise
    return done
  })
  held.catch(written.reject)
  await Promise.all([meanwhile(await written.promise)]).finally(gate.resolve)
  return held
}

test('an open create transaction blocks neither renames of its ancestors nor other creates', async () => {
  const { database, schema, table } = await createWarehouse()
  const other = await app.createResource({ entity_type: 'document', title: 'notes' })
  const late = await withOpenTransaction(
    async (ctx) => {
      const column = await createResource(ctx, { entity_type: 'column', title: 'late', parent: table })
      return [column, await createResource(ctx, { entity_type: 'column', title: 'part', parent: column.id })]
    },
    async () => {
      expect((await edit(table, { title: 'sales' })).status).toBe(200)
      expect((await edit(database, { title: 'market' })).status).toBe(200)
      expect((await edit(other.id, { title: 'renamed' })).status).toBe(200)
      expect((await create({ entity_type: 'column', title: 'sibling', parent: table })).status).toBe(201)
      expect((await create({ entity_type: 'document', title: 'elsewhere' })).status).toBe(201)
      expect((await read(table)).children_count).toBe(1)
    },
  )
  expect(await Promise.all(late.map(async ({ id }) => (await read(id)).title_full))).toEqual([
    'market.public.sales.late',
    'market.public.sales.late.part',
  ])
  expect(await read(table)).toMatchObject({ children_count: 2, title_full: 'market.public.sales' })
  expect((await read(schema)).children_count).toBe(1)
})

test('a long import blocks no rename, bulk edit or create', async () => {
  const integration = newId()
  const lines = [
    { databuilder_id: 'd', entity_type: 'database', title: 'shop' },
    { databuilder_id: 's', entity_type: 'schema', title: 'public', parent_databuilder_id: 'd' },
    { databuilder_id: 't', entity_type: 'table', title: 'orders', parent_databuilder_id: 's' },
  ]
  expect((await importLines(app, lines, { integration })).status).toBe(200)
  const find = async (key: string) =>
    (
      await app.db
        .selectFrom('resources')
        .select('id')
        .where('databuilder_id', '=', key)
        .where('integration', '=', integration)
        .executeTakeFirstOrThrow()
    ).id
  const [d, s, t] = [await find('d'), await find('s'), await find('t')]
  const other = await app.createResource({ title: 'other' })
  const more = [
    { databuilder_id: 't', description: 'Edited by the import.' },
    ...Array.from({ length: 3 }, (_, i) => ({
      databuilder_id: `c${i}`,
      entity_type: 'column',
      title: `c${i}`,
      parent_databuilder_id: 't',
    })),
    { databuilder_id: 't2', entity_type: 'table', title: 'items', parent_databuilder_id: 's' },
  ]
  const staged = await stageFile(
    app.ctx,
    (async function* () {
      for (const [i, fields] of more.entries()) yield { line: i + 1, fields }
    })(),
  )
  const [all, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const importing = importFile(
    app.ctx,
    { ...staged, integration_id: integration, dry_run: false },
    {
      step: async (done) => {
        if (done < more.length) return
        all.resolve()
        await gate.promise
      },
    },
  )
  importing.catch(all.reject)
  await all.promise
  try {
    expect((await edit(d, { title: 'market' })).body).toMatchObject({ title: 'market' })
    expect((await edit(s, { title: 'sales' })).body).toMatchObject({ title_full: 'market.sales' })
    const updates = [s, other.id].map((id) => ({ id, data: { description: 'bulk', title: id === s ? 'sold' : 'other' } }))
    expect((await app.call('POST', '/resource/all/bulk_update/', { body: updates })).status).toBe(200)
    for (const parent of [d, s, other.id, undefined]) expect((await create({ title: 'new', parent })).status).toBe(201)
  } finally {
    gate.resolve()
  }
  await importing
  // The import has locked the table, so a task was queued to update its path.
  const { rows: tasks } = await sql<{ payload: { id: string } }>`
    select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'update_paths'
  `.execute(app.db)
  for (const { payload } of tasks) await finishPathUpdates(app.ctx, payload)
  expect(await read(t)).toMatchObject({ title_full: 'market.sold.orders', description: 'Edited by the import.', children_count: 3 })
  expect((await read(await find('c1'))).title_full).toBe('market.sold.orders.c1')
  expect((await read(s)).children_count).toBe(3)
})

test('an edit with unchanged title and parent takes no tree lock', async () => {
  const { schema, table } = await createWarehouse()
  const other = await app.createResource({ title: 'elsewhere' })
  await withOpenTransaction(
    (ctx) => editResources(ctx, [{ id: other.id, data: { parent: schema } }]),
    async () => {
      expect((await edit(table, { title: 'orders', parent: schema, description: 'whole record sent back' })).status).toBe(200)
      expect((await edit(table, { title: 'renamed' })).status).toBe(200)
    },
  )
  expect((await read(other.id)).title_full).toBe('shop.public.elsewhere')
})

test('a move below a parent that is renamed concurrently gets the new path', async () => {
  const { schema, database } = await createWarehouse()
  const [moved, below] = await (async () => {
    const top = await app.createResource({ title: 'top' })
    return [top.id, (await app.createResource({ title: 'below', parent: top.id })).id]
  })()
  let runs = 0
  await withOpenTransaction(
    async (ctx) => {
      runs += 1
      await editResources(ctx, [{ id: moved, data: { parent: schema } }])
    },
    async () => expect((await edit(database, { title: 'market' })).status).toBe(200),
  )
  expect((await read(below)).title_full).toBe('market.public.top.below')
  expect(runs).toBe(2)
})

test('a column created while its table is unpublished is unpublished too', async () => {
  const { table } = await createWarehouse()
  await edit(table, { published: true })
  const { id } = await withOpenTransaction(
    (ctx) => createResource(ctx, { entity_type: 'column', title: 'secret', parent: table }),
    async () => expect((await edit(table, { published: false })).status).toBe(200),
  )
  expect((await read(id)).published).toBe(false)
})

test('rejects creating a resource below a parent that is being deleted', async () => {
  const { schema, table } = await createWarehouse()
  const responses = await Promise.all([
    app.call('DELETE', `/resource/all/${schema}`),
    ...Array.from({ length: 6 }, (_, i) => create({ entity_type: 'column', title: `c${i}`, parent: table })),
  ])
  expect(responses[0]!.status).toBe(204)
  for (const { status } of responses.slice(1)) expect([201, 400]).toContain(status)
  expect(
    await app.db
      .selectFrom('resources')
      .select('id')
      .where('title_full', 'like', 'shop.public.orders%')
      .where('parent', '=', table)
      .execute(),
  ).toEqual([])
})

test('a delete waits for a concurrent create below it and deletes that too', async () => {
  const { schema, table } = await createWarehouse()
  let deleting: Promise<{ status: number }> | undefined
  const created = await withOpenTransaction(
    (ctx) => createResources(ctx, [{ entity_type: 'column', title: 'late', parent: table }]),
    async () => {
      deleting = app.call('DELETE', `/resource/all/${schema}`)
      // The waiting delete does not block other creates below the same table.
      expect((await create({ entity_type: 'column', title: 'beside', parent: table })).status).toBe(201)
    },
  )
  expect((await deleting!).status).toBe(204)
  for (const id of [schema, table, created[0]!.id]) expect((await app.call('GET', `/resource/all/${id}`)).status).toBe(404)
})

test('rejects a delete with an explanation if a resource below is locked for long', async () => {
  await using shortTimeout = await app.createInstance({ requestTimeoutMs: 20_000 })
  const { schema, table } = await createWarehouse()
  await withOpenTransaction(
    (ctx) => createResources(ctx, [{ entity_type: 'column', title: 'late', parent: table }]),
    async () => {
      const response = await shortTimeout.call('DELETE', `/resource/all/${schema}`)
      expect(response).toMatchObject({ status: 409, body: { code: 'conflict' } })
      expect((await create({ entity_type: 'column', title: 'beside', parent: table })).status).toBe(201)
    },
  )
  expect((await read(table)).children_count).toBe(2)
})

test('merges type-specific fields if a resource occurs twice in one edit', async () => {
  const { id } = await app.createResource({ entity_type: 'question', title: 'Why?' })
  await editResources(app.ctx, [
    { id, data: {}, own: { question_priority: 'high' } },
    { id, data: { description: 'and more' } },
  ])
  expect(await read(id)).toMatchObject({ question_priority: 'high', description: 'and more' })
})

test('a commit reads each parent a fixed number of times', async () => {
  const SIZE = 400
  const { schema } = await createWarehouse()
  const tables = await createResources(
    app.ctx,
    Array.from({ length: SIZE }, (_, i) => ({ entity_type: 'table', title: `t${i}`, parent: schema })),
  )
  const columns = await createResources(
    app.ctx,
    tables.map(({ id }) => ({ entity_type: 'column', title: 'c', parent: id })),
  )
  const reads = await inTransaction(app.ctx, async (ctx) => {
    await deleteTrees(
      ctx,
      columns.map(({ id }) => id),
      newId(),
    )
    const before = await countIndexReads(ctx)
    await sql`set constraints all immediate`.execute(ctx.db) // as on commit
    return (await countIndexReads(ctx)) - before
  })
  expect(reads).toBeGreaterThan(SIZE)
  expect(reads).toBeLessThan(10 * SIZE)
})

const countIndexReads = async ({ db }: Context): Promise<number> => {
  const { rows } = await sql<{ reads: number }>`
    select pg_stat_get_xact_tuples_returned('parent_changes_pkey'::regclass) as reads
  `.execute(db)
  return rows[0]!.reads
}

test('a delete that waits for an import does not make the import fail', async () => {
  const { table } = await createWarehouse()
  let [deleting, attempts]: [Promise<{ status: number }> | undefined, number] = [undefined, 0]
  const [created] = await withOpenTransaction(
    (ctx) => {
      attempts += 1
      return createResources(ctx, [{ entity_type: 'column', title: 'late', parent: table }])
    },
    async () => {
      deleting = app.call('DELETE', `/resource/all/${table}`)
      await eventually(async () => expect(await countLockWaiters()).toBe(1))
      await sleep(1_200) // Postgres checks for deadlocks after one second; from now on the import would detect it
    },
  )
  expect((await deleting!).status).toBe(204)
  expect(attempts).toBe(1)
  expect((await app.call('GET', `/resource/all/${created!.id}`)).status).toBe(404)
})

const countLockWaiters = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `.execute(app.db)
  return rows[0]!.n
}
