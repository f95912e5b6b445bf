import { expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { exportLines, importLines } from '../support/transfer.ts'

/** Synonyms of glossary terms, written like every field and used by search. */
const find = async (app: TestApp, q: string, token?: string) => {
  const response = await app.call('GET', `/search?${new URLSearchParams({ q, entity_type: 'table' })}`, token ? { token } : {})
  expect(response.status, response.text).toBe(200)
  return response.body
}
const titles = (page: { results: { title: string }[] }) => page.results.map(({ title }) => title).sort()

test('a resource is found by the synonyms of a term, as soon as they are written and only by who can see the term', async () => {
  await using app = await createTestApp()
  const viewer = await app.createUser('viewer')
  for (const title of ['fct_monthly_recurring_revenue', 'mqx_by_country', 'wobbler_events', 'recurring_jobs'])
    await app.createResource({ title, published: true })
  const found = async (q: string, token?: string) => titles(await find(app, q, token))
  expect(await found('zibble')).toEqual([])
  const { body: term } = await app.call('POST', '/glossary', {
    body: { title: 'Monthly recurring revenue', published: true, synonyms: ['MQX', ' Zibble ', 'MQX'] },
  })
  expect(term.synonyms).toEqual(['MQX', 'Zibble'])
  for (const token of [app.token, viewer.token]) {
    expect(await found('mqx', token)).toEqual(['fct_monthly_recurring_revenue', 'mqx_by_country'])
    expect(await found('monthly recurring revenue', token)).toEqual(
      expect.arrayContaining(['fct_monthly_recurring_revenue', 'mqx_by_country']),
    )
    expect(await find(app, 'zibbles', token)).toMatchObject({ count: 2, corrections: [] })
  }
  // Part of a form is not the form.
  expect(await found('recurring jobs')).not.toContain('mqx_by_country')
  const { body: page } = await app.call('GET', '/search?q=zibble')
  expect(page.results.map(({ title }: { title: string }) => title)).toContain('Monthly recurring revenue')
  expect(page.results[0].reason.matches).toContainEqual({ word: 'zibble', match: 'title_synonym' })

  // A hidden term reveals nothing.
  await app.call('PATCH', `/glossary/${term.id}`, { body: { published: false } })
  expect(await find(app, 'zibble', viewer.token)).toMatchObject({ count: 0, corrections: [] })
  expect(await found('mqx', viewer.token)).toEqual(['mqx_by_country'])
  expect(await found('zibble')).toHaveLength(2)

  await app.call('PATCH', `/glossary/${term.id}`, { body: { synonyms: ['Wobbler'] } })
  expect([await found('zibble'), await found('monthly recurring revenue')]).toEqual([
    [],
    expect.arrayContaining(['fct_monthly_recurring_revenue', 'wobbler_events']),
  ])
  const { body: log } = await app.call('GET', `/resource/all/${term.id}/versions`)
  expect(log.results[0].changes).toEqual([{ field: 'synonyms', from: ['MQX', 'Zibble'], to: ['Wobbler'] }])
  await app.call('POST', `/resource/all/${term.id}/restore`, { body: { version: 1 } })
  expect((await app.call('GET', `/glossary/${term.id}`)).body.synonyms).toEqual(['MQX', 'Zibble'])
  expect(await found('zibble')).toHaveLength(2)

  await app.call('PATCH', `/glossary/${term.id}`, { body: { title: 'Wobbler' } })
  expect(await found('zibble')).toEqual(['mqx_by_country', 'wobbler_events'])
  await app.call('DELETE', `/glossary/${term.id}`)
  expect(await found('zibble')).toEqual([])
  expect((await app.db.selectFrom('search_synonyms').selectAll().execute()).length).toBe(0)
})

test('synonyms are validated, cleared, exported and imported', async () => {
  await using app = await createTestApp()
  const { body: term } = await app.call('POST', '/glossary', { body: { title: 'Churn', synonyms: ['attrition, monthly'] } })
  for (const synonyms of [[''], ['  '], 'attrition', ['x'.repeat(201)], Array.from({ length: 51 }, (_, i) => `s${i}`)])
    expect((await app.call('PATCH', `/glossary/${term.id}`, { body: { synonyms } })).status).toBe(400)
  const imported = await importLines(app, [{ databuilder_id: 'g', entity_type: 'glossary', title: 'Bounce', synonyms: ['exit', 'leave'] }])
  expect(imported.status, imported.text).toBe(200)
  const lines = await exportLines(app, '&fields=title,synonyms&sort={"field":"title"}')
  expect(lines).toEqual([
    { title: 'Bounce', synonyms: ['exit', 'leave'] },
    { title: 'Churn', synonyms: ['attrition, monthly'] },
  ])
  for (const synonyms of [null, []]) {
    await app.call('PATCH', `/glossary/${term.id}`, { body: { synonyms: ['loss'] } })
    expect((await app.call('PATCH', `/glossary/${term.id}`, { body: { synonyms } })).body.synonyms).toEqual([])
  }
})
