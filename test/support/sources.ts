import { sql } from 'kysely'
import { expect, inject } from 'vitest'
import { JOB_HANDLERS } from '../../src/app/tasks.ts'
import { newId } from '../../src/platform/core/id.ts'
import { connect, type Database } from '../../src/platform/db/connect.ts'
import { runJob } from '../../src/platform/jobs/run.ts'
import type { Source, SqlConnection } from '../../src/sources/connectors/shared/connector.ts'
import type { DialectSql } from '../../src/sources/connectors/shared/dialect-sql.ts'
import { databaseAt } from './database.ts'
import { PATIENCE_MS } from './patience.ts'
import { createTcpProxy } from './tcp-proxy.ts'
import type { TestApp } from './test-app.ts'

/** A separate database on the test server, reachable like a source by host and port. */
export interface PostgresSource extends AsyncDisposable {
  readonly name: string
  readonly credentials: { host: string; port: number; database: string; user: string; password: string }
  /** The number of connections so far. */
  readonly visits: () => number
  run(...statements: string[]): Promise<void>
}

export const createPostgresSource = async (...statements: string[]): Promise<PostgresSource> => {
  const server = inject('serverUrl')
  const name = `source_${newId().replaceAll('-', '')}`
  const admin = connect(server, { poolSize: 1 })
  await sql.raw(`create database ${name}`).execute(admin.db)
  const database: Database = connect(databaseAt(server, name), { poolSize: 1 })
  const proxy = await createTcpProxy(server)
  const run = async (...statements: string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(database.db)
  }
  await run(...statements)
  const { username } = new URL(server)
  return {
    name,
    credentials: { host: '127.0.0.1', port: proxy.port, database: name, user: username, password: 'correct horse' },
    visits: proxy.visits,
    run,
    [Symbol.asyncDispose]: async () => {
      await database.close()
      await proxy.close()
      await sql.raw(`drop database if exists ${name} with (force)`).execute(admin.db)
      await admin.close()
    },
  }
}

const PATH = '/integration/integrations'

/** Creates an integration for this source through the API. */
export const createTestIntegration = async (
  app: Pick<TestApp, 'call'>,
  type: string,
  credentials: object,
  more: object = {},
): Promise<string> => {
  const { status, body, text } = await app.call('POST', PATH, {
    body: { name: 'Shop', type, credentials, preview_enabled: true, ...more },
  })
  if (status !== 201) throw new Error(text)
  return body.id
}

/** The app for a sync that does this after each batch. */
export const interruptSync = (app: TestApp, giveWay: () => Promise<void>): TestApp => {
  const runtime = Object.assign(Object.create(app.ctx.runtime), { monitorPriority: { giveWay } })
  return Object.create(app, { ctx: { value: { ...app.ctx, runtime } } })
}

/** Requests a sync through the API and runs its job. */
export const runSync = async (app: TestApp, id: string, body?: { confirm_removals?: boolean; full?: boolean }) => {
  const response = await app.call('POST', `${PATH}/${id}/sync`, body && { body })
  expect([response.status, response.text]).toEqual([200, expect.any(String)])
  // The payload as stored in the queue.
  const { rows } = await sql<{ payload: object }>`
    select (payload -> 'payload') as payload from graphile_worker._private_jobs where payload ->> 'job_id' = ${response.body.id}
  `.execute(app.db)
  const failed = await runJob(app.ctx, JOB_HANDLERS, response.body.id, rows[0]!.payload, true).catch((error) => error)
  const { body: syncs } = await app.call('GET', `${PATH}/${id}/syncs`)
  return { ...syncs.results?.[0], failed } // none if the integration was deleted meanwhile
}

/** The only resource with this full title. */
export const findByFullTitle = async (app: TestApp, title_full: string) => {
  const filter = encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'title_full', value: title_full }))
  const { body } = await app.call('GET', `/resource/catalog?filter=${filter}`)
  expect([title_full, body.count]).toEqual([title_full, 1])
  return body.results[0]
}

/** The titles of a table and its direct upstream tables. */
export const findLineageSources = async (app: TestApp, id: string): Promise<string[]> => {
  const { body } = await app.call('GET', `/lineage/graph?resource_id=${id}&direction=UPSTREAM&depth=1&level=table`)
  return body.nodes.map(({ title }: { title: string }) => title).sort()
}

/** Asserts that a sync of an unchanged source writes nothing. */
export const expectNoChanges = async (app: TestApp, id: string, unchanged: object): Promise<void> => {
  const before = await app.listActivities()
  expect((await runSync(app, id)).report).toMatchObject({ new: {}, changed: {}, unchanged })
  expect(await app.listActivities()).toEqual(before)
}

/** A source in the form a connector receives it. */
export const toSource = (credentials: object, more: object = {}): Source => ({
  id: newId(),
  name: 'shop',
  credentials: { ...credentials, ...more },
})

export const queryLimits = () => ({ signal: AbortSignal.timeout(PATIENCE_MS), timeout_ms: 20_000, max_rows: 100 })

/** The error of a failed connection test, which must not contain the password. */
export const getConnectionError = async (app: TestApp, id: string, password: string): Promise<string> => {
  const { status, text, body } = await app.call('POST', `${PATH}/${id}/test`)
  expect([status, text]).toEqual([400, expect.not.stringContaining(password)])
  return body.detail
}

/** Asserts that the dialect SQL works at the source, on a table and column with awkward names that has three rows: 1.5 twice, null once, and one row three hours old. */
export const expectDialectSql = async (
  connection: SqlConnection,
  dialectSql: DialectSql,
  path: readonly string[],
  column: string,
): Promise<void> => {
  const value = dialectSql.quote(column)
  const { rows } = await connection.query(
    `select count(*), ${dialectSql.approxDistinct(value)}, sum(${dialectSql.castToNumber(value)}), max(${dialectSql.hoursSince('at')}), min(${dialectSql.castToText('at')})
    from ${dialectSql.sample(path, { rows: 10, of: 3 }).from} s`,
    queryLimits(),
  )
  expect(rows).toEqual([[3, 1, 3, expect.closeTo(3, 1), expect.stringMatching(/^\d{4}-/)]])
  expect((await connection.query(`select * from ${dialectSql.table(path)} ${dialectSql.limit(2)}`, queryLimits())).rows).toHaveLength(2)
}
