import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** What a chat or another program without a session learns from a page that somebody links to. */
const CRAWLERS = ['*/*', 'text/html,application/xhtml+xml', undefined]

const readMeta = (html: string): Record<string, string> => ({
  title: /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? '',
  ...Object.fromEntries(
    [...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g)].map(([, name, content]) => [name!, content!]),
  ),
})

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablinum-web-'))
  await writeFile(join(folder, 'index.html'), await readFile('web/index.html'))
})
afterAll(() => rm(folder, { recursive: true }))

const createReader = async (app: TestApp) => {
  const server = await app.createInstance({ webFolder: folder, config: { publicUrl: 'https://catalog.example.com' } })
  return {
    get: async (url: string, accept?: string, headers: Record<string, string> = {}) => {
      const {
        statusCode,
        headers: received,
        body,
      } = await server.fastify.inject({ method: 'GET', url, headers: { ...headers, ...(accept && { accept }) } })
      const { 'x-request-id': _, date: __, ...rest } = received
      return { status: statusCode, headers: rest, body }
    },
    /** The picture of a preview, by its address in the page. */
    getPicture: async (url: string) => {
      const { statusCode, headers, rawPayload } = await server.fastify.inject({ method: 'GET', url })
      return { status: statusCode, headers, png: rawPayload }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

test('every page has the same preview, except that of a public link that works', async () => {
  await using app = await createTestApp()
  await using reader = await createReader(app)
  const { get } = reader
  const team = await app.createTeam(true)
  const shown = await app.createResource({ entity_type: 'table', title: 'orders', published: true })
  const hidden = await app.createResource({ entity_type: 'table', title: 'salaries', published: true, teams: [team] })
  const secret = await app.createResource({ entity_type: 'table', title: 'salaries_2026' })
  const document = await app.createResource({
    entity_type: 'document',
    title: 'Revenue "net" & <b>gross</b> $& $1',
    description: `For partners,\nsee https://catalog.example.com/r/${secret.id}. ${'x'.repeat(400)}`,
    published: false,
  })
  await app.call('PUT', '/sharing/settings', { body: { embed_origins: [], public_links: true } })
  const create = async () =>
    (await app.call('POST', `/resource/all/${document.id}/public_links`, { body: {} })).body as { id: string; url: string }
  const [link, revoked] = [await create(), await create()]
  await app.call('DELETE', `/public_link/${revoked.id}`)

  const generic = await get(`/r/${shown.id}`, 'text/html')
  expect(generic.status).toBe(200)
  expect(readMeta(generic.body)).toMatchObject({
    title: 'Tablinum: data catalog',
    'og:title': 'Tablinum: data catalog',
    'og:description': 'Sign in to see this page.',
    'og:site_name': 'Tablinum',
    'twitter:card': 'summary',
  })
  expect(generic.body).toContain('rel="icon"')
  const pathOf = (url: string) => new URL(url).pathname
  for (const path of [
    `/r/${shown.id}`,
    `/r/${hidden.id}?tab=columns`,
    '/r/00000000-0000-4000-8000-000000000000',
    `/documents/${document.id}`,
    '/shared',
    `/shared/${'x'.repeat(22)}`,
    `${pathOf(link.url).slice(0, -1)}`,
    pathOf(revoked.url),
  ])
    for (const accept of CRAWLERS) expect([path, accept, await get(path, accept)]).toEqual([path, accept, generic])
  expect(await get(`/r/${shown.id}`, '*/*', { authorization: `Bearer ${app.token}` })).toEqual(generic)

  const path = pathOf(link.url)
  expect(path).not.toContain(new URL(link.url).hash.slice(1))
  const preview = await get(path, '*/*')
  expect([preview.status, preview.headers['cache-control'], preview.headers['x-robots-tag']]).toEqual([200, 'no-store', 'noindex'])
  expect(preview.headers['content-security-policy']).toBe(generic.headers['content-security-policy'])
  const title = 'Revenue &#34;net&#34; &#38; &#60;b&#62;gross&#60;/b&#62; $&#38; $1'
  const meta = readMeta(preview.body)
  expect(meta).toMatchObject({
    title: `${title} · Tablinum`,
    'og:title': title,
    'og:site_name': 'Tablinum',
    'twitter:card': 'summary_large_image',
  })
  expect(meta['og:description']).toMatch(/^Document · For partners, see \[…\] x+…$/)
  expect(meta.description).toBe(meta['og:description'])
  expect(preview.body).not.toContain(secret.id)
  const picture = `/api/v1/link_preview.png?path=${path}`
  expect((await reader.getPicture(picture)).status).toBe(200)
  expect(preview.body).toContain('<div id="root">')
  // The path alone does not open the page.
  expect((await app.call('POST', '/public_link/open', { token: null, body: { code: path.split('/').at(-1) } })).status).toBe(404)
  await app.call('PATCH', `/resource/all/${document.id}`, { body: { deprecation: { reason: 'Old.' }, description: null } })
  expect(readMeta((await get(path, '*/*')).body)['og:description']).toBe('Document · Deprecated')

  await app.call('PUT', '/sharing/settings', { body: { embed_origins: [], public_links: false } })
  expect(await get(path, '*/*')).toEqual(generic)
  expect((await reader.getPicture(picture)).status).toBe(404)
  await app.call('PUT', '/sharing/settings', { body: { embed_origins: [], public_links: true } })
  await app.db
    .updateTable('public_links')
    .set({ expires_at: new Date(0) })
    .execute()
  expect(await get(path, '*/*')).toEqual(generic)
})

test('where an admin allows it, links to what every viewer may see have a preview, and no others', async () => {
  await using app = await createTestApp()
  await using reader = await createReader(app)
  const { get, getPicture } = reader
  const allow = (link_previews?: boolean) =>
    app.call('PUT', '/sharing/settings', {
      body: { embed_origins: [], public_links: false, ...(link_previews !== undefined && { link_previews }) },
    })
  const [open, closed] = [await app.createTeam(false), await app.createTeam(true)]
  const secret = await app.createResource({ entity_type: 'table', title: 'salaries_2026' })
  const table = await app.createResource({
    entity_type: 'table',
    title: 'orders & <b>',
    description: `One row per order.\nSee [salaries_2026](/r/${secret.id}).`,
    published: true,
    teams: [open],
    owners: [app.ctx.actor.user_id!],
  })
  const document = await app.createResource({ entity_type: 'document', title: 'Returns', published: true })
  const hidden = await app.createResource({
    entity_type: 'table',
    title: 'bonuses',
    description: 'Who got what.',
    published: true,
    teams: [closed],
  })
  const generic = await get('/r/00000000-0000-4000-8000-000000000000', '*/*')
  expect(await get(`/r/${table.id}`, '*/*')).toEqual(generic) // off by default

  expect((await allow(true)).body).toEqual({ embed_origins: [], public_links: false, link_previews: true })
  const filter = JSON.stringify({ field: 'activity_type', operator: 'exact', value: 'sharing_settings_updated' })
  expect((await app.call('GET', `/activity_log/audit_logs/?filter=${encodeURIComponent(filter)}`)).body).toMatchObject({
    count: 1,
    results: [{ activity_type: 'sharing_settings_updated', performer_id: app.ctx.actor.user_id }],
  })
  const shown = await get(`/r/${table.id}?tab=columns`, '*/*')
  expect([shown.status, shown.headers['cache-control'], shown.headers['x-robots-tag']]).toEqual([200, 'no-store', 'noindex'])
  expect(readMeta(shown.body)).toMatchObject({
    'og:title': 'orders &#38; &#60;b&#62;',
    'og:description': 'Table · One row per order. See […].',
  })
  expect(shown.body).not.toContain('salaries')
  const { 'og:image': image = '', 'og:image:width': width, 'og:image:alt': alt, 'twitter:card': look } = readMeta(shown.body)
  expect([width, alt, look]).toEqual(['1200', 'orders &#38; &#60;b&#62; · Table · 1 owner', 'summary_large_image'])
  const address = (html: string) => (readMeta(html)['og:image'] ?? '').replaceAll('&#38;', '&').replace('https://catalog.example.com', '')
  const pictureUrl = address(shown.body)
  expect(image).toMatch(/^https:\/\/catalog\.example\.com\/api\/v1\/link_preview\.png\?path=/)
  const { status, headers, png } = await getPicture(pictureUrl)
  expect([status, headers['content-type'], headers['x-robots-tag']]).toEqual([200, 'image/png', 'noindex'])
  expect([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(['PNG', 1200, 630])
  const pictureOf = (id: string) => getPicture(`/api/v1/link_preview.png?path=/r/${id}`)
  const missing = await pictureOf('00000000-0000-4000-8000-000000000000')
  const withoutIds = ({ status, png }: typeof missing) => [status, png.toString().replace(/"request_id":"[^"]+"/, '')]
  for (const id of [hidden.id, secret.id, 'x', `${table.id}/x`]) expect(withoutIds(await pictureOf(id))).toEqual(withoutIds(missing))
  expect(missing.status).toBe(404)
  // Another health, or a letter that cannot be drawn.
  await app.call('PATCH', `/resource/all/${table.id}`, { body: { deprecation: { reason: 'Old.' } } })
  expect(address((await get(`/r/${table.id}`, '*/*')).body)).not.toBe(pictureUrl)
  await app.call('PATCH', `/resource/all/${table.id}`, { body: { deprecation: null } })
  await app.call('PATCH', `/resource/all/${document.id}`, { body: { title: '返品' } })
  expect(readMeta((await get(`/documents/${document.id}`, '*/*')).body)).toMatchObject({ 'og:title': '返品', 'twitter:card': 'summary' })
  expect((await pictureOf(document.id)).status).toBe(404)
  expect(readMeta((await get(`/documents/${document.id}`, 'text/html')).body)['og:description']).toBe('Document')
  for (const path of [
    `/r/${hidden.id}`,
    `/r/${secret.id}`,
    `/documents/${hidden.id}`,
    '/r/00000000-0000-4000-8000-000000000000',
    `/r/${table.id}/x`,
    `/lineage/${table.id}`,
    `/why/${table.id}`,
    `/search?q=orders`,
  ])
    for (const accept of CRAWLERS) expect([path, accept, await get(path, accept)]).toEqual([path, accept, generic])
  // People who are signed in get the page that their browser has stored.
  expect(await get(`/r/${table.id}`, 'text/html', { cookie: '__Host-tablinum_session=x' })).toEqual(generic)

  await app.call('PATCH', `/resource/all/${table.id}`, { body: { published: false } })
  expect(await get(`/r/${table.id}`, '*/*')).toEqual(generic)
  expect((await getPicture(pictureUrl)).status).toBe(404)
  await app.call('PATCH', `/resource/all/${table.id}`, { body: { published: true } })
  // A client that does not know the setting turns it off.
  expect((await allow()).body).toMatchObject({ link_previews: false })
  expect(await get(`/r/${table.id}`, '*/*')).toEqual(generic)
})

const allowPreviews = (app: TestApp) =>
  app.call('PUT', '/sharing/settings', { body: { embed_origins: [], public_links: true, link_previews: true } })

test('a page waits only shortly for its preview, and few previews are read at once', async () => {
  await using app = await createTestApp()
  await using reader = await createReader(app)
  await allowPreviews(app)
  const { id } = await app.createResource({ entity_type: 'table', title: 'orders', published: true })
  const get = () => reader.get(`/r/${id}`, '*/*')
  const generic = await reader.get('/r/00000000-0000-4000-8000-000000000000', '*/*')
  const preview = await get()
  expect(readMeta(preview.body)['og:title']).toBe('orders')

  const [locked, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const lock = app.db.transaction().execute(async (db) => {
    await sql`lock table sharing_settings in access exclusive mode`.execute(db)
    locked.resolve()
    await over.promise
  })
  await locked.promise
  const start = performance.now()
  let answered = 0
  const waiting = Array.from({ length: 4 }, async () => {
    const page = await get()
    answered += 1
    return page
  })
  await setTimeout(300)
  expect([await get(), answered]).toEqual([generic, 0])
  expect(await Promise.all(waiting)).toEqual([generic, generic, generic, generic])
  expect(performance.now() - start).toBeLessThan(10_000)
  over.resolve()
  await lock
  expect(await get()).toEqual(preview)
})

test('a page whose preview fails is the general one, and the error is reported', async () => {
  await using app = await createTestApp()
  await using reader = await createReader(app)
  await allowPreviews(app)
  const { id } = await app.createResource({ entity_type: 'table', title: 'orders', published: true })
  const errors: unknown[] = []
  const find = (path: string) =>
    app.ctx.runtime.pagePreviews.find(app.ctx, { path, publicUrl: 'https://catalog.example.com', hasSession: false }, (error) =>
      errors.push(error),
    )
  expect(await find(`/r/${id}`)).toMatchObject({ title: 'orders' })
  expect([await find(`/shared/${'x'.repeat(22)}`), await find('/r/00000000-0000-4000-8000-000000000000')]).toEqual([undefined, undefined])
  expect(errors).toEqual([])
  const generic = await reader.get('/r/00000000-0000-4000-8000-000000000000', '*/*')
  await sql`alter table resource_health rename to resource_health_gone`.execute(app.db)
  expect(await find(`/r/${id}`)).toBeUndefined()
  expect(errors).toMatchObject([{ message: expect.stringContaining('resource_health') }])
  expect(await reader.get(`/r/${id}`, '*/*')).toEqual(generic)
})
