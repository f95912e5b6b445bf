import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteUnusedAttachments } from '../../src/catalog/attachments/cleanup.ts'
import { detectMediaType } from '../../src/catalog/attachments/media-types.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
const OCTETS = { 'content-type': 'application/octet-stream' }

const upload = (
  app: TestApp,
  resource: string,
  content: Buffer | string,
  { name = 'plan.png', token, headers = OCTETS }: { name?: string; token?: string; headers?: Record<string, string> } = {},
) =>
  app.call('POST', `/resource/all/${resource}/attachments?name=${encodeURIComponent(name)}`, {
    headers,
    body: Buffer.from(content),
    ...(token ? { token } : {}),
  })

test('the content of a file decides what it is', () => {
  const riff = Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(4), Buffer.from('WEBPVP8 ')])
  const cases: [Buffer, string | undefined, boolean?][] = [
    [PNG, 'image/png', true],
    [Buffer.from('ffd8ffe000104a46', 'hex'), 'image/jpeg', true],
    [Buffer.from('GIF89a..'), 'image/gif', true],
    [riff, 'image/webp', true],
    [Buffer.concat([Buffer.alloc(4), Buffer.from('ftypavif')]), 'image/avif', true],
    [Buffer.from('%PDF-1.7'), 'application/pdf', false],
    [Buffer.from('PK\u0003\u0004 xl/workbook.xml'), 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', false],
    [Buffer.from('PK\u0003\u0004'), 'application/zip', false],
    [Buffer.from('<?xml version="1.0"?><!-- x --><svg onload="alert(1)">'), 'image/svg+xml', false],
    [Buffer.from('<html><script>alert(1)</script>'), 'text/plain', false],
    [Buffer.from('a,b\r\n1,ü\n'), 'text/plain', false],
    [Buffer.from('7f454c46020101', 'hex'), undefined],
    [Buffer.from('MZ\u0090\u0000', 'latin1'), undefined],
    [Buffer.from([0xff, 0xfe, 0x41]), undefined],
  ]
  for (const [bytes, type, inline] of cases) expect([detectMediaType(bytes)?.type, detectMediaType(bytes)?.inline]).toEqual([type, inline])
})

test('an attachment is uploaded, read with safe headers, listed, deleted, and each is in the audit log', async () => {
  await using app = await createTestApp()
  const doc = await app.createResource({ title: 'doc', entity_type: 'document', published: true })
  const { status, body } = await upload(app, doc.id, PNG, { name: '../a/Größe “1”.png', headers: { ...OCTETS, 'idempotency-key': 'k' } })
  expect([status, body]).toEqual([
    201,
    {
      id: expect.any(String),
      resource_id: doc.id,
      name: 'Größe “1”.png',
      media_type: 'image/png',
      byte_size: PNG.length,
      created_at: expect.any(String),
      created_by: expect.any(String),
      url: `/api/v1/attachment/${body.id}`,
    },
  ])
  const again = await upload(app, doc.id, PNG, { name: '../a/Größe “1”.png', headers: { ...OCTETS, 'idempotency-key': 'k' } })
  expect([again.status, again.body.id]).toEqual([201, body.id])

  const response = await app.fastify.inject({ url: body.url, headers: { authorization: `Bearer ${app.token}` } })
  expect([response.statusCode, response.rawPayload.equals(PNG)]).toEqual([200, true])
  expect(response.headers).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': "inline; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%E2%80%9C1%E2%80%9D.png",
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
  })
  const known = await app.call('GET', body.url, { headers: { 'if-none-match': response.headers.etag as string } })
  expect([known.status, known.text]).toEqual([304, ''])

  const svg = (await upload(app, doc.id, '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', { name: 'x.png' })).body
  expect((await app.call('GET', svg.url)).headers['content-disposition']).toBe("attachment; filename*=UTF-8''x.png")
  expect((await app.call('GET', `/resource/all/${doc.id}/attachments`)).body.map(({ name }: { name: string }) => name)).toEqual([
    'Größe “1”.png',
    'x.png',
  ])

  expect((await app.call('DELETE', svg.url)).status).toBe(204)
  expect([(await app.call('GET', svg.url)).status, (await app.call('DELETE', svg.url)).status]).toEqual([404, 404])
  const log = (await app.listActivities()).filter(({ activity_type }) => activity_type.startsWith('attachment_'))
  expect(log).toEqual(['uploaded', 'uploaded', 'deleted'].map((verb) => ({ activity_type: `attachment_${verb}`, resource_id: doc.id })))
})

test('attachments have the visibility of their resource, and limits', async () => {
  await using app = await createTestApp()
  const team = await app.createTeam(true)
  const [viewer, editor] = [await app.createUser('viewer'), await app.createUser('editor')]
  const draft = await app.createResource({ title: 'draft', entity_type: 'document' })
  const closed = await app.createResource({ title: 'closed', entity_type: 'document', published: true, teams: [team] })
  const [a, b] = [(await upload(app, draft.id, PNG)).body, (await upload(app, closed.id, PNG)).body]
  const read = async (url: string, token: string) => (await app.call('GET', url, { token })).status
  expect([await read(a.url, viewer.token), await read(a.url, editor.token), await read(b.url, editor.token)]).toEqual([404, 200, 404])
  expect(await read(`/resource/all/${closed.id}/attachments`, editor.token)).toBe(404)
  expect((await app.call('DELETE', b.url, { token: editor.token })).status).toBe(404)
  expect((await app.call('GET', a.url, { token: null })).status).toBe(401)
  await app.call('PATCH', `/resource/all/${draft.id}`, { body: { published: true } })
  expect(await read(a.url, viewer.token)).toBe(200)
  expect((await upload(app, draft.id, PNG, { token: viewer.token })).status).toBe(403)
  expect((await upload(app, closed.id, PNG, { token: editor.token })).status).toBe(404)

  expect((await upload(app, draft.id, Buffer.from('MZ\u0000', 'latin1'))).body).toMatchObject({ code: 'unsupported_media_type' })
  expect((await upload(app, draft.id, '')).status).toBe(400)
  expect((await upload(app, draft.id, PNG, { name: '../..\u202e/' })).status).toBe(400)
  expect((await upload(app, draft.id, Buffer.alloc(10 * 1024 * 1024 + 1, 'a'))).status).toBe(413)
})

test('housekeeping keeps what a version refers to, in the trash too, and deletes the rest', async () => {
  await using app = await createTestApp()
  const doc = await app.createResource({ title: 'doc', entity_type: 'document' })
  const [used, past, unused] = await Promise.all(
    ['used', 'past', 'unused'].map(async (name) => (await upload(app, doc.id, PNG, { name })).body),
  )
  const edit = (definition: string) => app.call('PATCH', `/resource/all/${doc.id}`, { body: { definition } })
  await edit(`![past](${past.url})${' x'.repeat(1000)}`)
  await edit(`![used](${used.url})`)
  const left = async () => (await app.db.selectFrom('attachments').select('name').orderBy('name').execute()).map(({ name }) => name)
  const cleanUp = (days: number) => deleteUnusedAttachments({ ...app.ctx, now: new Date(Date.now() + days * 86_400_000) })
  await cleanUp(1)
  expect(await left()).toEqual(['past', 'unused', 'used'])
  await cleanUp(8)
  expect(await left()).toEqual(['past', 'used'])
  expect((await app.call('GET', unused.url)).status).toBe(404)

  await app.call('DELETE', `/resource/all/${doc.id}`)
  await cleanUp(9)
  expect([await left(), (await app.call('GET', used.url)).status]).toEqual([['past', 'used'], 404])
  await app.call('POST', `/resource/all/${doc.id}/restore`, { body: {} })
  expect((await app.call('GET', used.url)).status).toBe(200)
  await app.call('DELETE', `/resource/all/${doc.id}`)
  await sql`update trash set removed_at = now()`.execute(app.db)
  await cleanUp(10)
  expect(await left()).toEqual([])
})
