import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../src/config.ts'
import { Reader } from '../src/lineage/engine.ts'
import { nameKey } from '../src/lineage/read-sql.ts'
import { start } from '../src/start.ts'
import { aHouse, type House } from './house.ts'

const aWorker = async (house: House, env: NodeJS.ProcessEnv) => {
  const config = readConfig({ DATABASE_URL: house.url, PORT: '0', LOG_LEVEL: 'silent', TABLINUM_SECRET_KEY: 'a key for tests', ...env }, [
    '--role',
    'worker',
  ])
  const running = await start(config, () => {})
  return { ...running, [Symbol.asyncDispose]: () => running.stop() }
}

test('a worker with a metrics port serves health checks and metrics there, and nothing of the API', async () => {
  await using house = await aHouse()
  await using worker = await aWorker(house, { TABLINUM_METRICS_PORT: '0', TABLINUM_METRICS_TOKEN: 'a_token_for_metrics' })
  const ask = (path: string, token?: string) =>
    fetch(`${worker.metricsAddress}${path}`, { headers: token ? { authorization: `Bearer ${token}` } : {} })
  expect(worker.address).toBeUndefined()
  for (const path of ['/healthcheck', '/readycheck']) expect(await (await ask(path)).json()).toEqual({ status: 'OK' })
  expect([(await ask('/metrics')).status, (await ask('/metrics', house.token)).status]).toEqual([401, 401])
  const metrics = await (await ask('/metrics', 'a_token_for_metrics')).text()
  expect(metrics).toMatch(/^tablinum_process_resident_memory_bytes \d+$/m)
  expect(metrics).toMatch(/^tablinum_clock_skew_seconds -?[\d.e-]+$/m) // only set by a process that runs the scheduler
  expect(metrics).toContain('tablinum_pool_connections{pool="background",state="max"} 8')
  const api = await ask('/api/v1/user/me', house.token)
  expect([api.status, await api.json()]).toMatchObject([404, { code: 'not_found' }])
})

test('a worker without a metrics port does not listen', async () => {
  await using house = await aHouse()
  await using worker = await aWorker(house, {})
  expect([worker.address, worker.metricsAddress]).toEqual([undefined, undefined])
})

test('rejects an invalid metrics port', () => {
  expect(() => readConfig({ TABLINUM_METRICS_PORT: '70000' }, [])).toThrow(ConfigError)
  expect(readConfig({ TABLINUM_METRICS_PORT: '' }, []).metricsPort).toBeUndefined()
})

test('internal errors of the SQL engine are counted by dialect, in threads too', async () => {
  await using house = await aHouse()
  const defects = async () =>
    /tablinum_sql_engine_defects_total\{dialect="mysql"\} (\d+)/.exec((await house.call('GET', 'metrics')).text)?.[1]
  const broken = new Map([[nameKey(['t']), 7 as never]]) // not a list of columns: makes the engine fail
  for (const sql of ['select * from t', `select * from t where a <> '${'x'.repeat(30_000)}'`]) {
    using reader = new Reader(house.ctx, { sql, dialect: 'mysql', database: null, schema: null })
    expect((await reader.read()).analysis.incomplete).toBeNull()
    expect((await reader.read(broken)).analysis.incomplete).toBe('internal')
  }
  expect(await defects()).toBe('2')
})
