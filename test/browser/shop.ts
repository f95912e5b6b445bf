import { sql } from 'kysely'
import { inject } from 'vitest'
import { createRuntime } from '../../src/app/runtime.ts'
import { DEMO_COMMENT } from '../../src/operations/demo/database.ts'
import { seedDemo } from '../../src/operations/demo/seed.ts'
import { connect } from '../../src/platform/db/connect.ts'
import { SYSTEM } from '../../src/platform/permissions/permissions.ts'
import { databaseAt, TEMPLATE } from '../support/database.ts'

const SHOP = 'warehouse' // the database name of the demo
const LOCK = 7_264_504

/** A template database with the demo shop: built on first use, once for all test files. */
export const shopTemplate = async (): Promise<string> => {
  const admin = connect(inject('serverUrl'), { poolSize: 1, statementTimeoutMs: 0 }) // waits while another file builds it
  try {
    await sql`select pg_advisory_lock(${LOCK}::bigint)`.execute(admin.db)
    const { rows } = await sql`select from pg_database where datname = ${SHOP} and datistemplate`.execute(admin.db)
    if (rows.length > 0) return SHOP
    await sql.raw(`drop database if exists ${SHOP}`).execute(admin.db)
    await sql.raw(`create database ${SHOP} template ${TEMPLATE}`).execute(admin.db)
    const runtime = createRuntime(databaseAt(inject('serverUrl'), SHOP))
    const shop = runtime.databases.background
    const { id: workspace_id } = await shop.db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow()
    await seedDemo({ db: shop.db, runtime, workspace_id, actor: SYSTEM, now: new Date(), limits: {} })
    await runtime[Symbol.asyncDispose]()
    await sql.raw(`alter database ${SHOP} is_template true`).execute(admin.db)
    return SHOP
  } finally {
    await admin.close() // also releases the lock
  }
}

/** A copy of the shop's tables for a copy of the catalog. */
export const copyTables = async (catalogUrl: string): Promise<void> => {
  const name = `${new URL(catalogUrl).pathname.slice(1)}_demo`
  const admin = connect(inject('serverUrl'), { poolSize: 1, statementTimeoutMs: 0 }) // waits while another file builds it
  try {
    await sql.raw(`create database ${name} template ${SHOP}_demo`).execute(admin.db)
    await sql.raw(`comment on database ${name} is '${DEMO_COMMENT}'`).execute(admin.db)
  } finally {
    await admin.close()
  }
}
