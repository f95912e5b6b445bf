import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ROLES } from '../src/access/permissions.ts'
import { newId } from '../src/id.ts'
import { aHouse } from './house.ts'

const codes = ({ reasons }: { reasons: { code: string; allows: boolean }[] }) =>
  reasons.map(({ code, allows }) => `${allows ? '+' : '-'}${code}`)

test('explains why a user can or cannot see a resource', async () => {
  await using house = await aHouse()
  const [closed, open] = [await house.team(true), await house.team()]
  const draft = await house.resource({ title: 'draft' })
  const shown = await house.resource({ title: 'shown', published: true, teams: [open] })
  const secret = await house.resource({ title: 'secret', published: true, teams: [closed] })
  const viewer = await house.someone('viewer')
  const guest = await house.someone('guest', { teams: [open] })
  const editor = await house.someone('editor')
  const member = await house.someone('editor', { teams: [closed] })
  const ask = async (resource: { id: string }, user: { id: string }) =>
    (await house.call('GET', `/resource/all/${resource.id}/access?user=${user.id}`)).body
  for (const [resource, user, read, write, why] of [
    [draft, viewer, false, false, ['+role', '-unpublished', '-role_reads_only']],
    [draft, editor, true, true, ['+role']],
    [shown, viewer, true, false, ['+role', '+published', '-role_reads_only']],
    [shown, guest, true, false, ['+role', '+published', '+own_team', '-role_reads_only']],
    [secret, guest, false, false, ['+role', '+published', '-other_teams', '-closed_team', '-role_reads_only']],
    [secret, editor, false, false, ['+role', '-closed_team']],
    [secret, member, true, true, ['+role']],
  ] as const) {
    const access = await ask(resource, user)
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
  await house.call('PATCH', `/user/${member.id}`, { body: { disabled: true } })
  expect(await ask(secret, member)).toMatchObject({ read: false, write: false, execute: false, reasons: [{ code: 'disabled' }] })
})

test('callers can check themselves, others only with people.read, and never for hidden resources', async () => {
  await using house = await aHouse()
  const { id } = await house.resource({ published: true })
  const hidden = await house.resource({ published: false })
  const viewer = await house.someone('viewer')
  const reader = await house.someone('editor', { scope: 'read' })
  const at = `/resource/all/${id}/access`
  const self = await house.call('GET', at, { token: viewer.token })
  expect([self.status, self.body.user, self.body.read]).toEqual([200, viewer.id, true])
  expect((await house.call('GET', `${at}?user=${viewer.id.replaceAll('-', '').toUpperCase()}`, { token: viewer.token })).body).toEqual(
    self.body,
  )
  // The scope of the current token limits the permissions of its user.
  const narrow = await house.call('GET', at, { token: reader.token })
  expect([narrow.body.read, narrow.body.write, codes(narrow.body)]).toEqual([true, false, ['+role', '-token_scope']])
  for (const [token, path, status] of [
    [viewer.token, `${at}?user=${reader.id}`, 403],
    [viewer.token, `${at}?user=${newId()}`, 403],
    [reader.token, `${at}?user=${viewer.id}`, 200],
    [house.token, `${at}?user=${newId()}`, 404],
    [house.token, `${at}?user=me`, 400],
    [viewer.token, `/resource/all/${hidden.id}/access`, 404],
    [house.token, `/resource/all/${newId()}/access`, 404],
    [house.token, '/resource/all/orders/access', 404],
  ] as const)
    expect([path, (await house.call('GET', path, { token })).status]).toEqual([path, status])
})

test('always agrees with the read endpoint for random users, teams and resources', async () => {
  await using house = await aHouse()
  const teams = [await house.team(true), await house.team(true), await house.team(), newId()]
  const some = fc.subarray(teams)
  const looks = fc.sample(fc.record({ published: fc.boolean(), teams: some }), { numRuns: 14, seed: 7 })
  const people = fc.sample(fc.record({ role: fc.constantFrom(...ROLES), teams: fc.subarray(teams.slice(0, 3)) }), { numRuns: 14, seed: 8 })
  const resources = await Promise.all(looks.map((look) => house.resource({ title: 'x', ...look })))
  for (const { role, teams } of people) {
    const { id, token } = await house.someone(role, { teams })
    const { body: list } = await house.call('GET', '/resource/catalog', { token })
    for (const resource of resources) {
      const [{ body: access }, read] = await Promise.all([
        house.call('GET', `/resource/all/${resource.id}/access?user=${id}`),
        house.call('GET', `/resource/all/${resource.id}`, { token }),
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
