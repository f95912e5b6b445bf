import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { findActors } from '../src/access/actors.ts'
import { type Role, type Scope, SYSTEM } from '../src/access/permissions.ts'
import { hashOf, hintOf, newToken } from '../src/access/tokens.ts'
import { type AppOptions, makeApp } from '../src/app.ts'
import type { Context } from '../src/context.ts'
import { connect, type Database, type Db } from '../src/db/connect.ts'
import { newId } from '../src/id.ts'
import { createResource } from '../src/resources/create.ts'
import type { Resource, ResourceCreate } from '../src/resources/schema.ts'
import { createRuntime, type RuntimeConfig } from '../src/runtime.ts'
import { ADMIN_TOKEN, databaseAt, TEMPLATE } from './database.ts'

export interface HouseOptions {
  /** The role of the actor in `ctx` and `call`. */
  readonly role?: Role
  readonly now?: () => Date
  readonly rateLimit?: number
  readonly requestTimeoutMs?: number
  readonly secretKeys?: readonly string[]
  /** The folder of file-based sources. */
  readonly filesFolder?: string
  /** Addresses webhooks may reach besides the public internet. */
  readonly webhookAllow?: readonly string[]
  readonly sourceAllow?: readonly string[]
  /** The template database to copy. */
  readonly template?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Record<string, string | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
  readonly text: string
}

export interface CallOptions {
  readonly token?: string | null
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

export interface InstanceOptions {
  readonly rateLimit?: number
  readonly requestTimeoutMs?: number
  readonly secretKeys?: readonly string[]
  /** The database URL, if it differs from that of the test app. */
  readonly url?: string
  /** Further configuration. */
  readonly config?: Partial<AppOptions['config']> & RuntimeConfig
  readonly webFolder?: string
}

export interface Instance extends AsyncDisposable {
  readonly app: FastifyInstance
  readonly ctx: Context
  readonly database: Database
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
}

/** The complete app on its own database: makers for what a test needs, and `call` to see what an API caller sees. */
export interface House extends AsyncDisposable {
  readonly db: Db
  readonly url: string
  readonly database: Database
  readonly app: FastifyInstance
  readonly ctx: Context
  readonly token: string
  /** An API request, e.g. `call('GET', '/resource/catalog')`. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** Creates a user with a token; `ctx` acts as that user. */
  someone(role: Role, more?: { scope?: Scope; teams?: string[]; expires_at?: Date }): Promise<{ id: string; token: string; ctx: Context }>
  team(closed?: boolean): Promise<string>
  /** A second instance on the same database, with its own connections and memory. */
  instance(options?: InstanceOptions): Promise<Instance>
  resource(create?: ResourceCreate): Promise<Resource>
  changes(): Promise<{ activity_type: string; resource_id: string | null }[]>
}

const SMALL = { pools: { request: 4, background: 4, transfer: 4 } } as const

let admin: Database | undefined
/** One connection for all databases this worker creates and drops; closed with the worker. */
const onServer = async (statement: string): Promise<void> => {
  admin ??= connect(inject('serverUrl'), { poolSize: 1 })
  await sql.raw(statement).execute(admin.db)
}

// For a small template, copying the files takes a third of the time of copying through the WAL.
const open = async (name: string, template: string): Promise<string> => {
  await onServer(`create database ${name} template ${template} strategy file_copy`)
  return databaseAt(inject('serverUrl'), name)
}

const drop = async (name: string): Promise<void> => {
  // Including the demo database, if a test created it.
  for (const each of [`${name}_demo`, name]) await onServer(`drop database if exists ${each} with (force)`)
  await onServer(`drop role if exists ${name}_demo`)
}

export const aHouse = async ({
  role = 'admin',
  now = () => new Date(),
  rateLimit = 0,
  requestTimeoutMs = 30_000,
  secretKeys = ['a key for tests'],
  filesFolder,
  webhookAllow,
  sourceAllow,
  template = TEMPLATE,
}: HouseOptions = {}): Promise<House> => {
  const name = `test_${newId().replaceAll('-', '')}`
  const url = await open(name, template)
  const runtime = createRuntime(url, { ...SMALL, requestTimeoutMs, secretKeys, filesFolder, sourceAllow })
  const database = runtime.databases.request
  const { db } = database
  const { id: workspace_id } = await db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow()
  const app = await makeApp({
    runtime,
    workspace_id,
    config: { rateLimit, requestTimeoutMs, logLevel: 'silent', webhookAllow },
    now,
  })
  const ctx: Context = { db, runtime, workspace_id, actor: SYSTEM, now: now(), limits: {} }

  const someone: House['someone'] = async (role, { scope = 'admin', teams = [], expires_at } = {}) => {
    const times = { created_at: now(), updated_at: now() }
    const id = newId()
    const token = newToken()
    await db
      .insertInto('users')
      .values({ id, email: `${role}-${id}@example.com`, first_name: role, last_name: 'Person', role, ...times })
      .execute()
    await db
      .insertInto('tokens')
      .values({ id: newId(), user_id: id, name: 'test', hint: hintOf(token), hash: hashOf(token), scope, expires_at, ...times })
      .execute()
    for (const team_id of teams) await db.insertInto('team_members').values({ team_id, user_id: id }).execute()
    const actor = (await findActors(db, [hashOf(token).toString('hex')], now())).values().next().value?.actor ?? SYSTEM
    return { id, token, ctx: { ...ctx, actor } }
  }

  const me =
    role === 'admin'
      ? {
          token: ADMIN_TOKEN,
          ctx: { ...ctx, actor: (await findActors(db, [hashOf(ADMIN_TOKEN).toString('hex')], now())).values().next().value!.actor },
        }
      : await someone(role)

  return {
    db,
    url,
    database,
    app,
    ctx: me.ctx,
    token: me.token,
    someone,
    call: callOf(app, me.token),
    instance: async ({ config, webFolder, ...options } = {}) => {
      const limits = { rateLimit, requestTimeoutMs, ...options }
      const settings = { secretKeys, ...limits, ...config, logLevel: 'silent' }
      const runtime = createRuntime(options.url ?? url, { ...SMALL, ...settings })
      const database = runtime.databases.request
      const app = await makeApp({ runtime, workspace_id, config: settings, now, webFolder })
      return {
        app,
        database,
        ctx: { ...me.ctx, db: database.db, runtime },
        call: callOf(app, me.token),
        [Symbol.asyncDispose]: async () => {
          await app.close()
          await runtime[Symbol.asyncDispose]()
        },
      }
    },
    team: async (closed = false) => {
      const id = newId()
      await db
        .insertInto('teams')
        .values({ id, name: `team ${id}`, closed, created_at: now(), updated_at: now() })
        .execute()
      return id
    },
    resource: (create = {}) => createResource({ ...ctx, now: now() }, create),
    changes: () => db.selectFrom('activities').select(['activity_type', 'resource_id']).orderBy('logged_at').orderBy('id').execute(),
    [Symbol.asyncDispose]: async () => {
      await app.close()
      await runtime[Symbol.asyncDispose]()
      await drop(name)
    },
  }
}

const callOf =
  (app: FastifyInstance, own: string): House['call'] =>
  async (method, path, { token = own, headers = {}, body } = {}) => {
    const answer = await app.inject({
      method: method as 'GET',
      url: path.startsWith('/api') || !path.startsWith('/') ? path : `/api/v1${path}`,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    })
    const text = answer.body
    const json = String(answer.headers['content-type'] ?? '').includes('application/json') && text !== ''
    return { status: answer.statusCode, headers: answer.headers as Answer['headers'], text, body: json ? JSON.parse(text) : undefined }
  }
