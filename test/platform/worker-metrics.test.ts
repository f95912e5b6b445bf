import { expect, test } from 'vitest'
import { startServer } from '../../src/app/start.ts'
import { toNameKey } from '../../src/lineage/queries/parse-sql.ts'
import { SqlTextParser } from '../../src/lineage/queries/parser-pool.ts'
import { ConfigError, readConfig } from '../../src/platform/config/config.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const startMetricsWorker = async (app: TestApp, env: NodeJS.ProcessEnv) => {
  const config = readConfig({ DATABASE_URL: app.url, PORT: '0', LOG_LEVEL: 'silent', TABLINUM_SECRET_KEY: 'a key for tests', ...env }, [
    '--role',
    'worker',
  ])
  const running = await startServer(config, () => {})
  return { ...running, [Symbol.asyncDispose]: () => running.stop() }
}

test('a worker with a metrics port serves health checks and metrics there, and nothing of the API', async () => {
  await using app = await createTestApp()
  await using worker = await startMetricsWorker(app, { TABLINUM_METRICS_PORT: '0', TABLINUM_METRICS_TOKEN: 'a_token_for_metrics' })
  const sendRequest = (path: string, token?: string) =>
    fetch(`${worker.metricsAddress}${path}`, { headers: token ? { authorization: `Bearer ${token}` } : {} })
  expect(worker.address).toBeUndefined()
  for (const path of ['/healthcheck', '/readycheck']) expect(await (await sendRequest(path)).json()).toEqual({ status: 'OK' })
  expect([(await sendRequest('/metrics')).status, (await sendRequest('/metrics', app.token)).status]).toEqual([401, 401])
  const metrics = await (await sendRequest('/metrics', 'a_token_for_metrics')).text()
  expect(metrics).toMatch(/^process_resident_memory_bytes \d+$/m)
  expect(metrics).toMatch(/^tablinum_clock_skew_seconds -?[\d.e-]+$/m) // only set by a process that runs the scheduler
  expect(metrics).toContain('tablinum_pool_connections{pool="background",state="max"} 8')
  const api = await sendRequest('/api/v1/user/me', app.token)
  expect([api.status, await api.json()]).toMatchObject([404, { code: 'not_found' }])
})

test('a worker without a metrics port does not listen', async () => {
  await using app = await createTestApp()
  await using worker = await startMetricsWorker(app, {})
  expect([worker.address, worker.metricsAddress]).toEqual([undefined, undefined])
})

test('rejects an invalid metrics port', () => {
  expect(() => readConfig({ TABLINUM_METRICS_PORT: '70000' }, [])).toThrow(ConfigError)
  expect(readConfig({ TABLINUM_METRICS_PORT: '' }, []).metricsPort).toBeUndefined()
})

test('internal errors of the SQL engine are counted by dialect, in threads too', async () => {
  await using app = await createTestApp()
  const defects = async () =>
    /tablinum_sql_engine_defects_total\{dialect="mysql"\} (\d+)/.exec((await app.call('GET', 'metrics')).text)?.[1]
  const broken = new Map([[toNameKey(['t']), 7 as never]]) // not a list of columns: makes the engine fail
  for (const sql of ['select * from t', `select * from t where a <> '${'x'.repeat(30_000)}'`]) {
    using reader = new SqlTextParser(app.ctx, { sql, dialect: 'mysql', database: null, schema: null })
    expect((await reader.read()).analysis.incomplete).toBeNull()
    expect((await reader.read(broken)).analysis.incomplete).toBe('internal')
  }
  expect(await defects()).toBe('2')
})
