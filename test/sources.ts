import { sql } from 'kysely'
import { expect, inject } from 'vitest'
import { connect, type Database } from '../src/db/connect.ts'
import { newId } from '../src/id.ts'
import type { Asking, Source } from '../src/integrations/connectors/connector.ts'
import type { Words } from '../src/integrations/connectors/words.ts'
import { runJob } from '../src/jobs/run.ts'
import { JOBS } from '../src/tasks.ts'
import { databaseAt } from './database.ts'
import { aDoorTo } from './door.ts'
import type { House } from './house.ts'

/** A separate database on the test server, reachable like a source by host and port. */
export interface PostgresSource extends AsyncDisposable {
  readonly name: string
  readonly credentials: { host: string; port: number; database: string; user: string; password: string }
  /** The number of connections so far. */
  readonly visits: () => number
  run(...statements: string[]): Promise<void>
}

export const aPostgres = async (...statements: string[]): Promise<PostgresSource> => {
  const server = inject('serverUrl')
  const name = `source_${newId().replaceAll('-', '')}`
  const admin = connect(server, { poolSize: 1 })
  await sql.raw(`create database ${name}`).execute(admin.db)
  const database: Database = connect(databaseAt(server, name), { poolSize: 1 })
  const door = await aDoorTo(server)
  const run = async (...statements: string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(database.db)
  }
  await run(...statements)
  const { username } = new URL(server)
  return {
    name,
    credentials: { host: '127.0.0.1', port: door.port, database: name, user: username, password: 'correct horse' },
    visits: door.visits,
    run,
    [Symbol.asyncDispose]: async () => {
      await database.close()
      await door.close()
      await sql.raw(`drop database if exists ${name} with (force)`).execute(admin.db)
      await admin.close()
    },
  }
}

const PATH = '/integration/integrations'

/** Creates an integration for this source through the API. */
export const connectTo = async (house: Pick<House, 'call'>, type: string, credentials: object, more: object = {}): Promise<string> => {
  const { status, body, text } = await house.call('POST', PATH, {
    body: { name: 'Shop', type, credentials, preview_enabled: true, ...more },
  })
  if (status !== 201) throw new Error(text)
  return body.id
}

/** Requests a sync through the API and runs its job. */
export const sync = async (house: House, id: string, body?: { confirm_removals: boolean }) => {
  const asked = await house.call('POST', `${PATH}/${id}/sync`, body && { body })
  expect([asked.status, asked.text]).toEqual([200, expect.any(String)])
  // The payload as stored in the queue.
  const { rows } = await sql<{ payload: object }>`
    select (payload -> 'payload') as payload from graphile_worker._private_jobs where payload ->> 'job_id' = ${asked.body.id}
  `.execute(house.db)
  const failed = await runJob(house.ctx, JOBS, asked.body.id, rows[0]!.payload, true).catch((error) => error)
  const { body: syncs } = await house.call('GET', `${PATH}/${id}/syncs`)
  return { ...syncs.results[0], failed }
}

/** The only resource with this full title. */
export const find = async (house: House, title_full: string) => {
  const filter = encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'title_full', value: title_full }))
  const { body } = await house.call('GET', `/resource/catalog?filter=${filter}`)
  expect([title_full, body.count]).toEqual([title_full, 1])
  return body.results[0]
}

/** The titles of a table and its direct upstream tables. */
export const drawnFrom = async (house: House, id: string): Promise<string[]> => {
  const { body } = await house.call('GET', `/lineage/graph?resource_id=${id}&direction=UPSTREAM&depth=1&level=table`)
  return body.nodes.map(({ title }: { title: string }) => title).sort()
}

/** Asserts that a sync of an unchanged source writes nothing. */
export const saysNothingNew = async (house: House, id: string, unchanged: object): Promise<void> => {
  const before = await house.changes()
  expect((await sync(house, id)).report).toMatchObject({ new: {}, changed: {}, unchanged })
  expect(await house.changes()).toEqual(before)
}

/** A source in the form a connector receives it. */
export const sourceOf = (credentials: object, more: object = {}): Source => ({
  id: newId(),
  name: 'shop',
  credentials: { ...credentials, ...more },
})

export const limits = () => ({ signal: AbortSignal.timeout(100_000), timeout_ms: 20_000, max_rows: 100 })

/** The error of a failed connection test, which must not contain the password. */
export const whyNot = async (house: House, id: string, password: string): Promise<string> => {
  const { status, text, body } = await house.call('POST', `${PATH}/${id}/test`)
  expect([status, text]).toEqual([400, expect.not.stringContaining(password)])
  return body.detail
}

/** Asserts that the dialect SQL works at the source, on a table and column with awkward names that has three rows: 1.5 twice, null once, and one row three hours old. */
export const understands = async (asking: Asking, words: Words, path: readonly string[], column: string): Promise<void> => {
  const value = words.quote(column)
  const { rows } = await asking.ask(
    `select count(*), ${words.approxDistinct(value)}, sum(${words.castToNumber(value)}), max(${words.hoursSince('at')}), min(${words.castToText('at')})
    from ${words.sample(path, { rows: 10, of: 3 }).from} s`,
    limits(),
  )
  expect(rows).toEqual([[3, 1, 3, expect.closeTo(3, 1), expect.stringMatching(/^\d{4}-/)]])
  expect((await asking.ask(`select * from ${words.table(path)} ${words.limit(2)}`, limits())).rows).toHaveLength(2)
}
