import { type RawBuilder, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { eventually } from '../support/eventually.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** The database keeps parents and integrations of resources, whoever writes: with triggers, not foreign keys (decision 0052). */
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())
afterEach(async () => {
  const { rows } = await sql`
    select from resources r where (r.parent is not null and not exists (select from resources p where p.id = r.parent))
      or (r.integration is not null and not exists (select from integrations i where i.id = r.integration))
  `.execute(app.db)
  expect(rows).toEqual([])
})

type Statement = RawBuilder<unknown>
const VIOLATION = { code: '23503' }

const insertResource = (
  id: string,
  { parent = null, integration = null }: { parent?: string | null; integration?: string | null },
): Statement => sql`
  insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, parent, integration)
  values (${id}, now(), now(), 1, 'table', 'orders', 'Orders', 'orders', ${parent}, ${integration})`
const insertIntegration = (id: string): Statement =>
  sql`insert into integrations (id, name, type, created_at, updated_at) values (${id}, 'Shop', 'custom', now(), now())`

/** What a resource refers to. */
const REFERENCES = [
  {
    field: 'parent',
    add: (id: string) => insertResource(id, {}),
    remove: (id: string) => sql`delete from resources where id = ${id}`,
  },
  {
    field: 'integration',
    add: insertIntegration,
    remove: (id: string) => sql`delete from integrations where id = ${id}`,
  },
] as const

describe.each(REFERENCES)('the $field of a resource', ({ field, add, remove }) => {
  const insert = (target: string) => insertResource(newId(), { [field]: target })
  /** Another resource, and the statement that lets it refer to the target. */
  const prepareUpdate = async () => {
    const id = newId()
    await insertResource(id, {}).execute(app.db)
    return (target: string) => sql`update resources set ${sql.ref(field)} = ${target} where id = ${id}`
  }
  const addTarget = async () => {
    const id = newId()
    await add(id).execute(app.db)
    return id
  }

  test('exists', async () => {
    await expect(insert(newId()).execute(app.db)).rejects.toMatchObject(VIOLATION)
    await expect((await prepareUpdate())(newId()).execute(app.db)).rejects.toMatchObject(VIOLATION)
  })

  test('is not deleted before it', async () => {
    const target = await addTarget()
    await insert(target).execute(app.db)
    await expect(remove(target).execute(app.db)).rejects.toMatchObject(VIOLATION)
    await sql`delete from resources where ${sql.ref(field)} = ${target} or id = ${target}`.execute(app.db)
    await remove(target).execute(app.db)
  })

  test.each(['insert', 'update'])('is not deleted while an %s that uses it is open', async (kind) => {
    const [target, use] = [await addTarget(), kind === 'insert' ? insert : await prepareUpdate()]
    await expect(runWhileOpen(use(target), remove(target))).rejects.toMatchObject(VIOLATION)
  })

  test.each(['insert', 'update'])('is not used by an %s while it is being deleted', async (kind) => {
    const [target, use] = [await addTarget(), kind === 'insert' ? insert : await prepareUpdate()]
    await expect(runWhileOpen(remove(target), use(target))).rejects.toMatchObject(VIOLATION)
  })
})

/** Runs the second statement while the transaction of the first is open; it must wait until that is committed. */
const runWhileOpen = async (first: Statement, second: Statement): Promise<unknown> => {
  let waiting: Promise<unknown> | undefined
  await app.db.transaction().execute(async (db) => {
    await first.execute(db)
    waiting = second.execute(app.db)
    waiting.catch(() => {}) // awaited below
    await eventually(async () => expect(await countLockWaiters()).toBe(1))
  })
  return waiting
}

const countLockWaiters = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `.execute(app.db)
  return rows[0]!.n
}
