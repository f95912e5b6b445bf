import { afterAll, beforeAll, expect, test } from 'vitest'
import { planMove } from '../../web/documents/plan-move.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Templates and the order of documents. */
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

// biome-ignore lint/suspicious/noExplicitAny: the body of any response
const create = async (body: object, token?: string): Promise<any> => (await app.call('POST', '/document', { body, token })).body
const list = async (filter: object, sort: object, token?: string) =>
  (
    await app.call(
      'GET',
      `/resource/catalog?filter=${encodeURIComponent(JSON.stringify(filter))}&sort=${encodeURIComponent(JSON.stringify(sort))}`,
      {
        token,
      },
    )
  ).body.results as { id: string; title: string }[]
const BY_TITLE = { field: 'title', order: 'asc' }

test('a document is created from a template, with what the request does not say', async () => {
  const template = await create({ title: 'Runbook', description: 'What to do.', definition: '## Steps', is_template: true, tags: [] })
  expect(template).toMatchObject({ is_template: true, sort_order: null })
  const copy = await create({ title: 'Runbook of orders', template: template.id })
  expect(copy).toMatchObject({
    title: 'Runbook of orders',
    ...{ description: 'What to do.', definition: '## Steps', is_template: false, published: false },
  })
  expect(await create({ template: template.id, description: 'Mine.' })).toMatchObject({ title: 'Runbook', description: 'Mine.' })
  const templates = await list({ operator: 'exact', field: 'is_template', value: true }, BY_TITLE)
  expect(templates.map(({ id }) => id)).toEqual([template.id])

  // Only what is a template, and only for those who can see it.
  const editor = await app.createUser('editor')
  const hidden = await create({ title: 'Secret', is_template: true, teams: [await app.createTeam(true)] })
  for (const [id, token] of [
    [copy.id, editor.token],
    [hidden.id, editor.token],
  ])
    expect(await app.call('POST', '/document', { token, body: { title: 'x', template: id } })).toMatchObject({
      status: 400,
      body: { errors: { template: ['is not a document marked as a template.'] } },
    })
  await app.call('PATCH', `/document/${template.id}`, { body: { is_template: false } })
  const { body: log } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${template.id}`)
  expect(JSON.stringify(log)).toContain('an ordinary document')
})

test('documents have an order among their siblings, and others follow by title', async () => {
  const { id: parent } = await create({ title: 'Handbook' })
  const pages = new Map<string, string>()
  for (const title of ['d', 'a', 'c', 'b']) pages.set(title, (await create({ title, parent })).id)
  const order = { field: 'sort_order', order: 'asc', tie_breaker: BY_TITLE }
  const titles = async () => (await list({ operator: 'exact', field: 'parent', value: parent }, order)).map(({ title }) => title)
  expect(await titles()).toEqual(['a', 'b', 'c', 'd'])
  for (const [title, sort_order] of [
    ['c', 2048],
    ['d', 1024],
  ] as const)
    expect((await app.call('PATCH', `/document/${pages.get(title)}`, { body: { sort_order } })).body.sort_order).toBe(sort_order)
  expect(await titles()).toEqual(['d', 'c', 'a', 'b'])
  await app.call('PATCH', `/document/${pages.get('c')}`, { body: { sort_order: null } })
  expect(await titles()).toEqual(['d', 'a', 'b', 'c'])
})

/** The order after each saved position. */
const applyPlan = (siblings: readonly { id: string; sort_order: number | null }[], index: number): string[][] => {
  const { sort_order, others } = planMove(siblings, index)
  const positions = new Map(siblings.map((each) => [each.id, each.sort_order]))
  const sorted = () => [...positions].sort(([a, x], [b, y]) => (x ?? Infinity) - (y ?? Infinity) || (a < b ? -1 : 1)).map(([id]) => id)
  const steps = others.map(({ id, sort_order }) => {
    positions.set(id, sort_order)
    return sorted()
  })
  positions.set('x', sort_order)
  return [...steps, sorted()]
}

test('a move to any index changes as few positions as possible and never the order of the others', () => {
  const levels: (number | null)[][] = [
    [],
    [null, null, null],
    [1024, 2048, 3072],
    [1024, 1025, 1026, null],
    [-5, -4, null, null],
    [7, 7, 8],
  ]
  for (const level of levels) {
    const siblings = level.map((sort_order, i) => ({ id: 'abcd'[i]!, sort_order }))
    for (let index = 0; index <= siblings.length; index += 1) {
      const ids = siblings.map(({ id }) => id)
      const steps = applyPlan(siblings, index)
      expect([level, index, steps.at(-1)]).toEqual([level, index, ids.toSpliced(index, 0, 'x')])
      for (const step of steps.slice(0, -1)) expect([level, index, step]).toEqual([level, index, ids])
    }
  }
  expect(
    planMove(
      [
        { id: 'a', sort_order: 1024 },
        { id: 'b', sort_order: 2048 },
      ],
      1,
    ),
  ).toEqual({ sort_order: 1536, others: [] })
})
