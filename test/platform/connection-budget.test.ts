import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createRuntime } from '../../src/app/runtime.ts'
import { startServer } from '../../src/app/start.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import {
  type BudgetSettings,
  computeConnectionBudget,
  countEmbeddedConnections,
  fitPools,
  getPoolSizes,
} from '../../src/platform/config/connection-budget.ts'
import { findConnectionLimit, ServerLimitError } from '../../src/platform/db/server-limits.ts'
import { createTestApp } from '../support/test-app.ts'

const pools = { request: 10, background: 8, transfer: 4 }

test.each([
  ['all', {}, { request: 10, background: 8, transfer: 4 }],
  ['web', {}, { request: 10, background: 2, transfer: 4 }],
  ['worker', {}, { request: 1, background: 8, transfer: 4 }],
  ['all', { request: 30 }, { request: 30, background: 8, transfer: 4 }],
  ['web', { background: 20 }, { request: 10, background: 2, transfer: 4 }],
  ['web', { background: 1 }, { request: 10, background: 1, transfer: 4 }],
  ['worker', { request: 30, transfer: 1 }, { request: 1, background: 8, transfer: 1 }],
] as const)('pool sizes of role %s with %o', (role, requested, sizes) => {
  expect(getPoolSizes(role, requested)).toEqual(sizes)
})

test.each([
  // pools + control + queue
  ['all', 1, pools, 22 + 1 + 6],
  // pools + control
  ['web', 1, pools, 16 + 1],
  ['worker', 1, pools, 13 + 1 + 6],
  ['all', 4, pools, 29 + 3 * 17],
  ['web', 3, pools, 3 * 17],
  ['all', 1, { request: 2, background: 4, transfer: 1 }, 7 + 1 + 6],
  ['all', 2, { request: 50, background: 8, transfer: 4 }, 69 + 57],
] as const)('budget of role %s in %i processes', (role, processes, pools, connections) => {
  expect(computeConnectionBudget({ role, processes, pools, queue: 6 })).toBe(connections)
})

test.each([
  ['all', 1, [], 20, { request: 4, background: 6, transfer: 1 }, 19],
  ['all', 1, [], 25, { request: 7, background: 6, transfer: 3 }, 24],
  ['all', 1, [], 31, pools, 30],
  ['all', 1, ['request'], 20, { request: 10, background: 6, transfer: 1 }, 25],
  ['worker', 1, [], 20, { request: 10, background: 7, transfer: 3 }, 19],
  ['all', 2, [], 20, { request: 4, background: 6, transfer: 1 }, 27],
] as const)(
  'pool sizes of role %s in %i processes with %o set, within %i connections',
  (role, processes, poolsSet, limit, fitted, budget) => {
    const settings = { role, processes, pools, queue: 7, poolsSet, workers: { syncs: 2 } }
    expect(fitPools(settings, limit)).toEqual(fitted)
    expect(computeConnectionBudget({ ...settings, pools: fitted })).toBe(budget)
  },
)

test.each([
  [1, pools, 50],
  [4, pools, 29 + 3 * 17 + 10],
  [1, { ...pools, request: 100 }, 119 + 10],
] as const)('the embedded Postgres allows the connections of %i processes plus a reserve', (processes, pools, connections) => {
  const settings: BudgetSettings = { role: 'all', processes, pools, queue: 6 }
  expect(countEmbeddedConnections(settings)).toBe(connections)
  expect(countEmbeddedConnections(settings)).toBeGreaterThanOrEqual(computeConnectionBudget(settings) + 10)
})

test('a process opens no more connections than its budget', async () => {
  await using app = await createTestApp()
  const sizes = { request: 3, background: 2, transfer: 2 }
  await using runtime = createRuntime(app.url, { pools: sizes })
  await runtime.control.start()
  const busy = Object.values(runtime.databases).flatMap(({ db }) => Array.from({ length: 6 }, () => sql`select pg_sleep(0.3)`.execute(db)))
  await new Promise((resolve) => setTimeout(resolve, 200))
  const { rows } = await sql<{ application_name: string; n: number }>`
    select application_name, count(*)::int as n from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() group by 1 order by 1`.execute(app.db)
  await Promise.all(busy)
  const open = Object.fromEntries(rows.map(({ application_name, n }) => [application_name, n]))
  expect(open).toMatchObject({ 'tablinum background': 2, 'tablinum control': 1, 'tablinum transfer': 2 })
  const budget = computeConnectionBudget({ role: 'all', processes: 1, pools: sizes, queue: 0 })
  expect(rows.reduce((sum, { n }) => sum + n, 0)).toBeLessThanOrEqual(budget + 4) // plus those of the test itself
})

/** A role with a connection limit of its own. */
const withLimit = async (app: Awaited<ReturnType<typeof createTestApp>>, connections: number) => {
  const url = new URL(app.url)
  const name = url.pathname.slice(1)
  const role = `limited_${name.slice(-20)}`
  await sql.raw(`create role ${role} login connection limit ${connections}`).execute(app.db)
  url.username = role
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () => {
      await sql.raw(`drop owned by ${role}`).execute(app.db)
      await sql.raw(`drop role ${role}`).execute(app.db)
    },
  }
}

describe('a server that allows too few connections', () => {
  test('rejects the start and names both numbers', async () => {
    await using app = await createTestApp()
    await using role = await withLimit(app, 20)
    expect(await findConnectionLimit(role.url)).toBe(20)
    const config = readConfig({ DATABASE_URL: role.url, PORT: '0', LOG_LEVEL: 'silent' }, ['--processes', '2'])
    const rejected = startServer(config, () => {})
    await expect(rejected).rejects.toBeInstanceOf(ServerLimitError)
    await expect(rejected).rejects.toThrow(
      'Tablinum may open up to 47 database connections, but the server allows 20. Lower TABLINUM_POOL, TABLINUM_BACKGROUND_POOL, TABLINUM_TRANSFER_POOL or --processes, or raise max_connections.',
    )
  })

  test('also checks the limit of the database', async () => {
    await using app = await createTestApp()
    await sql.raw(`alter database ${new URL(app.url).pathname.slice(1)} connection limit 33`).execute(app.db)
    expect(await findConnectionLimit(app.url)).toBe(33)
  })

  test('returns the limits of superusers and other roles', async () => {
    await using app = await createTestApp()
    await using role = await withLimit(app, -1)
    expect(await findConnectionLimit(app.url)).toBe(200) // max_connections of the test server
    expect(await findConnectionLimit(role.url)).toBe(197) // three are reserved for superusers
  })
})
