import { text as readText } from 'node:stream/consumers'
import type { RouteOptions } from 'fastify'
import { sql } from 'kysely'
import { fromBufferPromise } from 'yauzl'
import { ENTITY_TYPES } from '../../src/catalog/entity-types/entity-types.ts'
import { registerIntegrations } from '../../src/catalog/integration-registry/register.ts'
import { createResources } from '../../src/catalog/resources/create.ts'
import { followChanges } from '../../src/notifications/inbox/follow.ts'
import { refreshIncidentPaths } from '../../src/observability/incidents/incident-paths.ts'
import { XLSX_TYPE } from '../../src/operations/transfer/column.ts'
import { hashToken, tokenHint } from '../../src/platform/authentication/token-hash.ts'
import { inTransaction } from '../../src/platform/context/context.ts'
import type { Role } from '../../src/platform/permissions/permissions.ts'
import { type CallOptions, createTestApp, type TestApp } from '../support/test-app.ts'

/**
 * Test apps that are identical to the last ID except for what a caller may not see: in one it never existed, in one it exists, in one it
 * was deleted. Whatever the caller requests, the responses must be the same bytes.
 */
export type HiddenState = 'never' | 'there' | 'gone'
export type HiddenVariant = 'unpublished' | 'closed' | 'closed_too' | 'elsewhere'

/** What each caller may not see. An editor sees unpublished resources; a guest only those of their teams. */
export const HIDDEN_FROM = {
  viewer: ['unpublished', 'closed', 'closed_too'],
  guest: ['unpublished', 'closed', 'closed_too', 'elsewhere'],
  editor: ['closed', 'closed_too'],
} as const satisfies Partial<Record<Role, readonly HiddenVariant[]>>
export type Caller = keyof typeof HIDDEN_FROM

const NOW = new Date('2026-03-01T12:00:00Z')
let last = 0
const nextFixedId = (): string => `00000000-0000-7000-8000-${(++last).toString(16).padStart(12, '0')}`

export const CALLER = nextFixedId()
/** Of a token that requests may edit and delete. */
export const CALLERS_TOKEN_ID = nextFixedId()
export const OTHER_USER = nextFixedId()
export const OPEN_TEAM = nextFixedId()
export const CLOSED_TEAM = nextFixedId()
const OTHER_TEAM = nextFixedId()
export const INTEGRATION = nextFixedId()
export const HIDDEN_INTEGRATION = '0197a8c2-5e0f-7f43-9d2a-1b8c3e4f5a6f'
export const UNKNOWN = nextFixedId()
const TOKEN = 'tbl_test_two_worlds'
const TOKEN_ID = nextFixedId()

const byType = (): Record<string, string> => Object.fromEntries(ENTITY_TYPES.map((type) => [type, nextFixedId()]))
/** One resource of each type that everyone sees, and one of each type hidden in every way. */
export const VISIBLE_IDS = byType()
export const HIDDEN_IDS: Readonly<Record<HiddenVariant, Readonly<Record<string, string>>>> = {
  unpublished: byType(),
  closed: byType(),
  closed_too: byType(),
  elsewhere: byType(),
}
const KNOWN = new Set(Array.from({ length: last }, (_, i) => `00000000-0000-7000-8000-${(i + 1).toString(16).padStart(12, '0')}`))

const PARENTS: Readonly<Record<string, string>> = {
  schema: 'database',
  table: 'schema',
  column: 'table',
  chart: 'dashboard',
  event: 'category',
  event_property: 'event',
  question_reply: 'question',
  run: 'job',
  test: 'test_suite',
  test_run: 'test',
}
/** Parents before their children. */
const IN_ORDER = [...ENTITY_TYPES].sort((a, b) => depth(a) - depth(b))
function depth(type: string): number {
  return PARENTS[type] ? 1 + depth(PARENTS[type]) : 0
}

const VISIBILITY: Readonly<Record<HiddenVariant, { published: boolean; teams: string[] }>> = {
  unpublished: { published: false, teams: [OPEN_TEAM] },
  closed: { published: true, teams: [CLOSED_TEAM] },
  closed_too: { published: true, teams: [OPEN_TEAM, CLOSED_TEAM] }, // also in one of their teams: the closed team decides
  elsewhere: { published: true, teams: [OTHER_TEAM] },
}

export interface VisibilityFixture extends AsyncDisposable {
  readonly app: TestApp
  readonly routes: readonly RouteOptions[]
  /** IDs created by the app, by the name of the path parameter. */
  readonly createdIds: Readonly<Record<string, string>>
  /** Those of hidden records. */
  readonly hidden: Readonly<Record<string, readonly string[]>>
  /** Sends a request as the caller or another user; returns the response without what differs between requests. */
  request(method: string, path: string, options?: CallOptions): Promise<string>
}

/** `naming`: visible resources refer to hidden collections and terms. (When one is deleted, its members are written, which may reveal it.) */
export const createVisibilityFixture = async (caller: Caller, state: HiddenState, naming = true): Promise<VisibilityFixture> => {
  const variants = state === 'never' ? [] : HIDDEN_VARIANTS.filter((each) => (HIDDEN_FROM[caller] as readonly string[]).includes(each))
  const { template, createdIds, hidden } = await findPrepared(naming, variants)
  const app = await createTestApp({ now: () => NOW, template })
  await app.db.updateTable('users').set({ role: caller }).where('id', '=', CALLER).execute()
  await app.call('PATCH', `/resource/all/${VISIBLE_IDS.table}`, { body: { description: 'One row for each order.' } })
  while (await followChanges({ ...app.ctx, now: NOW }, [])); // the caller is notified of their subscriptions
  if (state === 'gone') await sql`delete from integrations where id = ${HIDDEN_INTEGRATION}`.execute(app.db)
  if (state === 'gone')
    for (const flavour of HIDDEN_FROM[caller])
      for (const type of IN_ORDER) {
        const { status } = await app.call('DELETE', `/resource/all/${HIDDEN_IDS[flavour][type]}`)
        if (status !== 204 && status !== 404) throw new Error(`a hidden ${type} cannot be deleted: ${status}`)
      }
  await app.fastify.ready()
  return {
    app,
    routes: app.routes,
    createdIds,
    hidden,
    request: async (method, path, { body, headers = {}, token = TOKEN } = {}) => {
      const {
        statusCode,
        headers: responseHeaders,
        body: text,
        rawPayload,
      } = await app.fastify.inject({
        method: method as 'GET',
        url: path,
        headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const shown = responseHeaders['content-type'] === XLSX_TYPE ? await readWorkbookText(rawPayload) : text
      return normalizeResponse(statusCode, responseHeaders, shown)
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

interface Prepared {
  readonly template: string
  readonly createdIds: Readonly<Record<string, string>>
  readonly hidden: Readonly<Record<string, readonly string[]>>
}
/** Creating what the callers have in common takes most of the time of a fixture. These databases go with the server of the tests. */
const prepared = new Map<string, Promise<Prepared>>()

/** What is hidden from one caller is hidden from the next, too: each database is a copy of the one before, with one more way of hiding. */
const HIDDEN_VARIANTS: readonly HiddenVariant[] = ['closed', 'closed_too', 'unpublished', 'elsewhere']

const findPrepared = (naming: boolean, variants: readonly HiddenVariant[]): Promise<Prepared> => {
  const key = [naming, ...variants].join()
  const found = prepared.get(key) ?? prepare(naming, variants)
  prepared.set(key, found)
  return found
}

const prepare = async (naming: boolean, variants: readonly HiddenVariant[]): Promise<Prepared> => {
  const added = variants.at(-1)
  if (added === undefined) return prepareVisible(naming)
  const before = await findPrepared(naming, variants.slice(0, -1))
  const app = await createTestApp({ now: () => NOW, template: before.template })
  const hidden = Object.fromEntries(Object.entries(before.hidden).map(([name, ids]) => [name, [...ids]]))
  await createHidden(app, added, hidden)
  return { createdIds: before.createdIds, hidden, template: await app.closeAsTemplate() }
}

const prepareVisible = async (naming: boolean): Promise<Prepared> => {
  const app = await createTestApp({ now: () => NOW })
  await createPeople(app)
  await createResourcesOfAllTypes(
    app,
    VISIBLE_IDS,
    { published: true, teams: [OPEN_TEAM], integration: INTEGRATION },
    'zebro',
    naming ? { collections: hiddenIdsOf('collection'), terms: hiddenIdsOf('glossary') } : {},
  )
  const createdIds = await createCommonRecords(app)
  return { createdIds, hidden: { lineage_id: [] }, template: await app.closeAsTemplate() }
}

const createPeople = async ({ db }: TestApp): Promise<void> => {
  const times = { created_at: NOW, updated_at: NOW }
  await db
    .insertInto('users')
    .values([
      { id: CALLER, email: 'caller@example.com', role: 'viewer', ...times },
      { id: OTHER_USER, email: 'other@example.com', role: 'editor', ...times },
    ])
    .execute()
  const token = (id: string, name: string, text: string) =>
    ({ id, user_id: CALLER, name, hint: tokenHint(text), hash: hashToken(text), scope: 'admin', ...times }) as const
  await db
    .insertInto('tokens')
    .values([token(TOKEN_ID, 'test', TOKEN), token(CALLERS_TOKEN_ID, 'spare', `${TOKEN}_spare`)])
    .execute()
  const team = (id: string, name: string, closed: boolean) => ({ id, name, closed, ...times })
  await db
    .insertInto('teams')
    .values([team(OPEN_TEAM, 'open', false), team(CLOSED_TEAM, 'closed', true), team(OTHER_TEAM, 'other', false)])
    .execute()
  await db
    .insertInto('team_members')
    .values([
      { team_id: OPEN_TEAM, user_id: CALLER },
      { team_id: CLOSED_TEAM, user_id: OTHER_USER },
    ])
    .execute()
}

interface ResourceVisibility {
  readonly published: boolean
  readonly teams: string[]
  readonly integration: string
}

/** One of each type. The hidden ones have visible parents, are much used, and everything refers to the caller. */
const createResourcesOfAllTypes = async (
  app: TestApp,
  ids: Readonly<Record<string, string>>,
  visibility: ResourceVisibility,
  word: string,
  more: object = {},
): Promise<void> => {
  for (const type of IN_ORDER)
    await createResources({ ...app.ctx, now: NOW }, [
      {
        ...visibility,
        id: ids[type],
        entity_type: type,
        title: type === 'table' ? 'orders' : `${word}_${type}`,
        description: `About ${word} and orders.`,
        parent: PARENTS[type] ? VISIBLE_IDS[PARENTS[type]] : null,
        ...more,
      },
    ])
}
/** Visible resources may refer to hidden ones: the IDs are stored as given, known or not. */
const hiddenIdsOf = (type: string) => Object.values(HIDDEN_IDS).map((ids) => ids[type]!)

/** What both have in common: a property with a value, lineage between visible resources, a tag. */
const createCommonRecords = async (app: TestApp): Promise<Record<string, string>> => {
  const must = async (...args: Parameters<TestApp['call']>) => {
    const response = await app.call(...args)
    if (response.status >= 300) throw new Error(`${args[0]} ${args[1]}: ${response.status} ${response.text}`)
    return response.body
  }
  await must('POST', '/resource/all_v2/custom_properties/', { body: { name: 'Tier', value_type: 'string' } })
  await must('PUT', `/resource/all_v2/custom_properties/Tier/${VISIBLE_IDS.table}`, { body: { value: 'gold' } })
  const lineage = await must('POST', '/lineage/manual', {
    body: { from_entity: VISIBLE_IDS.table, to_entity: VISIBLE_IDS.dashboard, direction: 'DOWNSTREAM' },
  })
  const tag = await must('POST', '/tag', { body: { name: 'money' } })
  const group = await must('POST', '/auth/group', { body: { name: 'stewards', members: [CALLER] } })
  await must('PATCH', `/resource/all/${VISIBLE_IDS.table}`, { body: { tags: [tag.id], subscribers: [CALLER] } })
  return { lineage_id: lineage.id, tag_id: tag.id, group_id: group.id }
}

/** An integration in a closed team. Integrations are always published, so other ways of hiding do not apply. */
const createHiddenIntegration = async (app: TestApp): Promise<void> => {
  await inTransaction({ ...app.ctx, now: NOW }, (ctx) => registerIntegrations(ctx, [HIDDEN_INTEGRATION]))
  const body = { name: 'zebra_integration', teams: [CLOSED_TEAM] }
  const { status } = await app.call('PATCH', `/integration/integrations/${HIDDEN_INTEGRATION}`, { body })
  if (status !== 200) throw new Error(`no hidden integration: ${status}`)
}

/** Everything hidden in this way, with all related records. */
const createHidden = async (app: TestApp, flavour: HiddenVariant, hidden: Record<string, string[]>): Promise<void> => {
  if (flavour === 'closed') await createHiddenIntegration(app)
  const ids = HIDDEN_IDS[flavour]
  const [tag] = (await app.call('GET', '/tag')).body.results
  await createResourcesOfAllTypes(app, ids, { ...VISIBILITY[flavour], integration: INTEGRATION }, 'zebra', {
    external_usage: 1000,
    owners: [CALLER],
    subscribers: [CALLER],
    tags: [tag.id],
    definition: `select * from quagga -- ${flavour}`,
  })
  await sql`update resources set bookmarked_by = array[${CALLER}::uuid] where id = any(${Object.values(ids)}::uuid[])`.execute(app.db)
  for (const [from_entity, to_entity] of [
    [VISIBLE_IDS.table, ids.query],
    [ids.query, VISIBLE_IDS.dashboard],
    [ids.table, ids.dashboard],
    [ids.table, VISIBLE_IDS.table],
  ]) {
    const { body } = await app.call('POST', '/lineage/manual', { body: { from_entity, to_entity, direction: 'DOWNSTREAM' } })
    hidden.lineage_id!.push(body.id)
  }
  // Open incidents of a hidden table upstream and of a hidden column of a visible table.
  for (const target of [ids.table, ids.column]) {
    const { body } = await app.call('POST', '/monitor/monitors', {
      body: { target, metric_type: 'pushed', name: 'zebra', condition_manual_max: 1 },
    })
    await app.call('POST', '/monitor/measurements', { body: { measurements: [{ monitor: body.id, value: 2 }] } })
  }
  await refreshIncidentPaths(app.ctx)
  hidden.comment_id ??= []
  for (const resource_id of [ids.table, ids.column]) {
    const { body } = await app.call('POST', '/comments', { body: { resource_id, text: 'About quagga.' } })
    hidden.comment_id.push(body.id)
  }
  for (const type of ['table', 'document'])
    await app.call('PUT', `/resource/all_v2/custom_properties/Tier/${ids[type]}`, { body: { value: 'gold' } })
  // Written, read and replied to like any other.
  await app.call('PATCH', `/resource/all/${ids.table}`, { body: { description: 'About quagga.' } })
  await app.call('GET', `/resource/all/${ids.table}`)
}

/** Every part of a workbook, unpacked: IDs in compressed bytes could not be normalized. */
const readWorkbookText = async (file: Buffer): Promise<string> => {
  const zip = await fromBufferPromise(file, { lazyEntries: true })
  const parts: string[] = []
  for await (const entry of zip.eachEntry()) parts.push(`${entry.fileName}\n${await readText(await zip.openReadStreamPromise(entry))}`)
  return parts.join('\n')
}

const VARYING = new Set(['date', 'x-request-id', 'content-length', 'connection', 'keep-alive'])

const normalizeResponse = (status: number, headers: object, text: string): string => {
  const kept = Object.entries(headers).filter(([name]) => !VARYING.has(name) && !name.startsWith('ratelimit'))
  const same = text.replace(/"(request_id|token|hint)":"[^"]*"/g, '"$1":"…"')
  return `${status} ${JSON.stringify(kept.sort())}\n${same}`
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** The end of a log is a transaction ID, which differs between two databases. */
const LOG_CURSOR = /WyJsb2ci[\w-]+/g

/** A decoded cursor without the digest of its list, so that its IDs are compared like any text. */
const CURSOR = /(?<=cursor(?:":"|=))[\w-]{20,}/g
const decodeCursor = (cursor: string): string => JSON.stringify(JSON.parse(Buffer.from(cursor, 'base64url').toString()).slice(1))

/** IDs generated by the app, numbered in order of appearance. */
export const normalizeNames = (): ((text: string) => string) => {
  const names = new Map<string, string>()
  return (text) =>
    text
      .replace(LOG_CURSOR, '<log>')
      .replace(CURSOR, decodeCursor)
      .replace(ID, (id) => {
        if (KNOWN.has(id)) return id
        if (!names.has(id)) names.set(id, `<id ${names.size + 1}>`)
        return names.get(id)!
      })
}
