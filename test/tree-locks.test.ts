import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Context, inTransaction } from '../src/context.ts'
import { newId } from '../src/id.ts'
import { createResource, createResources } from '../src/resources/create.ts'
import { editResources } from '../src/resources/edit.ts'
import { finishPaths } from '../src/resources/paths.ts'
import { removeTrees } from '../src/resources/remove.ts'
import { importFile } from '../src/transfer/import.ts'
import { stageFile } from '../src/transfer/stage.ts'
import { aHouse, type House } from './house.ts'
import { send } from './transfer.ts'
import { wrongPlaces, wrongVersions } from './tree.ts'

/**
 * Long transactions, such as imports, with concurrent renames, moves, deletes and creates. A blocked statement fails after three seconds.
 */
let house: House
beforeAll(async () => {
  house = await aHouse({ requestTimeoutMs: 3_000 })
})
afterAll(() => house[Symbol.asyncDispose]())
afterEach(async () => {
  expect(await wrongPlaces(house.db)).toEqual([])
  expect(await wrongVersions(house.db)).toEqual([])
  expect((await sql`select from parent_changes`.execute(house.db)).rows).toEqual([])
})

const edit = (id: string, body: object) => house.call('PATCH', `/resource/all/${id}`, { body })
const read = async (id: string) => (await house.call('GET', `/resource/all/${id}`)).body
const create = (body: object) => house.call('POST', '/resource/catalog', { body })

const aWarehouse = async () => {
  const place = async (entity_type: string, title: string, parent?: string) => (await house.resource({ entity_type, title, parent })).id
  const database = await place('database', 'shop')
  const schema = await place('schema', 'public', database)
  const table = await place('table', 'orders', schema)
  return { database, schema, table }
}

/** Runs `work` in a transaction and keeps it open while `meanwhile` runs. */
const heldOpen = async <T>(work: (ctx: Context) => Promise<T>, meanwhile: (done: T) => Promise<void>): Promise<T> => {
  const [written, gate] = [Promise.withResolvers<T>(), Promise.withResolvers<void>()]
  const held = inTransaction(house.ctx, async (ctx) => {
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
  const { database, schema, table } = await aWarehouse()
  const other = await house.resource({ entity_type: 'document', title: 'notes' })
  const late = await heldOpen(
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
  expect((await send(house, lines, { integration })).status).toBe(200)
  const find = async (key: string) =>
    (
      await house.db
        .selectFrom('resources')
        .select('id')
        .where('databuilder_id', '=', key)
        .where('integration', '=', integration)
        .executeTakeFirstOrThrow()
    ).id
  const [d, s, t] = [await find('d'), await find('s'), await find('t')]
  const other = await house.resource({ title: 'other' })
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
    house.db,
    (async function* () {
      for (const [i, fields] of more.entries()) yield { line: i + 1, fields }
    })(),
  )
  const [all, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const importing = importFile(
    house.ctx,
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
    expect((await house.call('POST', '/resource/all/bulk_update/', { body: updates })).status).toBe(200)
    for (const parent of [d, s, other.id, undefined]) expect((await create({ title: 'new', parent })).status).toBe(201)
  } finally {
    gate.resolve()
  }
  await importing
  // The import has locked the table, so a task was queued to update its path.
  const { rows: tasks } = await sql<{ payload: { id: string } }>`
    select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'update_paths'
  `.execute(house.db)
  for (const { payload } of tasks) await finishPaths(house.ctx, payload)
  expect(await read(t)).toMatchObject({ title_full: 'market.sold.orders', description: 'Edited by the import.', children_count: 3 })
  expect((await read(await find('c1'))).title_full).toBe('market.sold.orders.c1')
  expect((await read(s)).children_count).toBe(3)
})

test('an edit with unchanged title and parent takes no tree lock', async () => {
  const { schema, table } = await aWarehouse()
  const other = await house.resource({ title: 'elsewhere' })
  await heldOpen(
    (ctx) => editResources(ctx, [{ id: other.id, data: { parent: schema } }]),
    async () => {
      expect((await edit(table, { title: 'orders', parent: schema, description: 'whole record sent back' })).status).toBe(200)
      expect((await edit(table, { title: 'renamed' })).status).toBe(200)
    },
  )
  expect((await read(other.id)).title_full).toBe('shop.public.elsewhere')
})

test('a move below a parent that is renamed concurrently gets the new path', async () => {
  const { schema, database } = await aWarehouse()
  const [moved, below] = await (async () => {
    const top = await house.resource({ title: 'top' })
    return [top.id, (await house.resource({ title: 'below', parent: top.id })).id]
  })()
  let runs = 0
  await heldOpen(
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
  const { table } = await aWarehouse()
  await edit(table, { published: true })
  const { id } = await heldOpen(
    (ctx) => createResource(ctx, { entity_type: 'column', title: 'secret', parent: table }),
    async () => expect((await edit(table, { published: false })).status).toBe(200),
  )
  expect((await read(id)).published).toBe(false)
})

test('rejects creating a resource below a parent that is being deleted', async () => {
  const { schema, table } = await aWarehouse()
  const answers = await Promise.all([
    house.call('DELETE', `/resource/all/${schema}`),
    ...Array.from({ length: 6 }, (_, i) => create({ entity_type: 'column', title: `c${i}`, parent: table })),
  ])
  expect(answers[0]!.status).toBe(204)
  for (const { status } of answers.slice(1)) expect([201, 400]).toContain(status)
  expect(
    await house.db
      .selectFrom('resources')
      .select('id')
      .where('title_full', 'like', 'shop.public.orders%')
      .where('parent', '=', table)
      .execute(),
  ).toEqual([])
})

test('a delete waits for a concurrent create below it and deletes that too', async () => {
  const { schema, table } = await aWarehouse()
  let deleting: Promise<{ status: number }> | undefined
  const born = await heldOpen(
    (ctx) => createResources(ctx, [{ entity_type: 'column', title: 'late', parent: table }]),
    async () => {
      deleting = house.call('DELETE', `/resource/all/${schema}`)
      // The waiting delete does not block other creates below the same table.
      expect((await create({ entity_type: 'column', title: 'beside', parent: table })).status).toBe(201)
    },
  )
  expect((await deleting!).status).toBe(204)
  for (const id of [schema, table, born[0]!.id]) expect((await house.call('GET', `/resource/all/${id}`)).status).toBe(404)
})

test('rejects a delete with an explanation if a resource below is locked for long', async () => {
  await using hurried = await house.instance({ requestTimeoutMs: 20_000 })
  const { schema, table } = await aWarehouse()
  await heldOpen(
    (ctx) => createResources(ctx, [{ entity_type: 'column', title: 'late', parent: table }]),
    async () => {
      const answer = await hurried.call('DELETE', `/resource/all/${schema}`)
      expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
      expect((await create({ entity_type: 'column', title: 'beside', parent: table })).status).toBe(201)
    },
  )
  expect((await read(table)).children_count).toBe(2)
})

test('merges type-specific fields if a resource occurs twice in one edit', async () => {
  const { id } = await house.resource({ entity_type: 'question', title: 'Why?' })
  await editResources(house.ctx, [
    { id, data: {}, own: { question_priority: 'high' } },
    { id, data: { description: 'and more' } },
  ])
  expect(await read(id)).toMatchObject({ question_priority: 'high', description: 'and more' })
})

test('a commit reads each parent a fixed number of times', async () => {
  const SIZE = 400
  const { schema } = await aWarehouse()
  const tables = await createResources(
    house.ctx,
    Array.from({ length: SIZE }, (_, i) => ({ entity_type: 'table', title: `t${i}`, parent: schema })),
  )
  const columns = await createResources(
    house.ctx,
    tables.map(({ id }) => ({ entity_type: 'column', title: 'c', parent: id })),
  )
  const reads = await inTransaction(house.ctx, async (ctx) => {
    await removeTrees(
      ctx,
      columns.map(({ id }) => id),
      newId(),
    )
    const before = await indexReads(ctx)
    await sql`set constraints all immediate`.execute(ctx.db) // as on commit
    return (await indexReads(ctx)) - before
  })
  expect(reads).toBeGreaterThan(SIZE)
  expect(reads).toBeLessThan(10 * SIZE)
})

const indexReads = async ({ db }: Context): Promise<number> => {
  const { rows } = await sql<{ reads: number }>`
    select pg_stat_get_xact_tuples_returned('parent_changes_pkey'::regclass) as reads
  `.execute(db)
  return rows[0]!.reads
}

test('a delete that waits for an import does not make the import fail', async () => {
  const { table } = await aWarehouse()
  let [deleting, attempts]: [Promise<{ status: number }> | undefined, number] = [undefined, 0]
  const [born] = await heldOpen(
    (ctx) => {
      attempts += 1
      return createResources(ctx, [{ entity_type: 'column', title: 'late', parent: table }])
    },
    async () => {
      deleting = house.call('DELETE', `/resource/all/${table}`)
      await vi.waitFor(async () => expect(await waitingForLocks()).toBe(1), { timeout: 2_000, interval: 20 })
      await sleep(1_200) // Postgres checks for deadlocks after one second; from now on the import would detect it
    },
  )
  expect((await deleting!).status).toBe(204)
  expect(attempts).toBe(1)
  expect((await house.call('GET', `/resource/all/${born!.id}`)).status).toBe(404)
})

const waitingForLocks = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `.execute(house.db)
  return rows[0]!.n
}
