import { sql } from 'kysely'
import { expect, inject } from 'vitest'
import { connect, type Database } from '../src/db/connect.ts'
import { newId } from '../src/id.ts'
import { runJob } from '../src/jobs/run.ts'
import { JOBS } from '../src/tasks.ts'
import { databaseAt } from './database.ts'
import { aDoorTo } from './door.ts'
import type { House } from './house.ts'

/** A database of its own on the tests' server, reached as a source is: by host and port. */
export interface PostgresSource extends AsyncDisposable {
  readonly name: string
  readonly credentials: { host: string; port: number; database: string; user: string; password: string }
  /** How often somebody connected. */
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

/** An integration with this source, over the front door. */
export const connectTo = async (house: Pick<House, 'call'>, type: string, credentials: object, more: object = {}): Promise<string> => {
  const { status, body, text } = await house.call('POST', PATH, { body: { name: 'Shop', type, credentials, ...more } })
  if (status !== 201) throw new Error(text)
  return body.id
}

/** Asks for a sync at the front door and does its job. */
export const sync = async (house: House, id: string) => {
  const asked = await house.call('POST', `${PATH}/${id}/sync`)
  expect([asked.status, asked.text]).toEqual([200, expect.any(String)])
  const failed = await runJob(house.ctx, JOBS, asked.body.id, { integration_id: id, sync_id: asked.body.id }, true).catch((error) => error)
  const { body: syncs } = await house.call('GET', `${PATH}/${id}/syncs`)
  return { ...syncs.results[0], failed }
}
