import type { RouteOptions } from 'fastify'
import { sql } from 'kysely'
import type { Role } from '../src/access/permissions.ts'
import { hashOf, hintOf } from '../src/access/tokens.ts'
import { inTransaction } from '../src/context.ts'
import { registerIntegrations } from '../src/integrations/register.ts'
import { followChanges } from '../src/notify/follow.ts'
import { createResources } from '../src/resources/create.ts'
import { ENTITY_TYPES } from '../src/resources/kinds.ts'
import { withRoutes } from './contract.ts'
import { aHouse, type CallOptions, type House } from './house.ts'

/**
 * Test apps that are identical down to the last ID except for what the caller may not see: in one it never existed, in one it exists, in one
 * it was deleted. Every response to the caller must be byte-identical in all of them.
 */
export type Hidden = 'never' | 'there' | 'gone'
export type Flavour = 'unpublished' | 'closed' | 'closed_too' | 'elsewhere'

/** What each role may not see. An editor sees unpublished resources; a guest only those of their teams. */
export const HIDDEN_FROM = {
  viewer: ['unpublished', 'closed', 'closed_too'],
  guest: ['unpublished', 'closed', 'closed_too', 'elsewhere'],
  editor: ['closed', 'closed_too'],
} as const satisfies Partial<Record<Role, readonly Flavour[]>>
export type Caller = keyof typeof HIDDEN_FROM

const NOW = new Date('2026-03-01T12:00:00Z')
let last = 0
const fixed = (): string => `00000000-0000-7000-8000-${(++last).toString(16).padStart(12, '0')}`

export const CALLER = fixed()
export const CALLERS_TOKEN_ID = fixed()
export const OTHER_USER = fixed()
export const OPEN_TEAM = fixed()
export const CLOSED_TEAM = fixed()
const OTHER_TEAM = fixed()
export const INTEGRATION = fixed()
export const HIDDEN_INTEGRATION = '0197a8c2-5e0f-7f43-9d2a-1b8c3e4f5a6f'
export const UNKNOWN = fixed()
const TOKEN = 'tbl_test_two_worlds'

const byType = (): Record<string, string> => Object.fromEntries(ENTITY_TYPES.map((type) => [type, fixed()]))
/** One resource of each entity type that everyone sees, and one of each type for every way to hide it. */
export const SEEN = byType()
export const UNSEEN: Readonly<Record<Flavour, Readonly<Record<string, string>>>> = {
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

const LOOKS: Readonly<Record<Flavour, { published: boolean; teams: string[] }>> = {
  unpublished: { published: false, teams: [OPEN_TEAM] },
  closed: { published: true, teams: [CLOSED_TEAM] },
  closed_too: { published: true, teams: [OPEN_TEAM, CLOSED_TEAM] }, // also in a team of the caller: the closed team decides
  elsewhere: { published: true, teams: [OTHER_TEAM] },
}

export interface World extends AsyncDisposable {
  readonly house: House
  readonly routes: readonly RouteOptions[]
  /** IDs assigned by the app itself, by path parameter. */
  readonly made: Readonly<Record<string, string>>
  /** IDs of hidden records that the app assigned itself. */
  readonly hidden: Readonly<Record<string, readonly string[]>>
  /** Sends a request as the caller (or with another token) and returns the response without the parts that differ between requests. */
  ask(method: string, path: string, options?: CallOptions): Promise<string>
}

/** `naming`: visible resources refer to hidden collections. (Deleting a collection updates its members, which may reveal it.) */
export const aWorld = async (caller: Caller, state: Hidden, naming = true): Promise<World> => {
  const { made: house, routes } = await withRoutes(() => aHouse({ now: () => NOW }))
  await people(house, caller)
  await furnish(
    house,
    SEEN,
    { published: true, teams: [OPEN_TEAM], integration: INTEGRATION },
    'zebro',
    naming ? { collections: UNSEEN_IDS('collection') } : {},
  )
  const made = await surround(house)
  const hidden: Record<string, string[]> = { lineage_id: [] }
  if (state !== 'never') for (const flavour of HIDDEN_FROM[caller]) await hide(house, flavour, hidden)
  await house.call('PATCH', `/resource/all/${SEEN.table}`, { body: { description: 'One row for each order.' } })
  while (await followChanges({ ...house.ctx, now: NOW }, [])); // the caller is notified about subscriptions
  if (state === 'gone') await sql`delete from integrations where id = ${HIDDEN_INTEGRATION}`.execute(house.db)
  if (state === 'gone')
    for (const flavour of HIDDEN_FROM[caller])
      for (const type of IN_ORDER) {
        const { status } = await house.call('DELETE', `/resource/all/${UNSEEN[flavour][type]}`)
        if (status !== 204 && status !== 404) throw new Error(`Deleting a hidden ${type} failed: ${status}`)
      }
  await house.app.ready()
  return {
    house,
    routes,
    made,
    hidden,
    ask: async (method, path, { body, headers = {}, token = TOKEN } = {}) => {
      const {
        statusCode,
        headers: got,
        body: text,
      } = await house.app.inject({
        method: method as 'GET',
        url: path,
        headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      return plain(statusCode, got, text)
    },
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  }
}

const people = async ({ db }: House, caller: Caller): Promise<void> => {
  const times = { created_at: NOW, updated_at: NOW }
  await db
    .insertInto('users')
    .values([
      { id: CALLER, email: 'caller@example.com', role: caller, ...times },
      { id: OTHER_USER, email: 'other@example.com', role: 'editor', ...times },
    ])
    .execute()
  const token = { user_id: CALLER, name: 'test', hint: hintOf(TOKEN), hash: hashOf(TOKEN), scope: 'admin', ...times }
  await db
    .insertInto('tokens')
    .values({ id: CALLERS_TOKEN_ID, ...token })
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

interface Look {
  readonly published: boolean
  readonly teams: string[]
  readonly integration: string
}

/** One resource of each entity type. The hidden ones have visible parents, high usage and the caller as owner. */
const furnish = async (house: House, ids: Readonly<Record<string, string>>, look: Look, word: string, more: object = {}): Promise<void> => {
  for (const type of IN_ORDER)
    await createResources({ ...house.ctx, now: NOW }, [
      {
        ...look,
        id: ids[type],
        entity_type: type,
        title: type === 'table' ? 'orders' : `${word}_${type}`,
        description: `About ${word} and orders.`,
        parent: PARENTS[type] ? SEEN[PARENTS[type]] : null,
        ...more,
      },
    ])
}
/** Visible resources may refer to hidden ones: IDs are stored as sent, whether they exist or not. */
const UNSEEN_IDS = (type: string) => Object.values(UNSEEN).map((ids) => ids[type]!)

/** Everything else that all variants have: a property with a value, lineage between visible resources, a tag. */
const surround = async (house: House): Promise<Record<string, string>> => {
  const must = async (...asked: Parameters<House['call']>) => {
    const answer = await house.call(...asked)
    if (answer.status >= 300) throw new Error(`${asked[0]} ${asked[1]}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  await must('POST', '/resource/all_v2/custom_properties/', { body: { name: 'Tier', value_type: 'string' } })
  await must('PUT', `/resource/all_v2/custom_properties/Tier/${SEEN.table}`, { body: { value: 'gold' } })
  const lineage = await must('POST', '/lineage/manual', {
    body: { from_entity: SEEN.table, to_entity: SEEN.dashboard, direction: 'DOWNSTREAM' },
  })
  const tag = await must('POST', '/tag', { body: { name: 'money' } })
  const group = await must('POST', '/auth/group', { body: { name: 'stewards', members: [CALLER] } })
  await must('PATCH', `/resource/all/${SEEN.table}`, { body: { tags: [tag.id], subscribers: [CALLER] } })
  return { lineage_id: lineage.id, tag_id: tag.id, group_id: group.id }
}

/** An integration of a closed team. Integrations are always published, so other variants cannot hide one. */
const hideIntegration = async (house: House): Promise<void> => {
  await inTransaction({ ...house.ctx, now: NOW }, (ctx) => registerIntegrations(ctx, [HIDDEN_INTEGRATION]))
  const body = { name: 'zebra_integration', teams: [CLOSED_TEAM] }
  const { status } = await house.call('PATCH', `/integration/integrations/${HIDDEN_INTEGRATION}`, { body })
  if (status !== 200) throw new Error(`Creating the hidden integration failed: ${status}`)
}

/** Creates the hidden resources of one variant with everything that can be attached to them. */
const hide = async (house: House, flavour: Flavour, hidden: Record<string, string[]>): Promise<void> => {
  if (flavour === 'closed') await hideIntegration(house)
  const ids = UNSEEN[flavour]
  const [tag] = (await house.call('GET', '/tag')).body.results
  await furnish(house, ids, { ...LOOKS[flavour], integration: INTEGRATION }, 'zebra', {
    external_usage: 1000,
    owners: [CALLER],
    subscribers: [CALLER],
    tags: [tag.id],
    definition: `select * from quagga -- ${flavour}`,
  })
  await sql`update resources set bookmarked_by = array[${CALLER}::uuid] where id = any(${Object.values(ids)}::uuid[])`.execute(house.db)
  for (const [from_entity, to_entity] of [
    [SEEN.table, ids.query],
    [ids.query, SEEN.dashboard],
    [ids.table, ids.dashboard],
    [ids.table, SEEN.table],
  ]) {
    const { body } = await house.call('POST', '/lineage/manual', { body: { from_entity, to_entity, direction: 'DOWNSTREAM' } })
    hidden.lineage_id!.push(body.id)
  }
  for (const type of ['table', 'document'])
    await house.call('PUT', `/resource/all_v2/custom_properties/Tier/${ids[type]}`, { body: { value: 'gold' } })
  // Edited and read like any other resource.
  await house.call('PATCH', `/resource/all/${ids.table}`, { body: { description: 'About quagga.' } })
  await house.call('GET', `/resource/all/${ids.table}`)
}

const VARYING = new Set(['date', 'x-request-id', 'content-length', 'connection', 'keep-alive'])

const plain = (status: number, headers: object, text: string): string => {
  const kept = Object.entries(headers).filter(([name]) => !VARYING.has(name) && !name.startsWith('ratelimit'))
  const same = text.replace(/"(request_id|token|hint)":"[^"]*"/g, '"$1":"…"')
  return `${status} ${JSON.stringify(kept.sort())}\n${same}`
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** A log cursor contains a transaction ID, which differs between databases. */
const LOG_CURSOR = /WyJsb2ci[\w-]+/g

/** Decodes a cursor and drops the digest of its list, so that its IDs are compared like other text. */
const CURSOR = /(?<=cursor(?:":"|=))[\w-]{20,}/g
const inClear = (cursor: string): string => JSON.stringify(JSON.parse(Buffer.from(cursor, 'base64url').toString()).slice(1))

/** Replaces the IDs an app assigned itself by the order of their appearance. */
export const sameNames = (): ((text: string) => string) => {
  const names = new Map<string, string>()
  return (text) =>
    text
      .replace(LOG_CURSOR, '<log>')
      .replace(CURSOR, inClear)
      .replace(ID, (id) => {
        if (KNOWN.has(id)) return id
        if (!names.has(id)) names.set(id, `<id ${names.size + 1}>`)
        return names.get(id)!
      })
}
