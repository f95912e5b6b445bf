import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { ROLES } from '../../src/platform/permissions/permissions.ts'
import { createTestApp } from '../support/test-app.ts'

const codes = ({ reasons }: { reasons: { code: string; allows: boolean }[] }) =>
  reasons.map(({ code, allows }) => `${allows ? '+' : '-'}${code}`)

test('explains why a user can or cannot see a resource', async () => {
  await using app = await createTestApp()
  const [closed, open] = [await app.createTeam(true), await app.createTeam()]
  const draft = await app.createResource({ title: 'draft' })
  const shown = await app.createResource({ title: 'shown', published: true, teams: [open] })
  const secret = await app.createResource({ title: 'secret', published: true, teams: [closed] })
  const viewer = await app.createUser('viewer')
  const guest = await app.createUser('guest', { teams: [open] })
  const editor = await app.createUser('editor')
  const member = await app.createUser('editor', { teams: [closed] })
  const sendRequest = async (resource: { id: string }, user: { id: string }) =>
    (await app.call('GET', `/resource/all/${resource.id}/access?user=${user.id}`)).body
  for (const [resource, user, read, write, why] of [
    [draft, viewer, false, false, ['+role', '-unpublished', '-role_reads_only']],
    [draft, editor, true, true, ['+role']],
    [shown, viewer, true, false, ['+role', '+published', '-role_reads_only']],
    [shown, guest, true, false, ['+role', '+published', '+own_team', '-role_reads_only']],
    [secret, guest, false, false, ['+role', '+published', '-other_teams', '-closed_team', '-role_reads_only']],
    [secret, editor, false, false, ['+role', '-closed_team']],
    [secret, member, true, true, ['+role']],
  ] as const) {
    const access = await sendRequest(resource, user)
    expect([resource.title, access.user, access.read, access.write, access.execute, codes(access)]).toEqual([
      resource.title,
      user.id,
      read,
      write,
      write,
      why,
    ])
    for (const { detail } of access.reasons) expect(detail).toMatch(/^[A-Z].*\.$/)
  }
  await app.call('PATCH', `/user/${member.id}`, { body: { disabled: true } })
  expect(await sendRequest(secret, member)).toMatchObject({ read: false, write: false, execute: false, reasons: [{ code: 'disabled' }] })
})

test('callers can check themselves, others only with people.read, and never for hidden resources', async () => {
  await using app = await createTestApp()
  const { id } = await app.createResource({ published: true })
  const hidden = await app.createResource({ published: false })
  const viewer = await app.createUser('viewer')
  const reader = await app.createUser('editor', { scope: 'read' })
  const at = `/resource/all/${id}/access`
  const self = await app.call('GET', at, { token: viewer.token })
  expect([self.status, self.body.user, self.body.read]).toEqual([200, viewer.id, true])
  expect((await app.call('GET', `${at}?user=${viewer.id.replaceAll('-', '').toUpperCase()}`, { token: viewer.token })).body).toEqual(
    self.body,
  )
  // The scope of the current token limits the permissions of its user.
  const narrow = await app.call('GET', at, { token: reader.token })
  expect([narrow.body.read, narrow.body.write, codes(narrow.body)]).toEqual([true, false, ['+role', '-token_scope']])
  for (const [token, path, status] of [
    [viewer.token, `${at}?user=${reader.id}`, 403],
    [viewer.token, `${at}?user=${newId()}`, 403],
    [reader.token, `${at}?user=${viewer.id}`, 200],
    [app.token, `${at}?user=${newId()}`, 404],
    [app.token, `${at}?user=me`, 400],
    [viewer.token, `/resource/all/${hidden.id}/access`, 404],
    [app.token, `/resource/all/${newId()}/access`, 404],
    [app.token, '/resource/all/orders/access', 404],
  ] as const)
    expect([path, (await app.call('GET', path, { token })).status]).toEqual([path, status])
})

test('always agrees with the read endpoint for random users, teams and resources', async () => {
  await using app = await createTestApp()
  const teams = [await app.createTeam(true), await app.createTeam(true), await app.createTeam(), newId()]
  const some = fc.subarray(teams)
  const visibilities = fc.sample(fc.record({ published: fc.boolean(), teams: some }), { numRuns: 14, seed: 7 })
  const people = fc.sample(fc.record({ role: fc.constantFrom(...ROLES), teams: fc.subarray(teams.slice(0, 3)) }), { numRuns: 14, seed: 8 })
  const resources = await Promise.all(visibilities.map((visibility) => app.createResource({ title: 'x', ...visibility })))
  for (const { role, teams } of people) {
    const { id, token } = await app.createUser(role, { teams })
    const { body: list } = await app.call('GET', '/resource/catalog', { token })
    for (const resource of resources) {
      const [{ body: access }, read] = await Promise.all([
        app.call('GET', `/resource/all/${resource.id}/access?user=${id}`),
        app.call('GET', `/resource/all/${resource.id}`, { token }),
      ])
      const { write, execute } = read.body.current_user_permissions ?? { write: false, execute: false }
      expect([role, teams, resource, access.read, access.write, access.execute]).toEqual([
        role,
        teams,
        resource,
        read.status === 200,
        write,
        execute,
      ])
      expect(list.results.some((each: { id: string }) => each.id === resource.id)).toBe(access.read)
      expect(access.read).toBe(
        access.reasons.filter(({ about }: { about: string }) => about === 'read').every(({ allows }: { allows: boolean }) => allows),
      )
    }
  }
})
