import { expect, test } from 'vitest'
import { listIntegrations } from '../src/integrations/read.ts'
import { pageRequest } from '../src/lists/page.ts'
import { createTag, listTags } from '../src/tags/tags.ts'
import { counted } from './counted.ts'
import { aHouse } from './house.ts'

/** Resource counts in lists: exact for each caller, without a query per row. */
const PAGE = pageRequest({ page_size: 1000 }, 'http://x/')

test('counts the resources of all listed tags or integrations in one statement', async () => {
  await using house = await aHouse()
  const closed = await house.team(true)
  const [editor, viewer, guest] = [await house.someone('editor'), await house.someone('viewer'), await house.someone('guest')]
  const tags: string[] = []
  for (let i = 0; i < 12; i += 1) tags.push((await createTag(house.ctx, { name: `tag ${i}` })).id)
  const integrations: string[] = []
  for (let i = 0; i < 12; i += 1)
    integrations.push((await house.call('POST', '/integration/integrations', { body: { name: `source ${i}`, type: 'custom' } })).body.id)
  const make = (i: number) =>
    house.resource({
      title: `t${i}`,
      tags: tags.filter((_, k) => k % (1 + (i % 4)) === 0),
      integration: integrations[i % 5],
      published: i % 2 === 0,
      teams: i % 7 === 0 ? [closed] : [],
    })
  const made: { id: string }[] = []
  for (let i = 0; i < 20; i += 1) made.push(await make(i))

  const check = async () => {
    for (const { ctx, token } of [{ ctx: house.ctx, token: house.token }, editor, viewer, guest]) {
      const look = counted(ctx)
      const { results } = await listTags(look.ctx, {}, PAGE)
      expect(look.count.statements).toBeLessThanOrEqual(3)
      for (const { id, resource_count } of results) {
        const filter = encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'tags', value: id }))
        expect((await house.call('GET', `/resource/catalog?filter=${filter}`, { token })).body.count).toBe(resource_count)
      }
    }
    for (const { ctx, token } of [{ ctx: house.ctx, token: house.token }, editor]) {
      const look = counted(ctx)
      const { results } = await listIntegrations(look.ctx, {}, PAGE)
      expect(look.count.statements).toBeLessThanOrEqual(3)
      for (const { id, resource_count } of results)
        expect((await house.call('GET', `/resource/catalog?integration_id=${id}`, { token })).body.count).toBe(resource_count)
    }
  }
  await check()
  await check() // without writes since
  await make(21)
  await house.call('PATCH', `/resource/all/${made[0]!.id}`, { body: { tags: [tags[1]], integration: integrations[9], published: false } })
  await house.call('DELETE', `/resource/all/${made[3]!.id}`)
  await check() // updated with the writes since
  await createTag(house.ctx, { name: 'new' })
  await check()
}, 60_000)
