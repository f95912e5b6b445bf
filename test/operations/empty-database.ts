import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { connect } from '../../src/platform/db/connect.ts'
import { databaseAt } from '../support/database.ts'

const asAdmin = async (...statements: string[]) => {
  const admin = connect(inject('serverUrl'), { poolSize: 1 })
  for (const statement of statements) await sql.raw(statement).execute(admin.db)
  await admin.close()
}

/** An empty database whose owner has no other rights on the server. */
export const createEmptyDatabase = async (): Promise<AsyncDisposable & { url: string }> => {
  const name = `test_${newId().replaceAll('-', '')}`
  await asAdmin(`create role ${name} login`, `create database ${name} owner ${name}`)
  const url = new URL(databaseAt(inject('serverUrl'), name))
  url.username = name
  return { url: url.href, [Symbol.asyncDispose]: () => asAdmin(`drop database ${name} with (force)`, `drop role ${name}`) }
}

/** The same database, for a superuser. */
export const asSuperuser = (url: string): string => databaseAt(inject('serverUrl'), new URL(url).pathname.slice(1))

export const createTempFolder = async (): Promise<AsyncDisposable & { file: (name: string) => string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-backup-'))
  return { file: (name) => join(folder, name), [Symbol.asyncDispose]: () => rm(folder, { recursive: true, maxRetries: 5 }) }
}
