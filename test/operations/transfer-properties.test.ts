import { expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { CSV, exportLines, importLines } from '../support/transfer.ts'

const define = async (app: TestApp, name: string, value_type: string, more: object = {}): Promise<string> =>
  (await app.call('POST', '/resource/all_v2/custom_properties/', { body: { name, value_type, ...more } })).body.id

const csv = (...lines: string[]) => lines.join('\n')

test('custom properties are imported and exported as columns, and every change is recorded', async () => {
  await using app = await createTestApp()
  const integration = newId()
  const into = { integration, headers: CSV }
  const steward = await app.createUser('editor')
  const { email } = await app.db.selectFrom('users').select('email').where('id', '=', steward.id).executeTakeFirstOrThrow()
  const tag = (await app.call('POST', '/tag', { body: { name: 'Finance' } })).body.id
  await define(app, 'Cost, center', 'string')
  await define(app, 'Score', 'number')
  await define(app, 'Uses', 'multi_select', { options: ['reports', 'billing'] })
  await define(app, 'Steward', 'user')
  await define(app, 'Domain', 'tag')
  const header = 'databuilder_id,entity_type,title,"property:Cost, center",property:score,property:Uses,property:Steward,property:Domain'
  const file = csv(header, `a,table,a,'=A1,007.50,billing; reports,${email.toUpperCase()},finance`, 'b,table,b,,,,,')
  expect((await importLines(app, file, { ...into, query: '?dry_run=true' })).body).toMatchObject({ created: 2, updated: 0 })
  expect((await importLines(app, file, into)).body).toMatchObject({ created: 2, ignored_fields: [] })
  const values = {
    'property:Cost, center': '=A1',
    'property:Score': '7.5',
    'property:Uses': '["reports","billing"]',
    'property:Steward': steward.id,
    'property:Domain': tag,
  }
  const [a, b] = await exportLines(app, '&property_columns=true&sort={"field":"title","order":"asc"}')
  expect([a, b]).toMatchObject([values, Object.fromEntries(Object.keys(values).map((name) => [name, null]))])
  expect((await app.call('GET', `/resource/all/${a.id}/custom_properties`)).body).toHaveLength(5)
  expect((await app.listActivities()).filter(({ activity_type }) => activity_type === 'property_set')).toEqual([
    { activity_type: 'property_set', resource_id: a.id },
  ])

  // The exported file changes nothing, in either format.
  for (const format of ['csv', 'jsonl']) {
    const { text } = await app.call('GET', `/resource/export?format=${format}&property_columns=true&fields=id,property:Score`)
    expect((await importLines(app, text, format === 'csv' ? into : { integration })).body).toMatchObject({
      updated: 0,
      unchanged: 2,
      ignored_fields: [],
    })
  }
  // Only the columns in the file change, and an empty cell clears.
  const change = csv('databuilder_id,property:Score', 'a,', 'b,-3')
  expect((await importLines(app, change, { ...into, query: '?dry_run=true' })).body).toMatchObject({
    updated: 2,
    differences: [
      { line: 2, changes: [{ field: 'property:Score', from: '7.5', to: null }] },
      { line: 3, changes: [{ field: 'property:Score', from: null, to: '-3' }] },
    ],
  })
  expect((await importLines(app, change, into)).body).toMatchObject({ updated: 2 })
  const after = await exportLines(app, '&fields=title,property:score,property:Steward&sort={"field":"title","order":"asc"}')
  expect(after).toEqual([
    { title: 'a', 'property:Score': null, 'property:Steward': steward.id },
    { title: 'b', 'property:Score': '-3', 'property:Steward': null },
  ])
  expect((await app.call('GET', '/resource/export?fields=title,property:nope')).body.errors).toEqual({
    fields: ['Unknown custom property "nope".'],
  })
})

test('properties with dots and long names are exported and imported under their whole names', async () => {
  await using app = await createTestApp()
  const integration = newId()
  const long = 'A name whose first 63 bytes are those of another property which happens '
  const names = ['v1.2', '../../..', '.', `${long}one`, `${long}two`]
  for (const name of names) await define(app, name, 'string')
  const line = Object.fromEntries(names.map((name) => [`property:${name}`, `value of ${name}`]))
  await importLines(app, [{ databuilder_id: 'a', entity_type: 'table', title: 'a', ...line }], { integration })
  expect(await exportLines(app, '&property_columns=true')).toMatchObject([line])
  const { text } = await app.call('GET', '/resource/export?property_columns=true&fields=id,databuilder_id')
  expect(text.split('\r\n')[0]).toBe(['id', 'databuilder_id', ...Object.keys(line).toSorted()].join(','))
  expect((await importLines(app, text, { integration, headers: CSV })).body).toMatchObject({ unchanged: 1, ignored_fields: [] })
  expect((await app.call('GET', '/resource/export?format=xlsx&property_columns=true')).status).toBe(200)
})

test('values that do not fit their property are listed by line, and nothing is imported', async () => {
  await using app = await createTestApp()
  const integration = newId()
  await define(app, 'Score', 'number')
  await define(app, 'Reviewed', 'date')
  await define(app, 'Tables only', 'string', { entity_types: ['table'] })
  await define(app, 'Replaced by', 'resource')
  await importLines(app, [{ databuilder_id: 'd', entity_type: 'dashboard', title: 'd' }], { integration })
  const team = await app.createTeam(true)
  const hidden = await app.createResource({ title: 'hidden', teams: [team] })
  const editor = await app.createUser('editor')
  const problems = async (line: object, token?: string) => {
    const { status, body } = await importLines(app, [line], { integration, ...(token ? { token } : {}) })
    return status === 200 ? body : body.errors['line 1']
  }
  const base = { databuilder_id: 'x', entity_type: 'table', title: 'x' }
  expect(await problems({ ...base, 'property:Nope': 'x' })).toEqual(['property:Nope: no custom property is named Nope.'])
  expect(await problems({ ...base, 'property:Score': 'many', 'property:Reviewed': '31.1.2026' })).toEqual([
    'property:Score: must be a decimal number, e.g. 12.5.',
    'property:Reviewed: must be a date, e.g. 2026-01-31.',
  ])
  expect(await problems({ ...base, 'property:Score': { a: 1 } })).toEqual([
    'property:Score: must be a string, a number, a boolean, a list of strings or null.',
  ])
  expect(await problems({ ...base, entity_type: 'column', 'property:Tables only': 'x' })).toEqual([
    'property:Tables only: Tables only does not apply to resources of type column.',
  ])
  // The type of an existing resource is not in the line.
  expect(await problems({ databuilder_id: 'd', 'property:Tables only': 'x' })).toEqual([
    'property:Tables only: Tables only does not apply to resources of type dashboard.',
  ])
  expect(await problems({ ...base, 'property:Replaced by': hidden.id }, editor.token)).toEqual([
    `property:Replaced by: The resource ${hidden.id} does not exist.`,
  ])
  expect(await problems({ ...base, 'property:Replaced by': hidden.id })).toMatchObject({ created: 1 })
  expect(await app.db.selectFrom('property_values').select('value').execute()).toEqual([{ value: hidden.id }])
})
