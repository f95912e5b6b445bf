import { expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

const upload = async (app: TestApp, resource: string, name: string, content: Buffer): Promise<{ id: string; url: string }> => {
  const { statusCode, body } = await app.fastify.inject({
    method: 'POST',
    url: `/api/v1/resource/all/${resource}/attachments?name=${name}`,
    headers: { authorization: `Bearer ${app.token}`, 'content-type': 'application/octet-stream' },
    payload: content,
  })
  expect(statusCode).toBe(201)
  return JSON.parse(body)
}

test('the page of a public link shows its own images and files, as long as the link works', async () => {
  await using app = await createTestApp()
  await app.call('PUT', '/sharing/settings', { body: { embed_origins: [], public_links: true } })
  const document = await app.createResource({ entity_type: 'document', title: 'Guide', published: true })
  const other = await app.createResource({ entity_type: 'document', title: 'Other', published: true })
  const image = await upload(app, document.id, 'plan.png', PNG)
  const drawing = await upload(app, document.id, 'plan.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'))
  const unused = await upload(app, document.id, 'unused.png', PNG)
  const foreign = await upload(app, other.id, 'foreign.png', PNG)
  const write = (definition: string) => app.call('PATCH', `/resource/all/${document.id}`, { body: { definition } })
  await write(`![plan](${image.url}) [drawing](${drawing.url}) ![foreign](${foreign.url}) [other](/r/${other.id})`)
  await app.call('PATCH', `/resource/all/${document.id}`, { body: { description: `See ![plan](${image.url})` } })
  const { body: link } = await app.call('POST', `/resource/all/${document.id}/public_links`, { body: {} })
  const code = new URL(link.url).hash.slice(1)
  const open = async (code: string) => (await app.call('POST', '/public_link/open', { token: null, body: { code } })).body
  const { definition, description } = await open(code)
  const [imagePath, drawingPath] = [...definition.matchAll(/\((\/api[^)]+)\)/g)].map(([, path]) => path as string)
  expect(definition).toBe(`![plan](${imagePath}) [drawing](${drawingPath}) […] […]`)
  expect(description).toBe(`See ![plan](${imagePath})`)
  expect(imagePath).toContain(`/api/v1/public_link/${link.id}/attachment/${image.id}?`)
  expect(definition).not.toMatch(/foreign|other/)

  const get = (path: string, headers: Record<string, string> = {}) => app.fastify.inject({ method: 'GET', url: path, headers })
  const shown = await get(imagePath!)
  expect([shown.statusCode, shown.headers['content-type'], shown.rawPayload.equals(PNG)]).toEqual([200, 'image/png', true])
  expect(shown.headers).toMatchObject({
    'cache-control': 'private, no-cache',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
    'content-disposition': "inline; filename*=UTF-8''plan.png",
  })
  expect((await get(imagePath!, { 'if-none-match': String(shown.headers.etag) })).statusCode).toBe(304)
  const downloaded = await get(drawingPath!)
  expect([downloaded.statusCode, downloaded.headers['content-disposition']]).toEqual([200, "attachment; filename*=UTF-8''plan.svg"])

  // Without the link, with another file, or with the signature of another link.
  const { body: second } = await app.call('POST', `/resource/all/${document.id}/public_links`, { body: {} })
  expect((await get(image.url)).statusCode).toBe(401)
  const [path] = imagePath!.split('?')
  expect((await get(path!)).statusCode).toBe(400)
  for (const wrong of [
    `${path}?file_signature=x`,
    imagePath!.replace(image.id, foreign.id),
    imagePath!.replace(image.id, unused.id),
    imagePath!.replace(link.id, second.id),
  ])
    expect([wrong, (await get(wrong)).statusCode]).toEqual([wrong, 404])

  // The page no longer shows it; links are turned off; it expired; it was revoked.
  await write(`[drawing](${drawing.url})`)
  await app.call('PATCH', `/resource/all/${document.id}`, { body: { description: null } })
  expect((await get(imagePath!)).statusCode).toBe(404)
  expect((await get(drawingPath!)).statusCode).toBe(200)
  await app.call('PUT', '/sharing/settings', { body: { embed_origins: [], public_links: false } })
  expect((await get(drawingPath!)).statusCode).toBe(404)
  await app.call('PUT', '/sharing/settings', { body: { embed_origins: [], public_links: true } })
  expect((await get(drawingPath!)).statusCode).toBe(200)
  await app.db
    .updateTable('public_links')
    .set({ expires_at: new Date(0) })
    .where('id', '=', link.id)
    .execute()
  expect((await get(drawingPath!)).statusCode).toBe(404)
  const [again] = /\/api[^)]+/.exec((await open(new URL(second.url).hash.slice(1))).definition)!
  expect((await get(again)).statusCode).toBe(200)
  await app.call('DELETE', `/public_link/${second.id}`)
  expect((await get(again, { 'if-none-match': String(downloaded.headers.etag) })).statusCode).toBe(404)
})
