import type { RouteOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { getFieldsFor } from '../../src/catalog/records/fields.ts'
import type { FieldType } from '../../src/platform/lists/field.ts'
import { can, type Permission, SYSTEM } from '../../src/platform/permissions/permissions.ts'
import { isEndless } from '../support/contract.ts'
import { ADMIN_TOKEN } from '../support/database.ts'
import {
  CALLER,
  CALLERS_TOKEN_ID,
  type Caller,
  CLOSED_TEAM,
  createVisibilityFixture,
  HIDDEN_FROM,
  HIDDEN_IDS,
  HIDDEN_INTEGRATION,
  INTEGRATION,
  normalizeNames,
  OPEN_TEAM,
  OTHER_USER,
  UNKNOWN,
  VISIBLE_IDS,
  type VisibilityFixture,
} from './visibility-fixture.ts'

/** One request, with what it needs to know of its test app. */
interface TestRequest {
  readonly method: string
  readonly path: (createdIds: VisibilityFixture['createdIds']) => string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** The resource type a path or query parameter refers to. */
const KIND_OF: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(VISIBLE_IDS).map((type) => [`${type}_id`, type])),
  event_category_id: 'category',
  reply_id: 'question_reply',
  resource_id: 'table',
  entity_id: 'table',
  parent_id: 'schema',
  from_entity: 'table',
  from_entity_id: 'table',
  from_entity__in: 'table',
  to_entity: 'dashboard',
  to_entity_id: 'dashboard',
  to_entity__in: 'dashboard',
}
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  user_id: [CALLER, OTHER_USER],
  user: [CALLER, OTHER_USER],
  owners: [CALLER],
  subscribers: [CALLER],
  team_id: [OPEN_TEAM, CLOSED_TEAM],
  teams: [OPEN_TEAM, CLOSED_TEAM],
  token_id: [CALLERS_TOKEN_ID],
  integration_id: [INTEGRATION, HIDDEN_INTEGRATION],
  integration: [INTEGRATION, HIDDEN_INTEGRATION],
  custom_property_id: ['Tier'],
  version: ['1', '2'],
  sql: ['insert into zebro_table select * from orders', 'select order_id from zebra_schema.orders'],
  dialect: ['postgres'],
  as_of: ['2026-03-01T11:00:00Z', '2026-03-01T12:00:00Z', '2027-01-01T00:00:00Z'],
  from: ['1'],
  to: ['1'],
  cursor: [''],
  page: ['2'], // without it, the first
  page_size: ['3'],
}
const SEARCHES = new Set(['/api/v1/resource/catalog', '/api/v1/search', '/api/v1/search/suggest'])
const SEARCHED = new Set(['q', 'search_term', 'title', 'schema', 'database'])
const WORDS = ['zebra', 'zebr', 'zebrs', 'zebro', 'orders', 'ordrs', 'quagga', 'quaga', 'gold', 'zebra_schema.orders', 'money']

const hiddenIds = (caller: Caller, type: string) => HIDDEN_FROM[caller].map((flavour) => HIDDEN_IDS[flavour][type]!)

/** What tells how much is hidden, on lists whose conditions are those of the main list. */
const WHOLE = '/api/v1/resource/catalog'
const FIELDS = getFieldsFor(SYSTEM)

/** Each field with each kind of condition that its type allows. */
const conditionsOf = (caller: Caller, field: string) => {
  const values: Readonly<Record<FieldType, readonly unknown[]>> = {
    text: ['zebra_schema'],
    texts: ['zebra_schema'],
    number: [1],
    boolean: [true],
    timestamp: [],
    id: [CALLER, hiddenIds(caller, 'collection')[0]],
    ids: [CALLER, hiddenIds(caller, 'collection')[0]],
  }
  const more: Partial<Record<FieldType, unknown>> = { number: 0, timestamp: '2026-01-01T00:00:00Z' }
  const { type } = FIELDS.find(field)!
  return [
    { operator: 'is_set', field },
    ...(more[type] === undefined ? [] : [{ operator: 'gt', field, value: more[type] }]),
    ...values[type].map((value) => ({ operator: 'exact', field, value })),
  ]
}
const SHORT_FILTERS = [
  { operator: 'exact', field: 'children_count', value: 1 },
  { operator: 'exact', field: 'title', value: 'zebra_schema' },
]
const filtersOf = (caller: Caller, url: string): string[] => {
  const leaves = url === WHOLE ? FIELDS.names().flatMap((field) => conditionsOf(caller, field)) : SHORT_FILTERS
  const property = { operator: 'exact', field: 'custom_property:Tier', value: 'gold' }
  const not = { operator: 'not', operands: [{ operator: 'exact', field: 'title', value: 'zebro_schema' }] }
  return [...leaves, property, not].map((filter) => JSON.stringify(filter))
}
const SHORT_SORTS = [
  ['children_count', 'asc'],
  ['title', 'desc'],
  ['logged_at', 'asc'],
]
const sortsOf = (url: string): string[] =>
  (url === WHOLE
    ? FIELDS.names().flatMap((field) => [
        [field, 'asc'],
        [field, 'desc'],
      ])
    : SHORT_SORTS
  ).map(([field, order]) => JSON.stringify({ field, order, tie_breaker: { field: 'title', order: 'asc' } }))

type Query = { properties?: Record<string, { type?: string; enum?: string[] }>; required?: string[] }
const buildQuery = (route: RouteOptions): Query => ((route.schema as { querystring?: Query } | undefined)?.querystring ?? {}) as Query

const buildValues = (
  caller: Caller,
  url: string,
  name: string,
  { type, enum: values }: { type?: string; enum?: string[] } = {},
): readonly string[] => {
  if (name === 'filter') return filtersOf(caller, url)
  if (name === 'sort') return sortsOf(url)
  if (OTHERS[name]) return OTHERS[name]
  if (name === 'ids')
    return [
      ...['table', 'collection', 'document'].flatMap((type) => [VISIBLE_IDS[type]!, ...hiddenIds(caller, type), UNKNOWN]),
      HIDDEN_INTEGRATION,
    ]
  if (KIND_OF[name]) return [VISIBLE_IDS[KIND_OF[name]]!, ...hiddenIds(caller, KIND_OF[name]), UNKNOWN]
  if (values) return values.filter((value) => value !== null)
  if (type === 'boolean') return ['true', 'false']
  if (type === 'integer' || type === 'number') return ['1', '3']
  // How words match is the same everywhere: where they are searched, all are tried.
  return SEARCHES.has(url) && SEARCHED.has(name) ? WORDS : ['zebra', 'orders']
}

/** Every path of a route: with visible, hidden and unknown IDs. */
const buildPaths = (
  caller: Caller,
  url: string,
  hidden: VisibilityFixture['hidden'],
): ((createdIds: VisibilityFixture['createdIds']) => string)[] => {
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const variants = Math.max(1, ...names.map((name) => 2 + hiddenIds(caller, 'table').length + (hidden[name]?.length ?? 0)))
  return Array.from({ length: names.length === 0 ? 1 : variants }, (_, variantIndex) => (createdIds: VisibilityFixture['createdIds']) => {
    return url.replace(/:(\w+)/g, (_, name: string) => {
      const app = createdIds[name] ? [createdIds[name], ...(hidden[name] ?? []), UNKNOWN] : buildValues(caller, url, name)
      return encodeURIComponent(app[Math.min(variantIndex, app.length - 1)] ?? UNKNOWN)
    })
  })
}

const toRequest = (method: string, path: TestRequest['path'], more: Omit<TestRequest, 'method' | 'path'> = {}): TestRequest => ({
  method,
  path,
  ...more,
})

/** Lists requested with these are read to the end, row by row. */
const PAGED_PATHS = 'page_size=1&cursor='
/** Lists that are also read inside a container. */
const NESTED_PATHS = /^(parent_id|resource_id)=[^&]*$/

/** The same conditions decide for all: a viewer tries every parameter, and an editor those of the routes that are closed to a viewer. */
const triesParameters = (caller: Caller, { config }: RouteOptions): boolean =>
  caller === 'viewer' || (caller === 'editor' && !can({ ...SYSTEM, role: 'viewer' }, config!.permission as Permission))

/** Every route that reads: without parameters, and with each parameter. New routes are included automatically. */
const reads = (
  caller: Caller,
  { routes }: VisibilityFixture,
  { hidden }: VisibilityFixture,
  how: 'bare' | 'asking' = 'asking',
): TestRequest[] =>
  routes
    .filter(({ method, url, config }) => method === 'GET' && url.startsWith('/api/v1') && config?.permission !== 'public')
    .filter((route) => !isEndless(route))
    .flatMap((route) => {
      const { properties = {}, required = [] } = buildQuery(route)
      const asking = how === 'asking' && triesParameters(caller, route)
      const needed = required.map((name) => `${name}=${encodeURIComponent(buildValues(caller, route.url, name, properties[name])[0]!)}`)
      const queries = Object.entries(asking ? properties : {}).flatMap(([name, property]) =>
        buildValues(caller, route.url, name, property).map((value) =>
          [...needed.filter((each) => !each.startsWith(`${name}=`)), `${name}=${encodeURIComponent(value)}`].join('&'),
        ),
      )
      if (asking && properties.cursor) {
        // Within a container that the caller sees and one that is hidden; on the main list, within one for each way of hiding.
        const nested = queries.filter((query) => NESTED_PATHS.test(query))
        const within = route.url === WHOLE ? nested : nested.slice(0, 2)
        queries.push(...[needed.join('&'), ...within].map((query) => `${query}${query && '&'}${PAGED_PATHS}`))
      }
      const [first, ...others] = buildPaths(caller, route.url, hidden)
      return [
        ...['', ...queries].map((query) => toRequest('GET', (createdIds) => `${first!(createdIds)}?${query || needed.join('&')}`)),
        ...others.map((path) => toRequest('GET', (createdIds) => `${path(createdIds)}?${needed.join('&')}`)),
      ]
    })

/** Every route that writes, on hidden and unknown IDs, with its own example and with hidden IDs in every ID field. */
const writes = (caller: Caller, { routes }: VisibilityFixture, { hidden }: VisibilityFixture): TestRequest[] =>
  routes
    .filter(
      ({ method, url, config }) =>
        !Array.isArray(method) && !['GET', 'HEAD'].includes(method) && url.startsWith('/api/v1') && config?.permission !== 'public',
    )
    .filter(({ method, url }) => caller !== 'editor' || `${method} ${url}` !== SHARED_DEFINITION)
    .flatMap((route) => {
      const { body } = (route.schema ?? {}) as { body?: { examples?: unknown[] } }
      const text = body && JSON.stringify(body.examples?.[0] ?? {})
      const ids = [UNKNOWN, ...hiddenIds(caller, 'table'), ...hiddenIds(caller, 'question')]
      const bodies = text ? [...new Set(ids.map((id) => text.replace(EXAMPLE_ID, id)))] : [undefined]
      const [first, ...others] = buildPaths(caller, route.url, hidden)
      const send = (path: TestRequest['path'], body: string | undefined) =>
        toRequest(String(route.method), path, { body, headers: { 'idempotency-key': `${route.url} ${body}`.slice(0, 255) } })
      // Each hidden ID is sent alone: in the path, or in a body that is sent to what the caller sees.
      const [example, ...withHidden] = bodies
      return [
        ...(others.length > 0 ? others : [first!]).map((path) => send(path, example)),
        ...withHidden.map((body) => send(first!, body)),
      ]
    })

/**
 * A property has one definition for everyone, and its values always fit it. Narrowing it is rejected because of values of resources that
 * this editor does not see: the alternative were to change those.
 */
const SHARED_DEFINITION = 'PUT /api/v1/resource/all_v2/custom_properties/:custom_property_id'
const EXAMPLE_ID = /018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5[ef]/g

/** What a suspicious user would try. */
const suspiciousRequests = (caller: Caller): TestRequest[] => {
  const at = (path: string) => () => path
  const tables = hiddenIds(caller, 'table')
  return [
    ...tables.flatMap((id) => [
      toRequest('POST', at('/api/v1/resource/catalog'), { body: { title: 'mine', parent: id } }),
      toRequest('PATCH', at(`/api/v1/resource/all/${VISIBLE_IDS.document}`), { body: { parent: id } }),
      toRequest('PATCH', at(`/api/v1/resource/all/${id}`), { body: { title: 'mine' } }),
      toRequest('PATCH', at(`/api/v1/resource/all/${id}`), { body: { title: 'mine' }, headers: { 'if-match': '"v1"' } }),
      toRequest('DELETE', at(`/api/v1/resource/all/${id}`), { headers: { 'if-match': '"v1"' } }),
      toRequest('POST', at('/api/v1/resource/all/bulk_update/'), {
        body: [VISIBLE_IDS.table, id].map((each) => ({ id: each, data: { pii: true } })),
      }),
      toRequest('POST', at(`/api/v1/resource/all/${id}/restore`), { body: { version: 1 } }),
      toRequest('POST', at('/api/v1/lineage/manual'), { body: { from_entity: VISIBLE_IDS.table, to_entity: id, direction: 'DOWNSTREAM' } }),
      toRequest('POST', at('/api/v1/lineage/manual'), { body: { from_entity: id, to_entity: VISIBLE_IDS.table, direction: 'DOWNSTREAM' } }),
      toRequest('POST', at('/api/v1/lineage/lineage_from_query'), { body: { sql: 'select * from orders', table_id: id } }),
      toRequest('PUT', at(`/api/v1/resource/all_v2/custom_properties/Tier/${id}`), { body: { value: 'silver' } }),
    ]),
    toRequest('POST', at('/api/v1/database/schemas'), { body: { title: 'mine', database: 'zebra_database' } }),
    toRequest('POST', at('/api/v1/event/events'), {
      body: { title: 'mine', parent: hiddenIds(caller, 'category')[0], integration: INTEGRATION },
    }),
    toRequest('POST', at('/api/v1/question/replies'), { body: { title: 'mine', parent: hiddenIds(caller, 'question')[0] } }),
    toRequest('PATCH', at(`/api/v1/question/questions/${VISIBLE_IDS.question}`), {
      body: { accepted_reply: hiddenIds(caller, 'question_reply')[0] },
    }),
    toRequest('POST', at('/api/v1/lineage/lineage_from_query'), {
      body: { sql: 'insert into zebra_schema.orders select * from zebro_table' },
    }),
    // By import file: a hidden resource by its ID, as a parent, as an end of lineage.
    ...[
      `id,description\n${tables[0]},mine\n`,
      `databuilder_id,entity_type,title,parent\nmine,table,mine,${tables[0]}\n`,
      `from_identifier,to_identifier\n${VISIBLE_IDS.table},${tables[0]}\n`,
    ].map((body) =>
      toRequest('POST', at(`/api/v1/integration/integrations/${INTEGRATION}/import_metadata/`), {
        body,
        headers: { 'content-type': 'text/csv' },
      }),
    ),
    toRequest('POST', at('/api/v1/tag'), { body: { name: 'Money' } }),
    toRequest('POST', at('/api/v1/resource/all_v2/custom_properties/'), { body: { name: 'tier', value_type: 'string' } }),
    // Edits of visible resources that affect hidden ones: names, publication and location are inherited.
    toRequest('PATCH', at(`/api/v1/resource/all/${VISIBLE_IDS.schema}`), { body: { title: 'renamed' } }),
    toRequest('PATCH', at(`/api/v1/resource/all/${VISIBLE_IDS.table}`), { body: { published: false } }),
    toRequest('PATCH', at(`/api/v1/resource/all/${VISIBLE_IDS.table}`), { body: { published: true } }),
    toRequest('PATCH', at(`/api/v1/resource/all/${VISIBLE_IDS.schema}`), { body: { parent: VISIBLE_IDS.table } }),
    toRequest('DELETE', at(`/api/v1/resource/all/${VISIBLE_IDS.announcement}`)),
  ]
}

const transcript = async (fixture: VisibilityFixture, requests: readonly TestRequest[], token?: string): Promise<string[]> => {
  const transcriptLines: string[] = []
  for (const { method, path, body, headers } of requests) {
    for (let at: string | undefined = path(fixture.createdIds); at; ) {
      const response = await fixture.request(method, at, { body, headers, token })
      transcriptLines.push(`${method} ${decodeURIComponent(at)} ${JSON.stringify(body ?? '')}\n${response}`)
      const [next] = /(?<="next_cursor":")[^"]+/.exec(response) ?? []
      at = at.includes(PAGED_PATHS) && next ? at.replace(/(?<=cursor=).*/, next) : undefined
    }
  }
  return transcriptLines.map(normalizeNames())
}

/** Each request once: routes with few IDs would get the same ones again and again. */
const withoutRepetitions = (requests: readonly TestRequest[], { createdIds }: VisibilityFixture): TestRequest[] => [
  ...new Map(requests.map((each) => [JSON.stringify({ ...each, path: each.path(createdIds) }), each])).values(),
]

/** Each request whose responses differ, with the position of the first difference. */
const differences = (some: readonly string[], others: readonly string[]): string[] =>
  some.flatMap((text, i) => {
    const other = others[i] ?? ''
    if (text === other) return []
    const at = Math.max(0, [...text].findIndex((letter, n) => letter !== other[n]) - 60)
    return [`${text.split('\n')[0]}\n  …${text.slice(at, at + 160)}…\n  …${other.slice(at, at + 160)}…`]
  })

test('the requests cover hidden data: an admin sees it on every route that lists or reads resources', async () => {
  await using there = await createVisibilityFixture('viewer', 'there')
  await using never = await createVisibilityFixture('viewer', 'never')
  const requests = withoutRepetitions(reads('viewer', never, there, 'bare'), never)
  const [admins, callers] = [await transcript(never, requests, ADMIN_TOKEN), await transcript(never, requests)]
  const differing = differences(admins, await transcript(there, requests, ADMIN_TOKEN)).map((text) => text.split('?')[0])
  expect(new Set(differing).size).toBeGreaterThan(40)
  for (const endpoint of [
    'resource/catalog',
    'search',
    'lineage/manual',
    'resource/export',
    'table/columns',
    'document',
    'activity_log/audit_logs/',
  ])
    expect(differing).toContain(`GET /api/v1/${endpoint}`)
  // The caller is authorized on most of these routes and gets data.
  expect(callers.filter((text) => /\n200 \[/.test(text)).length).toBeGreaterThan(60)
  expect(callers.find((text) => text.startsWith('GET /api/v1/notification/inbox/unread_count'))).toMatch(/[1-9]/)
})

for (const caller of Object.keys(HIDDEN_FROM) as Caller[])
  describe(`for this ${caller}, hidden resources do not exist`, () => {
    test('no response differs by a byte', async () => {
      await using there = await createVisibilityFixture(caller, 'there')
      await using never = await createVisibilityFixture(caller, 'never')
      const [questions, again] = [reads(caller, never, there), reads(caller, never, there, 'bare')]
      const requests = [questions, writes(caller, never, there), suspiciousRequests(caller), again].flatMap((each) =>
        withoutRepetitions(each, never),
      )
      const [plain, other] = await Promise.all([transcript(never, requests), transcript(there, requests)])
      expect(plain.filter((text) => /\n(401|5\d\d) \[/.test(text))).toEqual([])
      // Workbooks are compared cell by cell.
      const workbooks = plain.filter((text) => text.includes('format=xlsx') && text.includes('xl/worksheets/sheet1.xml'))
      if (caller === 'viewer') expect(workbooks.some((text) => text.includes('zebro_schema'))).toBe(true)
      expect(differences(plain, other)).toEqual([])
    })

    test('nor after the hidden resources were deleted', async () => {
      await using gone = await createVisibilityFixture(caller, 'gone', false)
      await using never = await createVisibilityFixture(caller, 'never', false)
      const requests = [...withoutRepetitions(reads(caller, never, gone, 'bare'), never), ...suspiciousRequests(caller)]
      const [plain, other] = await Promise.all([transcript(never, requests), transcript(gone, requests)])
      expect(differences(plain, other)).toEqual([])
    })
  })
