import { expect, test } from 'vitest'
import { aHouse } from './house.ts'
import { connectTo } from './sources.ts'

const PATH = '/integration/integrations'

const aHiddenOne = async () => {
  const house = await aHouse()
  const team = await house.team(true)
  const id = await connectTo(house, 'custom', {}, { name: 'Payroll', teams: [team] })
  const editor = await house.someone('editor')
  const member = await house.someone('editor', { teams: [team] })
  // Seen by everybody, though its integration is not.
  const table = await house.resource({ entity_type: 'table', title: 'salaries', integration: id })
  return { house, id, editor, member, table, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() }
}

test('an integration that a closed team keeps takes nothing from others', async () => {
  await using world = await aHiddenOne()
  const { house, id, editor, member, table } = world
  const { id: own } = await house.resource({ entity_type: 'table', title: 'mine' })
  const csv = { body: 'databuilder_id,entity_type,title\na,table,a\n', headers: { 'content-type': 'text/csv' } }
  const tried = async (token: string) => [
    (await house.call('POST', '/resource/catalog', { token, body: { title: 'x', entity_type: 'table', integration: id } })).status,
    (await house.call('PATCH', `/resource/all/${own}`, { token, body: { integration: id } })).status,
    (await house.call('POST', `${PATH}/${id}/import_metadata/`, { token, ...csv })).status,
    (await house.call('POST', `${PATH}/${id}/import_metadata/?dry_run=true`, { token, ...csv })).status,
  ]
  expect(await tried(editor.token)).toEqual([400, 400, 400, 400])
  const refused = await house.call('POST', '/resource/catalog', { token: editor.token, body: { title: 'x', integration: id } })
  expect([refused.body.errors, refused.text]).toEqual([{ integration: ['cannot be used.'] }, expect.not.stringContaining('Payroll')])
  // What they see of it they still edit.
  expect((await house.call('PATCH', `/resource/all/${table.id}`, { token: editor.token, body: { description: 'Pay' } })).status).toBe(200)
  expect(await tried(member.token)).toEqual([201, 200, 200, 200])
})

test('its name is told to its members alone', async () => {
  await using world = await aHiddenOne()
  const { house, id, editor, member, table } = world
  const query = encodeURIComponent('select * from salaries')
  for (const path of [
    '/ui/bootstrap',
    `/ui/names?ids=${id}`,
    `/ui/resource/${table.id}`,
    `/lineage/lineage_from_query?sql=${query}`,
    PATH,
    '/ui/tree',
  ]) {
    const [hidden, seen] = await Promise.all([editor, member].map(({ token }) => house.call('GET', path, { token })))
    expect([path, seen!.status, seen!.text]).toEqual([path, 200, expect.stringContaining('Payroll')])
    expect([path, hidden!.status, hidden!.text]).toEqual([path, 200, expect.not.stringContaining('Payroll')])
  }
})
