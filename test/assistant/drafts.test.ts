import { afterAll, beforeAll, expect, test } from 'vitest'
import { JOB_HANDLERS } from '../../src/app/tasks.ts'
import { runJob } from '../../src/platform/jobs/run.ts'
import { deriveLineage } from '../lineage/lineage-queries.ts'
import { type Catalog, createLineageCatalog } from '../support/lineage-catalog.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { createModelServer, type ModelServer } from './model-server.ts'

let app: TestApp
let model: ModelServer
let ids: Catalog
let editor: { id: string; token: string }

beforeAll(async () => {
  app = await createTestApp({ webhookAllow: ['127.0.0.1'] })
  model = await createModelServer()
  editor = await app.createUser('editor')
  ids = await createLineageCatalog(app, {
    'shop.raw.orders': ['id', 'state', 'price'],
    'shop.public.orders': ['id', 'state', 'price', 'customer_id', 'memo'],
    'shop.public.daily': ['state', 'total', 'order_count'],
  })
  await deriveLineage(
    app,
    'insert into shop.public.orders (id, state, price) select id, state, price * 2 from shop.raw.orders',
    'insert into shop.public.daily (state, total) select state, sum(price) from shop.public.orders group by state',
  )
  await describe('shop.raw.orders.state', 'Open, paid or shipped.')
  await describe('shop.raw.orders.price', 'Price in cents.')
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
})

const describe = (name: string, description: string) => app.call('PATCH', `/resource/all/${ids.get(name)}`, { body: { description } })
const draft = async (name: string, more: object = {}) => {
  const resource_id = ids.get(name)!
  const { status, body } = await app.call('POST', '/ai/drafts', { token: editor.token, body: { resource_id, ...more } })
  expect([status, body.detail]).toEqual([201, undefined])
  await runJob(app.ctx, JOB_HANDLERS, body.id, { resource_id, use_model: false, ...more }, true)
  return (await app.call('GET', `/background_jobs/${body.id}`, { token: editor.token })).body
}
interface Listed {
  readonly id: string
  readonly resource_title_full: string
  readonly value: string
  readonly field: string
  readonly grounds: { type: string; text: string; resource_id: string | null }[]
}
const list = async (query = 'status=open', token = editor.token): Promise<Listed[]> =>
  (await app.call('GET', `/change_suggestions?by=ai&${query}`, { token })).body.results
const listTexts = async (query?: string, token?: string) =>
  (await list(query, token)).map(({ resource_title_full, value }) => `${resource_title_full}: ${value}`).sort()
const find = async (name: string) => (await list()).find(({ resource_title_full }) => resource_title_full === name)!

test('columns inherit descriptions along lineage that passes values on, names are put into words, and nothing is published', async () => {
  const job = await draft('shop.public')
  expect(job).toMatchObject({ status: 'COMPLETED', logs: expect.stringContaining('Drafted 4 texts for 2 of 2 tables.') })
  expect(await listTexts()).toEqual([
    'shop.public.daily.order_count: Number of orders.',
    'shop.public.daily.state: Open, paid or shipped.', // through a column that has no description itself
    'shop.public.orders.customer_id: ID of the customer.',
    'shop.public.orders.state: Open, paid or shipped.',
  ])
  const { grounds } = await find('shop.public.daily.state')
  expect(grounds).toEqual([{ type: 'lineage', text: 'shop.raw.orders.state', resource_id: ids.get('shop.raw.orders.state') }])
  expect((await app.call('GET', `/resource/all/${ids.get('shop.public.orders.state')}`)).body.description).toBeNull()
  // The same again proposes nothing new.
  expect((await draft('shop.public')).logs).toContain('Drafted 0 texts')
  const log = (await app.call('GET', '/activity_log/audit_logs/?page_size=100')).body.results
  expect(log.map(({ activity_type }: { activity_type: string }) => activity_type)).toEqual(
    expect.arrayContaining(['drafts_created', 'change_suggested']),
  )
})

test('a draft is edited and accepted, or rejected and then not proposed again', async () => {
  const { id } = await find('shop.public.orders.state')
  const path = `/change_suggestions/${id}`
  const edited = await app.call('PATCH', path, { token: editor.token, body: { value: 'Open, paid, shipped or lost.' } })
  expect(edited.body).toMatchObject({ value: 'Open, paid, shipped or lost.', by: 'ai', status: 'open', created_by: editor.id })
  expect((await app.call('POST', `${path}/accept`, { token: editor.token })).body.status).toBe('accepted')
  expect((await app.call('GET', `/resource/all/${ids.get('shop.public.orders.state')}`)).body.description).toBe(
    'Open, paid, shipped or lost.',
  )
  expect((await app.call('PATCH', path, { token: editor.token, body: { value: 'Other.' } })).status).toBe(409)
  const viewer = await app.createUser('viewer')
  for (const name of ['shop.public.orders.customer_id', 'shop.public.daily.state']) {
    const other = (await find(name)).id
    expect((await app.call('PATCH', `/change_suggestions/${other}`, { token: viewer.token, body: { value: 'x' } })).status).toBe(403)
    expect((await app.call('POST', `/change_suggestions/${other}/reject`, { token: editor.token })).body.status).toBe('rejected')
  }
  await draft('shop.public')
  // Its nearest source is another one now, which is a new fact.
  expect(await listTexts()).toEqual([
    'shop.public.daily.order_count: Number of orders.',
    'shop.public.daily.state: Open, paid, shipped or lost.',
  ])
})

test('only people who see what a draft is based on see the draft', async () => {
  const team = await app.createTeam(true)
  const member = await app.createUser('editor', { teams: [team] })
  const hidden = await createLineageCatalog(app, { 'vault.raw.salaries': ['amount'] }, { teams: [team] })
  const open = await createLineageCatalog(app, { 'office.public.costs': ['amount'] })
  await deriveLineage(app, 'insert into office.public.costs (amount) select amount from vault.raw.salaries')
  await app.call('PATCH', `/resource/all/${hidden.get('vault.raw.salaries.amount')}`, { body: { description: 'Secret salary.' } })
  const start = async (token: string) => {
    const resource_id = open.get('office.public.costs')!
    const { body } = await app.call('POST', '/ai/drafts', { token, body: { resource_id } })
    await runJob(app.ctx, JOB_HANDLERS, body.id, { resource_id, use_model: false }, true)
  }
  const query = `resource_id=${open.get('office.public.costs')}`
  await start(editor.token) // sees nothing upstream
  expect(await listTexts(query, member.token)).toEqual([])
  await start(member.token)
  expect(await listTexts(query, member.token)).toEqual(['office.public.costs.amount: Secret salary.'])
  expect(await listTexts(query)).toEqual([])
  const [{ id }] = (await list(query, member.token)) as [Listed]
  expect((await app.call('GET', `/change_suggestions/${id}`, { token: editor.token })).status).toBe(404)
  expect((await app.call('POST', `/change_suggestions/${id}/accept`, { token: editor.token })).status).toBe(404)
  // Nor do others read it in the log of the column.
  const edit = { token: member.token, body: { value: 'Secret salary of a month.' } }
  expect((await app.call('PATCH', `/change_suggestions/${id}`, edit)).status).toBe(200)
  const readLog = async (token: string) => {
    const { status, body } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${open.get('office.public.costs.amount')}`, {
      token,
    })
    expect(status).toBe(200)
    return { count: body.count, secret: JSON.stringify(body).includes('Secret salary'), entries: body.non_versioned_logs.length }
  }
  const [all, others] = [await readLog(member.token), await readLog(editor.token)]
  expect([all.secret, others.secret, others.count, others.entries]).toEqual([true, false, all.count - 2, all.entries - 2])
})

test('a model drafts the rest from SQL and neighbours, as suggestions with grounds, within the limits', async () => {
  expect(
    await app.call('POST', '/ai/drafts', { token: editor.token, body: { resource_id: ids.get('shop.public'), use_model: true } }),
  ).toMatchObject({ status: 409 })
  const settings = {
    enabled: true,
    provider: 'openai',
    url: model.url,
    model: 'scripted',
    key: 'k',
    share_values: false,
    tokens_per_day: 1000,
  }
  const rest = { cost_per_day: null, input_price: null, output_price: null, timeout_seconds: 60, retention_days: 90 }
  expect((await app.call('PUT', '/ai/settings', { body: { ...settings, ...rest } })).status).toBe(200)
  await app.call('POST', '/tag', { body: { name: 'Finance' } })
  const reply = {
    description: 'Paid amounts by day. ![x](https://evil.example/p.png)',
    columns: { TOTAL: 'Sum of the prices.', state: 'Again.', unknown: 'x', order_count: 'How many orders.' },
    tags: ['finance', 'invented'],
    terms: [{ title: 'Daily revenue', definition: 'Revenue of a day.' }],
  }
  model.script.push({ text: `Here it is:\n\`\`\`json\n${JSON.stringify(reply)}\n\`\`\``, usage: { input: 900, output: 200 } })
  const job = await draft('shop.public.daily', { use_model: true })
  expect(job.status).toBe('COMPLETED')
  const drafts = await list(`status=open&resource_id=${ids.get('shop.public.daily')}`)
  expect(drafts.map(({ field, value }) => `${field}: ${value}`).sort()).toEqual([
    'description: Number of orders.', // it was open before
    'description: Open, paid, shipped or lost.',
    'description: Paid amounts by day. x',
    'description: Sum of the prices.',
    'tag: Finance',
    'term: Daily revenue',
  ])
  expect(
    drafts.find(({ value }) => value === 'Sum of the prices.')!.grounds.map(({ type, text }) => `${type} ${text.slice(0, 30)}`),
  ).toEqual(['model scripted', 'name shop.public.daily', 'sql insert into shop.public.daily ', 'neighbour shop.public.orders'])
  const sent = JSON.stringify(model.requests[0]!.body)
  expect(sent).toContain('sum(price)')
  expect(sent).toContain('Existing tags: [\\"Finance\\"]')
  // The daily limit of the user ends the use of the model, not the job.
  expect((await draft('shop.raw', { use_model: true })).logs).toContain("today's 1000 tokens")
  expect(model.requests).toHaveLength(1)
})

test('what a model has read of hidden columns and terms stays with those who see them', async () => {
  const team = await app.createTeam(true)
  const member = await app.createUser('editor', { teams: [team] })
  const catalog = await createLineageCatalog(app, { 'office.public.bonuses': ['amount', 'plan'], 'office.public.trips': ['cost'] })
  const [bonuses, trips] = [catalog.get('office.public.bonuses')!, catalog.get('office.public.trips')!]
  const hide = { teams: [team], description: 'Known to few.' }
  expect((await app.call('PATCH', `/resource/all/${catalog.get('office.public.bonuses.plan')}`, { body: hide })).status).toBe(200)
  const term = await app.createResource({ entity_type: 'glossary', title: 'Merger', ...hide })
  expect((await app.call('PATCH', `/resource/all/${trips}`, { body: { terms: [term.id] } })).status).toBe(200)
  for (const [resource_id, name] of [
    [bonuses, 'office.public.bonuses'],
    [trips, 'office.public.trips'],
  ]) {
    model.script.push({ text: JSON.stringify({ description: 'As few know.' }), usage: { input: 10, output: 10 } })
    const { body } = await app.call('POST', '/ai/drafts', { token: member.token, body: { resource_id, use_model: true } })
    await runJob(app.ctx, JOB_HANDLERS, body.id, { resource_id, use_model: true }, true)
    expect(await listTexts(`resource_id=${resource_id}`, member.token), name).toContain(`${name}: As few know.`)
    expect(await listTexts(`resource_id=${resource_id}`), name).not.toContain(`${name}: As few know.`)
  }
})

test('a job is cancelled; wrong requests are rejected', async () => {
  const { body } = await app.call('POST', '/ai/drafts', { token: editor.token, body: { resource_id: ids.get('shop.raw') } })
  const stranger = await app.createUser('editor')
  expect((await app.call('POST', `/background_jobs/${body.id}/cancel`, { token: stranger.token })).status).toBe(404)
  expect((await app.call('POST', `/background_jobs/${body.id}/cancel`, { token: editor.token })).status).toBe(200)
  await runJob(app.ctx, JOB_HANDLERS, body.id, { resource_id: ids.get('shop.raw'), use_model: false }, true)
  expect((await app.call('GET', `/background_jobs/${body.id}`, { token: editor.token })).body).toMatchObject({
    status: 'FAILED',
    logs: expect.stringContaining('The job was cancelled.'),
  })
  const start = (body: object, token = editor.token) => app.call('POST', '/ai/drafts', { token, body })
  expect((await start({})).status).toBe(400)
  expect((await start({ resource_id: ids.get('shop.raw'), integration_id: ids.get('shop.raw') })).status).toBe(400)
  expect((await start({ resource_id: '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f' })).status).toBe(404)
  const viewer = await app.createUser('viewer')
  expect((await start({ resource_id: ids.get('shop.raw') }, viewer.token)).status).toBe(403)
})
