import type { FastifyInstance, RouteOptions } from 'fastify'
import { sql } from 'kysely'
import type { AppOptions } from '../../src/app/app.ts'
import { createRuntime, type RuntimeConfig } from '../../src/app/runtime.ts'
import type { Resource, ResourceCreate } from '../../src/catalog/records/schema.ts'
import { createResource } from '../../src/catalog/resources/create.ts'
import { findActorsByTokenHash } from '../../src/platform/authentication/actors.ts'
import { hashToken, newToken, tokenHint } from '../../src/platform/authentication/token-hash.ts'
import type { Context } from '../../src/platform/context/context.ts'
import { newId } from '../../src/platform/core/id.ts'
import { connect, type Database, type Db } from '../../src/platform/db/connect.ts'
import { type Role, type Scope, SYSTEM } from '../../src/platform/permissions/permissions.ts'
import type { DriversConfig } from '../../src/sources/drivers/drivers.ts'
import { acquireApp } from './app-pool.ts'
import { ADMIN_TOKEN, databaseAt, TEMPLATE } from './database.ts'

export interface TestAppOptions {
  /** The actor of `ctx` and `call`. */
  readonly role?: Role
  readonly now?: () => Date
  readonly rateLimit?: number
  readonly requestTimeoutMs?: number
  readonly secretKeys?: readonly string[]
  /** Folder of file-based sources. */
  readonly filesFolder?: string
  /** Folder of scheduled backups. */
  readonly backupsFolder?: string
  /** What webhooks may call besides the public internet. */
  readonly webhookAllow?: readonly string[]
  readonly sourceAllow?: readonly string[]
  readonly connectorPrograms?: ReadonlyMap<string, readonly string[]>
  readonly drivers?: DriversConfig
  /** The template database to copy. */
  readonly template?: string
  /** The Postgres server with the template, outside of a test run. */
  readonly serverUrl?: string
  /** For tests that add routes: an HTTP app of its own, instead of one that an earlier test has used. */
  readonly newApp?: boolean
}

export interface TestResponse {
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

export interface TestInstanceOptions {
  readonly rateLimit?: number
  readonly requestTimeoutMs?: number
  readonly secretKeys?: readonly string[]
  /** The database URL, if it differs from that of the test app. */
  readonly url?: string
  /** Additional configuration. */
  readonly config?: Partial<AppOptions['config']> & RuntimeConfig
  readonly webFolder?: string
}

export interface TestInstance extends AsyncDisposable {
  readonly fastify: FastifyInstance
  readonly ctx: Context
  readonly database: Database
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>
}

/** A whole app on its own database: makers for test data, and `call` to see what a caller sees. */
export interface TestApp extends AsyncDisposable {
  readonly db: Db
  readonly url: string
  readonly database: Database
  readonly fastify: FastifyInstance
  readonly routes: readonly RouteOptions[]
  readonly ctx: Context
  readonly token: string
  /** A request to the API: `call('GET', '/resource/catalog')`. */
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>
  /** A user with a token; `ctx` acts as them. */
  createUser(
    role: Role,
    more?: { scope?: Scope; teams?: string[]; expires_at?: Date },
  ): Promise<{ id: string; token: string; ctx: Context }>
  createTeam(closed?: boolean): Promise<string>
  /** Another process on the same database, with its own connections and caches. */
  createInstance(options?: TestInstanceOptions): Promise<TestInstance>
  createResource(create?: ResourceCreate): Promise<Resource>
  listActivities(): Promise<{ activity_type: string; resource_id: string | null }[]>
  /** Closes the app, but keeps its database: the name is that of a template for other apps. */
  closeAsTemplate(): Promise<string>
}

const SMALL_POOLS = { pools: { request: 4, background: 4, transfer: 4 } } as const

let admin: Database | undefined
/** One connection for all databases this worker creates and drops; it is closed with the worker. */
const runOnServer = async (serverUrl: string, statement: string): Promise<void> => {
  admin ??= connect(serverUrl, { poolSize: 1 })
  await sql.raw(statement).execute(admin.db)
}

// Copying the files takes a third of the time of copying page by page through the WAL, for a small template.
const createDatabase = async (serverUrl: string, name: string, template: string): Promise<string> => {
  await runOnServer(serverUrl, `create database ${name} template ${template} strategy file_copy`)
  return databaseAt(serverUrl, name)
}

const dropDatabase = async (serverUrl: string, name: string): Promise<void> => {
  // With the demo, if a test has created it.
  for (const each of [`${name}_demo`, name]) await runOnServer(serverUrl, `drop database if exists ${each} with (force)`)
  await runOnServer(serverUrl, `drop role if exists ${name}_demo`)
}

// Reliability scripts use this file, too, and run without Vitest.
const findServerUrl = async (): Promise<string> => (await import('vitest')).inject('serverUrl')

export const createTestApp = async ({
  role = 'admin',
  now = () => new Date(),
  rateLimit = 0,
  requestTimeoutMs = 30_000,
  secretKeys = ['a key for tests'],
  filesFolder,
  backupsFolder,
  webhookAllow,
  sourceAllow,
  connectorPrograms,
  drivers,
  template = TEMPLATE,
  serverUrl: givenServerUrl,
  newApp,
}: TestAppOptions = {}): Promise<TestApp> => {
  const name = `test_${newId().replaceAll('-', '')}`
  const serverUrl = givenServerUrl ?? (await findServerUrl())
  const url = await createDatabase(serverUrl, name, template)
  const runtime = createRuntime(url, {
    ...SMALL_POOLS,
    requestTimeoutMs,
    secretKeys,
    filesFolder,
    backupsFolder,
    sourceAllow,
    webhookAllow,
    connectorPrograms,
    drivers,
  })
  const database = runtime.databases.request
  const { db } = database
  const { id: workspace_id } = await db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow()
  const config = { rateLimit, requestTimeoutMs, logLevel: 'silent', webhookAllow } as const
  const app = await acquireApp({ backend: { runtime, workspace_id, now }, config }, newApp)
  const ctx: Context = { db, runtime, workspace_id, actor: SYSTEM, now: now(), limits: {} }

  const someone: TestApp['createUser'] = async (role, { scope = 'admin', teams = [], expires_at } = {}) => {
    const times = { created_at: now(), updated_at: now() }
    const id = newId()
    const token = newToken()
    await db
      .insertInto('users')
      .values({ id, email: `${role}-${id}@example.com`, first_name: role, last_name: 'Person', role, ...times })
      .execute()
    await db
      .insertInto('tokens')
      .values({ id: newId(), user_id: id, name: 'test', hint: tokenHint(token), hash: hashToken(token), scope, expires_at, ...times })
      .execute()
    for (const team_id of teams) await db.insertInto('team_members').values({ team_id, user_id: id }).execute()
    const actor = (await findActorsByTokenHash(db, [hashToken(token).toString('hex')], now())).values().next().value?.actor ?? SYSTEM
    return { id, token, ctx: { ...ctx, actor } }
  }

  const close = async () => {
    await app[Symbol.asyncDispose]()
    await runtime[Symbol.asyncDispose]()
  }

  const me =
    role === 'admin'
      ? {
          token: ADMIN_TOKEN,
          ctx: {
            ...ctx,
            actor: (await findActorsByTokenHash(db, [hashToken(ADMIN_TOKEN).toString('hex')], now())).values().next().value!.actor,
          },
        }
      : await someone(role)

  return {
    db,
    url,
    database,
    fastify: app.fastify,
    routes: app.routes,
    ctx: me.ctx,
    token: me.token,
    createUser: someone,
    call: createCaller(app.fastify, me.token),
    createInstance: async ({ config, webFolder, url: instanceUrl = url, ...options } = {}) => {
      const settings = { secretKeys, rateLimit, requestTimeoutMs, ...options, ...config, logLevel: 'silent' }
      const runtime = createRuntime(instanceUrl, { ...SMALL_POOLS, ...settings })
      const database = runtime.databases.request
      const app = await acquireApp(
        { backend: { runtime, workspace_id, now }, config: settings, webFolder },
        config !== undefined || webFolder !== undefined,
      )
      return {
        fastify: app.fastify,
        database,
        ctx: { ...me.ctx, db: database.db, runtime },
        call: createCaller(app.fastify, me.token),
        [Symbol.asyncDispose]: async () => {
          await app[Symbol.asyncDispose]()
          await runtime[Symbol.asyncDispose]()
        },
      }
    },
    createTeam: async (closed = false) => {
      const id = newId()
      await db
        .insertInto('teams')
        .values({ id, name: `team ${id}`, closed, created_at: now(), updated_at: now() })
        .execute()
      return id
    },
    createResource: (create = {}) => createResource({ ...ctx, now: now() }, create),
    listActivities: () => db.selectFrom('activities').select(['activity_type', 'resource_id']).orderBy('logged_at').orderBy('id').execute(),
    closeAsTemplate: async () => {
      await close()
      return name
    },
    [Symbol.asyncDispose]: async () => {
      await close()
      await dropDatabase(serverUrl, name)
    },
  }
}

const createCaller =
  (app: FastifyInstance, own: string): TestApp['call'] =>
  async (method, path, { token = own, headers = {}, body } = {}) => {
    const response = await app.inject({
      method: method as 'GET',
      url: path.startsWith('/api') || !path.startsWith('/') ? path : `/api/v1${path}`,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    })
    const text = response.body
    const json = String(response.headers['content-type'] ?? '').includes('application/json') && text !== ''
    return {
      status: response.statusCode,
      headers: response.headers as TestResponse['headers'],
      text,
      body: json ? JSON.parse(text) : undefined,
    }
  }
