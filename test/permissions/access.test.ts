import { expect, test } from 'vitest'
import { createApp } from '../../src/app/app.ts'
import { createRuntime } from '../../src/app/runtime.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Every access route with its input, and the status for an admin, an editor, a viewer and a guest. `{…}` belongs to another user. */
const EVERYONE = [200, 200, 200, 200]
const PEOPLE_READERS = [200, 200, 403, 403]
const adminOnly = (status: number) => [status, 403, 403, 403]
const hidden = (status: number) => [status, 404, 404, 404]

const memberGroupRoutesOf = (path: string, key: string) =>
  [
    ['GET', path, undefined, EVERYONE],
    ['POST', path, { name: 'A group of {role}' }, adminOnly(201)],
    ['GET', `${path}/{${key}}`, undefined, [200, 200, 404, 404]],
    ['PATCH', `${path}/{${key}}`, { description: 'new' }, adminOnly(200)],
    ['POST', `${path}/{${key}}/members`, { members: ['{user_id}'] }, adminOnly(200)],
    ['DELETE', `${path}/{${key}}/members/{user_id}`, undefined, adminOnly(204)],
    ['DELETE', `${path}/{${key}}`, undefined, adminOnly(204)],
  ] as const

const ACCESS_ROUTES = [
  ['GET', '/auth/tokens', undefined, EVERYONE],
  ['POST', '/auth/tokens', { name: 'mine' }, [201, 201, 201, 201]],
  ['POST', '/auth/tokens', { name: 'theirs', user: '{user_id}' }, adminOnly(201)],
  ['GET', '/auth/tokens/{token_id}', undefined, hidden(200)],
  ['PATCH', '/auth/tokens/{token_id}', { name: 'renamed' }, hidden(200)],
  ['DELETE', '/auth/tokens/{token_id}', undefined, hidden(204)],
  ['GET', '/user', undefined, PEOPLE_READERS],
  ['GET', '/user/me', undefined, EVERYONE],
  ['POST', '/user', { email: 'new-{role}@example.com', role: 'viewer' }, adminOnly(201)],
  ['GET', '/user/{user_id}', undefined, PEOPLE_READERS],
  ['PATCH', '/user/{user_id}', { first_name: 'New' }, adminOnly(200)],
  ...memberGroupRoutesOf('/auth/teams', 'team_id'),
  ...memberGroupRoutesOf('/auth/group', 'group_id'),
  ['DELETE', '/user/{user_id}', undefined, adminOnly(204)],
] as const

/** Another user and their records. */
const createOtherUser = async (app: TestApp) => {
  const { id: user_id, ctx } = await app.createUser('viewer')
  const token_id = ctx.actor.token_id!
  const name = `of ${user_id}`
  const { body: team } = await app.call('POST', '/auth/teams', { body: { name } })
  const { body: group } = await app.call('POST', '/auth/group', { body: { name } })
  return { user_id, token_id, team_id: team.id as string, group_id: group.id as string }
}

test('every route is open to the right roles, and a rejected request records nothing', async () => {
  await using app = await createTestApp()
  for (const [i, role] of (['admin', 'editor', 'viewer', 'guest'] as const).entries()) {
    const caller = await app.createUser(role)
    const filled = { role, ...(await createOtherUser(app)) }
    const fill = (text: string) => Object.entries(filled).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, value), text)
    for (const [method, path, body, statuses] of ACCESS_ROUTES) {
      const before = (await app.listActivities()).length
      const response = await app.call(method, fill(path), {
        token: caller.token,
        body: body === undefined ? undefined : fill(JSON.stringify(body)),
      })
      expect([role, method, path, response.status]).toEqual([role, method, path, statuses[i]])
      const recordedCount = (await app.listActivities()).length - before
      if (method === 'GET' || response.status >= 400) expect([role, method, path, recordedCount]).toEqual([role, method, path, 0])
      else expect([role, method, path, recordedCount > 0]).toEqual([role, method, path, true])
    }
  }
})

test('the table above lists every route, and none works without a token', async () => {
  await using app = await createTestApp()
  const { body: document } = await app.call('GET', '/openapi.json')
  const served = Object.entries(document.paths as Record<string, Record<string, { tags: string[] }>>)
    .filter(([path]) => /^\/api\/v1\/(auth|user)(\/|$)/.test(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { tags }]) => !tags.includes('Signing in')) // see test/accounts/sessions*.test.ts
        .map(([method]) => `${method.toUpperCase()} ${path.slice('/api/v1'.length)}`),
    )
  expect([...new Set(ACCESS_ROUTES.map(([method, path]) => `${method} ${path}`))].sort()).toEqual(served.sort())
  for (const [method, path] of ACCESS_ROUTES) {
    const { status, body } = await app.call(method, path, { token: null })
    expect([method, path, status, body.code]).toEqual([method, path, 401, 'unauthenticated'])
  }
})

test('a scope limits the user: read cannot write, write cannot manage', async () => {
  await using app = await createTestApp()
  const reading = await app.createUser('admin', { scope: 'read' })
  const writing = await app.createUser('admin', { scope: 'write' })
  const other = await app.createUser('viewer')
  for (const [who, method, path, body, status] of [
    [reading, 'GET', '/user', undefined, 200],
    [reading, 'GET', '/user/me', undefined, 200],
    [reading, 'POST', '/resource/catalog', { title: 'x' }, 403],
    [reading, 'POST', '/auth/tokens', { name: 'x' }, 403],
    [reading, 'POST', '/auth/teams', { name: 'x' }, 403],
    [writing, 'POST', '/resource/catalog', { title: 'x' }, 201],
    [writing, 'POST', '/auth/teams', { name: 'x' }, 403],
    [writing, 'PATCH', `/user/${other.id}`, { role: 'admin' }, 403],
    [writing, 'POST', '/auth/tokens', { name: 'x', user: other.id }, 403],
    [writing, 'GET', `/auth/tokens/${other.ctx.actor.token_id}`, undefined, 404],
    [writing, 'DELETE', `/auth/tokens/${other.ctx.actor.token_id}`, undefined, 404],
  ] as const)
    expect([method, path, (await app.call(method, path, { token: who.token, body })).status]).toEqual([method, path, status])
  expect((await app.call('GET', '/user/me', { token: other.token })).body.role).toBe('viewer')
})

test('/user/me returns the caller and their permissions with this token', async () => {
  await using app = await createTestApp()
  const team = await app.createTeam()
  const { id, token, ctx } = await app.createUser('editor', { scope: 'read', teams: [team] })
  const { body } = await app.call('GET', '/user/me', { token })
  expect(body).toMatchObject({ id, role: 'editor', name: 'editor Person', teams: [team], groups: [], disabled: false, scope: 'read' })
  expect(body.token_id).toBe(ctx.actor.token_id)
  expect(body.permissions).toEqual(expect.arrayContaining(['catalog.read', 'people.read', 'teams.read']))
  expect(body.permissions).not.toContain('catalog.write')
  expect((await app.call('GET', '/user/me')).body.permissions).toContain('people.manage')
})

test('a revoked token, an expired token and a disabled user lose access immediately, also on another instance', async () => {
  let at = new Date()
  await using app = await createTestApp({ now: () => at })
  await using runtime = createRuntime(app.url)
  const config = { rateLimit: 0, requestTimeoutMs: 30_000, logLevel: 'silent' } as const
  const second = await createApp({ backend: { runtime, workspace_id: app.ctx.workspace_id, now: () => at }, config })
  const statuses = async (token: string) => [
    (await app.call('GET', '/user/me', { token })).status,
    (await second.inject({ url: '/api/v1/user/me', headers: { authorization: `Bearer ${token}` } })).statusCode,
  ]
  const revoked = await app.createUser('editor')
  const disabled = await app.createUser('editor')
  const { body: expiring } = await app.call('POST', '/auth/tokens', {
    body: { name: 'short', expires_at: new Date(at.getTime() + 60_000).toISOString() },
  })
  for (const token of [revoked.token, disabled.token, expiring.token]) expect(await statuses(token)).toEqual([200, 200])

  expect((await app.call('DELETE', `/auth/tokens/${revoked.ctx.actor.token_id}`)).status).toBe(204)
  expect(await statuses(revoked.token)).toEqual([401, 401])
  expect((await app.call('DELETE', `/user/${disabled.id}`)).status).toBe(204)
  expect(await statuses(disabled.token)).toEqual([401, 401])
  at = new Date(at.getTime() + 60_000)
  expect(await statuses(expiring.token)).toEqual([401, 401])

  await second.close()
})

test('rejects an invalid body and warns about unknown fields', async () => {
  await using app = await createTestApp()
  const filled = await createOtherUser(app)
  for (const [method, path] of [...new Map(ACCESS_ROUTES.map((route) => [`${route[0]} ${route[1]}`, route])).values()].filter(
    ([, , body]) => body,
  )) {
    const url = Object.entries(filled).reduce((url, [name, id]) => url.replace(`{${name}}`, id), path as string)
    for (const body of [undefined, 'null', '[]', '"x"', '{'])
      expect([method, path, body, (await app.call(method, url, { body })).status]).toEqual([method, path, body, 400])
  }
  const { status, headers } = await app.call('POST', '/auth/group', { body: { name: 'x', closed: true, members: [], created_at: 'x' } })
  expect([status, headers.warning]).toEqual([201, '199 - "ignored fields: closed"'])
})
