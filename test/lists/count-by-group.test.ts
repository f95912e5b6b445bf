import { expect, test } from 'vitest'
import { createTag, listTags } from '../../src/catalog/tags/tags.ts'
import { parsePageRequest } from '../../src/platform/lists/page.ts'
import { listIntegrations } from '../../src/sources/integrations/read.ts'
import { createTestApp } from '../support/test-app.ts'
import { countQueries } from './count-queries.ts'

/** Resource counts in lists: exact for each caller, without a query per row. */
const PAGE = parsePageRequest({ page_size: 1000 }, 'http://x/')

test('counts the resources of all listed tags or integrations in one statement', async () => {
  await using app = await createTestApp()
  const closed = await app.createTeam(true)
  const [editor, viewer, guest] = [await app.createUser('editor'), await app.createUser('viewer'), await app.createUser('guest')]
  const tags: string[] = []
  for (let i = 0; i < 12; i += 1) tags.push((await createTag(app.ctx, { name: `tag ${i}` })).id)
  const integrations: string[] = []
  for (let i = 0; i < 12; i += 1)
    integrations.push((await app.call('POST', '/integration/integrations', { body: { name: `source ${i}`, type: 'custom' } })).body.id)
  const make = (i: number) =>
    app.createResource({
      title: `t${i}`,
      tags: tags.filter((_, k) => k % (1 + (i % 4)) === 0),
      integration: integrations[i % 5],
      published: i % 2 === 0,
      teams: i % 7 === 0 ? [closed] : [],
    })
  const created: { id: string }[] = []
  for (let i = 0; i < 20; i += 1) created.push(await make(i))

  const check = async () => {
    for (const { ctx, token } of [{ ctx: app.ctx, token: app.token }, editor, viewer, guest]) {
      const counted = countQueries(ctx)
      const { results } = await listTags(counted.ctx, {}, PAGE)
      expect(counted.count.statements).toBeLessThanOrEqual(3)
      for (const { id, resource_count } of results) {
        const filter = encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'tags', value: id }))
        expect((await app.call('GET', `/resource/catalog?filter=${filter}`, { token })).body.count).toBe(resource_count)
      }
    }
    for (const { ctx, token } of [{ ctx: app.ctx, token: app.token }, editor]) {
      const counted = countQueries(ctx)
      const { results } = await listIntegrations(counted.ctx, {}, PAGE)
      expect(counted.count.statements).toBeLessThanOrEqual(3)
      for (const { id, resource_count } of results)
        expect((await app.call('GET', `/resource/catalog?integration_id=${id}`, { token })).body.count).toBe(resource_count)
    }
  }
  await check()
  await check() // without writes since
  await make(21)
  await app.call('PATCH', `/resource/all/${created[0]!.id}`, { body: { tags: [tags[1]], integration: integrations[9], published: false } })
  await app.call('DELETE', `/resource/all/${created[3]!.id}`)
  await check() // updated with the writes since
  await createTag(app.ctx, { name: 'new' })
  await check()
})
