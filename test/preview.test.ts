import { expect, test } from 'vitest'
import { aHouse, type House } from './house.ts'
import { called, doJob } from './profiling.ts'
import { aPostgres, connectTo, sync } from './sources.ts'

/** Who can preview rows, and which cells. */
const PEOPLE = [
  'create table people (id int primary key, contact text, phone text, note text)',
  `insert into people select i, 'person' || i || '@example.de', '+49 30 1234' || (1000 + i), 'note ' || i from generate_series(1, 200) i`,
  'analyze',
]

const path = (id: string) => `/resource/preview_v2/table/${id}/`
const INTEGRATIONS = '/integration/integrations'

const aShop = async (house: House, credentials: object, more: object = {}) => {
  const integration = await connectTo(house, 'postgres', credentials, more)
  await sync(house, integration)
  const table = await called(house, 'people')
  await house.call('PATCH', `/resource/all/${table.id}`, { body: { published: true } })
  return { integration, table }
}

test('previews are off for a new source; the error says who can turn them on', async () => {
  await using house = await aHouse()
  await using source = await aPostgres(...PEOPLE)
  const made = await house.call('POST', INTEGRATIONS, { body: { name: 'Shop', type: 'postgres', credentials: source.credentials } })
  expect(made.body.preview_enabled).toBe(false)
  await sync(house, made.body.id)
  const table = await called(house, 'people')
  await house.call('PATCH', `/resource/all/${table.id}`, { body: { published: true } })
  const viewer = await house.someone('viewer')
  for (const token of [house.token, viewer.token]) {
    const { status, body } = await house.call('GET', path(table.id), { token })
    expect([status, body.detail]).toEqual([
      409,
      'Previews are turned off for Shop. An admin can turn them on in the settings of the integration.',
    ])
  }
  const editor = await house.someone('editor')
  const turnOn = (token: string) => house.call('PATCH', `${INTEGRATIONS}/${made.body.id}`, { token, body: { preview_enabled: true } })
  expect((await turnOn(editor.token)).status).toBe(403)
  expect((await turnOn(house.token)).body.preview_enabled).toBe(true)
  expect((await house.call('GET', path(table.id), { token: viewer.token })).body.rows).toHaveLength(50)
  const { body: log } = await house.call('GET', `/activity_log/resource_logs/?resource_id=${made.body.id}`)
  expect(log.non_versioned_logs[0].activity_type).toBe('integration_updated')
  expect((await house.call('PATCH', `${INTEGRATIONS}/${made.body.id}`, { body: { preview_enabled: null } })).status).toBe(400)
})

test('masks columns with pending PII suggestions for users who cannot edit', async () => {
  await using house = await aHouse()
  await using source = await aPostgres(...PEOPLE)
  const { integration, table } = await aShop(house, source.credentials)
  expect(await doJob(house, (await house.call('POST', `/pii/scan/${integration}`)).body.id)).toMatchObject({ status: 'COMPLETED' })
  const suggestions = (await house.call('GET', '/pii/suggestions?status=open')).body.results
  expect(suggestions.map((each: { resource_title: string }) => each.resource_title).sort()).toEqual(['contact', 'phone'])
  const viewer = await house.someone('viewer')
  const editor = await house.someone('editor')
  const masked = async (token: string) => {
    const { body, text } = await house.call('GET', path(table.id), { token })
    const columns = body.columns.filter((each: { masked: boolean }) => each.masked).map((each: { name: string }) => each.name)
    return { columns, shows: { contact: text.includes('@example.de'), phone: text.includes('+49 30'), note: text.includes('note 1') } }
  }
  expect(await masked(viewer.token)).toEqual({ columns: ['contact', 'phone'], shows: { contact: false, phone: false, note: true } })
  expect(await masked(editor.token)).toEqual({ columns: [], shows: { contact: true, phone: true, note: true } })
  const [contact, phone] = ['contact', 'phone'].map((title) =>
    suggestions.find((each: { resource_title: string }) => each.resource_title === title),
  )
  await house.call('POST', `/pii/suggestions/${contact.id}/accept`)
  await house.call('POST', `/pii/suggestions/${phone.id}/reject`)
  for (const { token } of [viewer, editor])
    expect(await masked(token)).toEqual({ columns: ['contact'], shows: { contact: false, phone: true, note: true } })
})

test('adds a tag when a suggestion is accepted, and removes it when it is rejected', async () => {
  await using house = await aHouse()
  await using source = await aPostgres(...PEOPLE)
  const { integration } = await aShop(house, source.credentials)
  await doJob(house, (await house.call('POST', `/pii/scan/${integration}`)).body.id)
  const of = async (status: string) => (await house.call('GET', `/pii/suggestions?class=email&status=${status}`)).body.results
  const [email] = await of('open')
  const kept = (await house.call('POST', '/tag', { body: { name: 'contact data' } })).body
  await house.call('PATCH', `/resource/all/${email.resource_id}`, { body: { tags: [kept.id] } })
  await house.call('POST', `/pii/suggestions/${email.id}/accept`)

  const [tag] = (await house.call('GET', '/tag?name=PII:')).body.results
  expect(tag).toMatchObject({ name: 'PII: email', resource_count: 1 })
  const column = async () => (await house.call('GET', `/resource/all/${email.resource_id}`)).body
  expect(await column()).toMatchObject({ pii: true, tags: expect.arrayContaining([tag.id, kept.id]) })
  const filter = encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'tags', value: tag.id }))
  expect((await house.call('GET', `/resource/catalog?filter=${filter}`)).body.results).toMatchObject([{ id: email.resource_id }])

  await house.call('PATCH', `/resource/all/${email.resource_id}`, { body: { pii: false } })
  await house.call('POST', `/pii/suggestions/${email.id}/reject`)
  expect((await column()).tags).toEqual([kept.id])
  // By rule, the system accepts.
  const [phone] = (await house.call('GET', '/pii/suggestions?class=phone&status=open')).body.results
  await house.call('PATCH', `/pii/rules/${integration}`, { body: { accept_from: 0.5 } })
  await doJob(house, (await house.call('POST', `/pii/scan/${integration}`)).body.id)
  const names = (await house.call('GET', '/tag?name=PII:')).body.results.map((each: { name: string }) => each.name)
  expect(names).toContain('PII: phone')
  expect((await house.call('GET', `/resource/all/${phone.resource_id}`)).body.pii).toBe(true)
})
