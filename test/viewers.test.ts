import { describe, expect, test } from 'vitest'
import { aHouse, type House } from './house.ts'

/** What viewers and guests see around the things that are published to them. */

const warehouse = async (house: House) => {
  const database = await house.resource({ entity_type: 'database', title: 'acme' })
  const schema = await house.resource({ entity_type: 'schema', title: 'hr', parent: database.id })
  const table = await house.resource({ entity_type: 'table', title: 'employees', parent: schema.id })
  const column = await house.resource({ entity_type: 'column', title: 'salary', parent: table.id })
  const other = await house.resource({ entity_type: 'table', title: 'payroll', parent: schema.id })
  return { database, schema, table, column, other }
}

describe('containers of what is published', () => {
  test('publishing a table gives viewers its schema and database, with the visible children only', async () => {
    await using house = await aHouse()
    const { database, schema, table, other } = await warehouse(house)
    const { token } = await house.someone('viewer')
    const body = [{ id: table.id, data: { published: true } }]
    expect((await house.call('POST', '/resource/all/bulk_update/', { body })).status).toBe(200)

    const page = await house.call('GET', `/ui/resource/${table.id}`, { token })
    expect(page.body.breadcrumbs.map(({ title }: { title: string }) => title)).toEqual(['acme', 'hr'])
    const tree = async (query: string) => (await house.call('GET', `/ui/tree?${query}`, { token })).body
    expect((await tree('')).results).toMatchObject([{ id: database.id, children_count: 1 }])
    expect(await tree(`parent_id=${database.id}`)).toMatchObject({ count: 1, results: [{ id: schema.id, children_count: 1 }] })
    expect(await tree(`parent_id=${schema.id}`)).toMatchObject({ count: 1, results: [{ id: table.id }] })
    const container = await house.call('GET', `/resource/all/${schema.id}`, { token })
    expect([container.status, container.body.children_count]).toEqual([200, 1])
    expect((await house.call('GET', `/resource/all/${other.id}`, { token })).status).toBe(404)
    expect((await house.call('GET', '/resource/catalog', { token })).body.count).toBe(4) // with the column
  })

  test('each container gets one version, and its history says so', async () => {
    await using house = await aHouse()
    const { database, schema, table, other } = await warehouse(house)
    const body = [table, other].map(({ id }) => ({ id, data: { published: true } }))
    await house.call('POST', '/resource/all/bulk_update/', { body })
    for (const { id } of [database, schema]) {
      const { results } = (await house.call('GET', `/resource/all/${id}/versions`)).body
      expect(results.map(({ version, changes }: { version: number; changes: unknown }) => [version, changes])[0]).toEqual([
        2,
        [{ field: 'published', from: false, to: true }],
      ])
      expect(results).toHaveLength(2)
    }
  })

  test('what is created published or moved publishes its containers too', async () => {
    await using house = await aHouse()
    const { database, schema } = await warehouse(house)
    const loose = await house.resource({ entity_type: 'table', title: 'loose', published: true })
    const published = async (id: string) => (await house.call('GET', `/resource/all/${id}`)).body.published
    expect(await published(schema.id)).toBe(false)
    await house.call('PATCH', `/resource/all/${loose.id}`, { body: { parent: schema.id } })
    expect([await published(schema.id), await published(database.id)]).toEqual([true, true])
    const second = await house.resource({ entity_type: 'schema', title: 'ops' })
    await house.call('POST', '/table/tables', { body: { title: 'new', parent: second.id, published: true } })
    expect(await published(second.id)).toBe(true)
  })

  test('a container can be hidden again; hiding the last table leaves it as it is; a draft stays a draft', async () => {
    await using house = await aHouse()
    const { schema, table } = await warehouse(house)
    const edit = (id: string, published: boolean) => house.call('PATCH', `/resource/all/${id}`, { body: { published } })
    await edit(table.id, true)
    expect((await edit(schema.id, false)).body.published).toBe(false)
    await edit(table.id, false)
    await edit(table.id, true)
    expect((await house.call('GET', `/resource/all/${schema.id}`)).body.published).toBe(true)
    const draft = await house.resource({ entity_type: 'document', title: 'draft' })
    await house.resource({ entity_type: 'document', title: 'page', parent: draft.id, published: true })
    expect((await house.call('GET', `/resource/all/${draft.id}`)).body.published).toBe(false)
  })

  test('a container in a closed team stays with its members', async () => {
    await using house = await aHouse()
    const closed = await house.team(true)
    const schema = await house.resource({ entity_type: 'schema', title: 'secret', teams: [closed] })
    const table = await house.resource({ entity_type: 'table', title: 'open', parent: schema.id })
    const [editor, viewer] = [await house.someone('editor'), await house.someone('viewer')]
    await house.call('PATCH', `/resource/all/${table.id}`, { token: editor.token, body: { published: true } })
    expect((await house.call('GET', `/resource/all/${schema.id}`)).body).toMatchObject({ published: false, version: 1 })
    await house.call('PATCH', `/resource/all/${schema.id}`, { body: { published: true } })
    expect((await house.call('GET', `/resource/all/${schema.id}`, { token: viewer.token })).status).toBe(404)
  })
})
