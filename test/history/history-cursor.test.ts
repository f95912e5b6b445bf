import { expect, test } from 'vitest'
import type { Context } from '../../src/platform/context/context.ts'
import { newId } from '../../src/platform/core/id.ts'
import { connect } from '../../src/platform/db/connect.ts'
import { recordActivity } from '../../src/platform/history/record.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Following the log with cursors, in commit order. */
const of = (title: string) => encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'resource_title', value: title }))
const readByCursor = (app: TestApp, cursor: string, query = '') =>
  app.call('GET', `/activity_log/audit_logs/?cursor=${encodeURIComponent(cursor)}${query}`)

/** Separate connections, so that open transactions do not use up those of the app. */
const openTestPool = (app: TestApp, poolSize: number) => {
  const { db, close } = connect(app.url, { poolSize })
  return { db, [Symbol.asyncDispose]: close }
}

/** A transaction that has written an entry and stays open until told to end. */
const openTransaction = async (ctx: Context, entry: { id: string; resource_id: string; resource_title: string }) => {
  const { promise: written, resolve: resolveWritten } = Promise.withResolvers<void>()
  const { promise: end, resolve: commit, reject: rollBack } = Promise.withResolvers<void>()
  const done = ctx.db.transaction().execute(async (db) => {
    await recordActivity({ ...ctx, db, in_transaction: true }, { activity_type: 'resource_noted', ...entry })
    resolveWritten()
    await end
  })
  await written
  return {
    commit: () => {
      commit()
      return done
    },
    rollBack: () => {
      rollBack(new Error('Rolled back.'))
      return done.catch(() => undefined)
    },
  }
}

const createRandom = (seed: number) => {
  let state = seed
  return (n: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

for (const seed of [1, 2, 3])
  test(`a follower of the log gets every entry once, whatever the order of commits (seed ${seed})`, async () => {
    await using app = await createTestApp()
    await using writers = openTestPool(app, 6)
    const below = createRandom(seed)
    const [title, resource_id] = ['followed', newId()]
    const open: { id: string; tx: Awaited<ReturnType<typeof openTransaction>> }[] = []
    const committed: string[] = []
    const logs = [
      { path: `/activity_log/audit_logs/?filter=${of(title)}`, visited: [] as string[], cursor: '' },
      { path: `/activity_log/resource_logs/?resource_id=${resource_id}`, visited: [] as string[], cursor: '' },
    ]
    const follow = async () => {
      for (const log of logs) {
        const { status, body } = await app.call('GET', `${log.path}&page_size=${1 + below(3)}&cursor=${encodeURIComponent(log.cursor)}`)
        expect(status).toBe(200)
        log.visited.push(...(body.results ?? body.non_versioned_logs).map(({ id }: { id: string }) => id))
        log.cursor = body.meta.follow_cursor
        expect(body.meta.next_cursor === null || body.meta.next_cursor === log.cursor).toBe(true)
      }
    }
    const end = async (i: number) => {
      const [{ id, tx }] = open.splice(i, 1) as [(typeof open)[number]]
      if (below(5) === 0) return tx.rollBack()
      await tx.commit()
      committed.push(id)
    }
    for (let step = 0; step < 60; step += 1) {
      const action = below(3)
      if (action === 0 && open.length < 5) {
        const id = newId()
        open.push({ id, tx: await openTransaction({ ...app.ctx, db: writers.db }, { id, resource_id, resource_title: title }) })
      } else if (action === 1 && open.length > 0) await end(below(open.length))
      else await follow()
    }
    while (open.length > 0) await end(open.length - 1)
    for (let i = 0; i < committed.length + 2; i += 1) await follow()
    expect(committed.length).toBeGreaterThan(5)
    for (const { visited } of logs) {
      expect(visited.length).toBe(committed.length)
      expect(new Set(visited)).toEqual(new Set(committed))
    }
  })

test('a long transaction blocks no others, and its entries come when it commits', async () => {
  await using app = await createTestApp()
  await using writers = openTestPool(app, 1)
  const slow = newId()
  const past = { ...app.ctx, db: writers.db, now: new Date(Date.now() - 600_000) }
  const { commit } = await openTransaction(past, { id: slow, resource_id: newId(), resource_title: 'import' })
  const start = (await readByCursor(app, 'now')).body
  expect(start).toMatchObject({ results: [], meta: { page: null, next_page: null, previous_page: 'None', next_cursor: null } })
  const { id } = await app.createResource({ title: 'orders' })
  const first = (await readByCursor(app, start.meta.follow_cursor)).body
  expect(first.results.map((entry: { resource_id: string }) => entry.resource_id)).toEqual([id])
  await commit()
  const second = (await readByCursor(app, first.meta.follow_cursor)).body
  expect(second.results.map((entry: { id: string }) => entry.id)).toEqual([slow])
  expect((await readByCursor(app, second.meta.follow_cursor)).body.results).toEqual([])
})

test('reading ends with next_cursor null after every entry; the same for the versions of a resource', async () => {
  await using app = await createTestApp()
  const { id } = await app.createResource({ title: 'orders' })
  for (const description of ['a', 'b', 'c', 'd']) await app.call('PATCH', `/resource/all/${id}`, { body: { description } })
  const versions: number[] = []
  let address: string | null = `/resource/all/${id}/versions?page_size=2&cursor=`
  for (let pages = 0; address !== null; pages += 1) {
    expect(pages).toBeLessThan(4)
    const { body } = await app.call('GET', address)
    versions.push(...body.results.map(({ version }: { version: number }) => version))
    expect(body).toMatchObject({ count: 5, total_pages: 3, links: { previous: null } })
    expect(body.links.next === null).toBe(body.meta.next_cursor === null)
    address = body.meta.next_cursor === null ? null : `/resource/all/${id}/versions?page_size=2&cursor=${body.meta.next_cursor}`
  }
  expect(versions).toEqual([1, 2, 3, 4, 5])
  const all = (await readByCursor(app, '', '&page_size=1000')).body
  expect(all.results).toHaveLength(all.count)
  const { body } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${id}&cursor=&page_size=3`)
  expect(body.version_histories.map(({ version }: { version: number }) => version)).toEqual([1, 2, 3])
  expect(body.meta).toMatchObject({ count: 5, total_pages: 2, next_cursor: expect.any(String) })
})

test('a cursor of another list, an invented position or another server is rejected', async () => {
  await using app = await createTestApp()
  const encodeCursor = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  const catalog = (await app.call('GET', '/resource/catalog?cursor=&page_size=1')).body.meta.next_cursor ?? encodeCursor(['title', 'a'])
  for (const cursor of [
    'x',
    catalog,
    encodeCursor(['log']),
    encodeCursor(['log', '9:3:']),
    encodeCursor(['log', '0:3:']),
    encodeCursor(['log', '3:9:12']),
    encodeCursor(['log', '3:9:7,5']),
    encodeCursor(['log', '3:9:;drop']),
    encodeCursor(['log', '3:9:', '3:9:', '4', 'no ID']),
    encodeCursor(['log', '900000000000000:900000000000000:']),
  ])
    expect(await readByCursor(app, cursor)).toMatchObject({ status: 400, body: { code: 'invalid_page' } })
  const sort = encodeURIComponent('{"field":"logged_at","order":"asc"}')
  expect(await readByCursor(app, '', `&sort=${sort}`)).toMatchObject({ status: 400, body: { code: 'invalid_sort' } })
})
