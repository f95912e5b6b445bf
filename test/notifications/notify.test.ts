import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { editResource, editResources } from '../../src/catalog/resources/edit.ts'
import { followChanges } from '../../src/notifications/inbox/follow.ts'
import type { Context } from '../../src/platform/context/context.ts'
import { inTransaction } from '../../src/platform/context/context.ts'
import { newId } from '../../src/platform/core/id.ts'
import { xidRangesBetween } from '../../src/platform/history/commits.ts'
import { recordActivity } from '../../src/platform/history/record.ts'
import { createTestNotifier } from '../support/notification-servers.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Who is notified of a change in the inbox. */
const inbox = async (app: TestApp, { token }: { token: string }, query = '') =>
  (await app.call('GET', `/notification/inbox${query}`, { token })).body
const texts = async (app: TestApp, who: { token: string }): Promise<string[]> =>
  (await inbox(app, who)).results.flatMap(({ changes }: { changes: { text: string }[] }) => changes.map(({ text }) => text))
const edit = (ctx: Context, id: string, body: object) => editResource({ ...ctx, now: new Date() }, id, body)

test('owners, members of owner groups and subscribers are notified of a change; its author and others are not', async () => {
  await using app = await createTestApp()
  const [ada, owner, member, subscriber, bystander, gone] = await Promise.all(
    ['editor', 'editor', 'editor', 'viewer', 'editor', 'editor'].map((role) => app.createUser(role as 'editor')),
  )
  const { body: group } = await app.call('POST', '/auth/group', { body: { name: 'stewards', members: [member!.id, ada!.id] } })
  await app.call('PATCH', `/user/${gone!.id}`, { body: { disabled: true } })
  const { id } = await app.createResource({
    title: 'orders',
    published: true,
    owners: [owner!.id, ada!.id, newId()],
    owners_groups: [group.id, newId()],
    subscribers: [subscriber!.id, owner!.id, gone!.id, newId()],
  })
  await createTestNotifier(app).follow()
  await edit(ada!.ctx, id, { description: 'One row for each order.' })
  const notifier = createTestNotifier(app)
  await notifier.follow()
  await notifier.follow()

  for (const who of [owner!, member!, subscriber!]) {
    const { results, count, unread_count } = await inbox(app, who)
    expect([count, unread_count]).toEqual([1, 1])
    expect(results[0]).toEqual({
      id: expect.any(String),
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      resource_id: id,
      resource_type: 'table',
      resource_title: 'orders',
      resource_deleted: false,
      incident: null,
      link: null,
      text: 'editor Person set the description of orders to “One row for each order.”',
      changes: [
        {
          id: expect.any(String),
          activity_type: 'resource_updated',
          performer_id: ada!.id,
          performer_name: 'editor Person',
          text: 'editor Person set the description of orders to “One row for each order.”',
          event_blocks: expect.any(Array),
          translatable: expect.objectContaining({ template: '{performer} set {what} of {resource} to {to}' }),
          comment: null,
          logged_at: expect.stringMatching(/Z$/),
        },
      ],
      changes_count: 1,
      last_change_at: expect.stringMatching(/Z$/),
      read: false,
      read_at: null,
    })
    expect((await app.call('GET', '/notification/inbox/unread_count', { token: who.token })).body).toEqual({ unread_count: 1 })
  }
  for (const who of [ada!, bystander!]) expect(await inbox(app, who)).toMatchObject({ count: 0, unread_count: 0, results: [] })
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from notifications`.execute(app.db)
  expect(rows[0]!.n).toBe(3)
})

test('users are notified of changes of description, documentation, owners, tags, collections and custom properties only', async () => {
  await using app = await createTestApp()
  const [ada, bob] = [await app.createUser('editor'), await app.createUser('editor')]
  const { id } = await app.createResource({ title: 'orders', subscribers: [bob.id] })
  const notifier = createTestNotifier(app)
  for (const quiet of [
    { title: 'orders2' },
    { pii: true },
    { verified: true },
    { teams: [newId()] },
    { published: true },
    { subscribers: [bob.id, ada.id] },
  ])
    await app.call('PATCH', `/resource/all/${id}`, { token: ada.token, body: quiet })
  await app.call('POST', '/resource/catalog', { token: ada.token, body: { title: 'new', description: 'x', owners: [bob.id] } })
  await notifier.follow()
  expect(await inbox(app, bob)).toMatchObject({ count: 0 })

  for (const change of [
    { description: 'a' },
    { definition: 'b' },
    { owners: [newId()] },
    { owners_groups: [newId()] },
    { tags: [newId()] },
    { collections: [newId()] },
  ])
    await app.call('PATCH', `/resource/all/${id}`, { token: ada.token, body: change })
  await app.call('POST', '/resource/all_v2/custom_properties/', { body: { name: 'Tier', value_type: 'string' } })
  await app.call('PUT', `/resource/all_v2/custom_properties/Tier/${id}`, { token: ada.token, body: { value: 'gold' } })
  await notifier.follow()
  const { results, count } = await inbox(app, bob)
  expect([count, results[0].changes_count]).toEqual([1, 7])
  expect(results[0].changes.map(({ text }: { text: string }) => text.replace(/^editor Person /, ''))).toEqual([
    expect.stringMatching(/Tier.*orders2/),
    'added 1 collection to orders2',
    'added 1 tag to orders2',
    'added 1 owner group to orders2',
    'added 1 owner to orders2',
    'set the documentation of orders2 to “b”',
    'set the description of orders2 to “a”',
  ])
})

test('users are notified when they become or stop being an owner', async () => {
  await using app = await createTestApp()
  const [ada, bob] = [await app.createUser('editor'), await app.createUser('editor')]
  const { id } = await app.createResource({ title: 'orders' })
  const notifier = createTestNotifier(app)
  await edit(ada.ctx, id, { owners: [bob.id, ada.id] })
  await notifier.follow()
  expect(await texts(app, bob)).toEqual(['editor Person made you an owner of orders'])
  await edit(ada.ctx, id, { owners: null })
  await notifier.follow()
  expect(await texts(app, bob)).toEqual([
    'editor Person removed you from the owners of orders',
    'editor Person made you an owner of orders',
  ])
  expect(await inbox(app, ada)).toMatchObject({ count: 0 })
})

test('users are not notified of what they could not see at that time, even if they can later', async () => {
  await using app = await createTestApp()
  const team = await app.createTeam(true)
  const [ada, viewer, outsider, insider] = [
    await app.createUser('admin'),
    await app.createUser('viewer'),
    await app.createUser('editor'),
    await app.createUser('editor', { teams: [team] }),
  ]
  const subscribers = [viewer.id, outsider.id, insider.id]
  const hidden = await app.createResource({ title: 'hidden', subscribers })
  const closed = await app.createResource({ title: 'closed', published: true, teams: [team], subscribers })
  const notifier = createTestNotifier(app)
  await edit(ada.ctx, hidden.id, { description: 'a secret' })
  await edit(ada.ctx, closed.id, { description: 'a secret' })
  // Made visible before the follower runs: the edit itself was hidden.
  await edit(ada.ctx, hidden.id, { published: true })
  await edit(ada.ctx, closed.id, { teams: null })
  await notifier.follow()
  const titles = async (who: { token: string }) =>
    (await inbox(app, who)).results.map((each: { resource_title: string }) => each.resource_title).sort()
  expect([await titles(viewer), await titles(outsider), await titles(insider)]).toEqual([[], ['hidden'], ['closed', 'hidden']])

  await edit(ada.ctx, hidden.id, { description: 'open' })
  await notifier.follow()
  expect(await titles(viewer)).toEqual(['hidden'])
  const { id } = (await inbox(app, viewer)).results[0]

  // Hidden again: it is not in the inbox, not counted and not found, and comes back with its visibility.
  await edit(ada.ctx, hidden.id, { published: false })
  expect(await inbox(app, viewer)).toMatchObject({ count: 0, unread_count: 0, results: [] })
  const unknown = newId()
  const response = await app.call('GET', `/notification/inbox/${id}`, { token: viewer.token })
  const nothing = await app.call('GET', `/notification/inbox/${unknown}`, { token: viewer.token })
  expect([response.status, response.body.detail.replace(id, '')]).toEqual([404, nothing.body.detail.replace(unknown, '')])
  for (const [method, body] of [
    ['PATCH', { read: true }],
    ['DELETE', undefined],
  ] as const)
    expect((await app.call(method, `/notification/inbox/${id}`, { token: viewer.token, body })).status).toBe(404)
  expect((await app.call('POST', '/notification/inbox/read_all', { token: viewer.token })).body).toEqual({ read: 0 })
  await edit(ada.ctx, hidden.id, { published: true })
  expect(await inbox(app, viewer)).toMatchObject({ count: 1, unread_count: 1 })
})

test('a deletion notifies those who could see the resource, once for a whole tree', async () => {
  await using app = await createTestApp()
  const [ada, owner, ownerBelow, viewer] = [
    await app.createUser('editor'),
    await app.createUser('editor'),
    await app.createUser('editor'),
    await app.createUser('viewer'),
  ]
  const top = await app.createResource({ title: 'shop', entity_type: 'schema', owners: [owner.id, viewer.id] })
  await app.createResource({
    title: 'orders',
    parent: top.id,
    published: true,
    owners: [owner.id],
    subscribers: [ownerBelow.id, viewer.id],
  })
  await edit(app.ctx, top.id, { published: false })
  await app.createResource({ title: 'quiet', parent: top.id })
  const notifier = createTestNotifier(app)
  await edit(ada.ctx, top.id, { description: 'soon gone' })
  await notifier.follow()
  expect(await texts(app, owner)).toEqual(['editor Person set the description of shop to “soon gone”'])
  await app.call('DELETE', `/resource/all/${top.id}`, { token: ada.token })
  // Deleted resources are not shown before the follower has recorded who could see them.
  expect(await inbox(app, owner)).toMatchObject({ count: 0 })
  await notifier.follow()
  expect(await texts(app, owner)).toEqual([
    'editor Person deleted the schema shop',
    'editor Person set the description of shop to “soon gone”',
  ])
  expect((await inbox(app, owner)).results[0]).toMatchObject({ resource_deleted: true, link: null, changes_count: 2 })
  expect(await texts(app, ownerBelow)).toEqual(['editor Person deleted the table orders together with its parent'])
  // The schema was hidden from the viewer, the table below it was not.
  expect(await texts(app, viewer)).toEqual(['editor Person deleted the table orders together with its parent'])
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from notifications`.execute(app.db)
  expect(rows[0]!.n).toBe(3)
})

test('a resource hidden before its deletion stays hidden', async () => {
  await using app = await createTestApp()
  const [ada, viewer] = [await app.createUser('editor'), await app.createUser('viewer')]
  const { id } = await app.createResource({ title: 'orders', published: true, subscribers: [viewer.id] })
  const notifier = createTestNotifier(app)
  await edit(ada.ctx, id, { description: 'seen' })
  await notifier.follow()
  expect(await inbox(app, viewer)).toMatchObject({ count: 1 })
  await edit(ada.ctx, id, { published: false, subscribers: null })
  await app.call('DELETE', `/resource/all/${id}`, { token: ada.token })
  await notifier.follow()
  expect(await inbox(app, viewer)).toMatchObject({ count: 0, unread_count: 0 })
})

test('changes are added to an unread notification; after reading, a new one starts', async () => {
  await using app = await createTestApp()
  const [ada, bob] = [await app.createUser('editor'), await app.createUser('editor')]
  const { id } = await app.createResource({ title: 'orders', owners: [bob.id] })
  const notifier = createTestNotifier(app)
  const call = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
    app.call(method, `/notification/inbox${path}`, { token: bob.token, body, headers })
  for (let i = 1; i <= 25; i += 1) {
    await edit(ada.ctx, id, { description: `draft ${i}` })
    if (i % 5 === 0) await notifier.follow()
  }
  const { results, count } = (await call('GET', '')).body
  const [first] = results
  expect([count, first.changes_count, first.changes.length]).toEqual([1, 25, 20])
  expect(first.text).toContain('to “draft 25”')
  expect(first.changes.at(-1).text).toContain('to “draft 6”')

  const read = await call('PATCH', `/${first.id}`, { read: true })
  expect([read.status, read.body.read, read.body.read_at]).toEqual([200, true, expect.stringMatching(/Z$/)])
  expect(read.body.last_change_at).toBe(first.last_change_at)
  expect((await call('GET', '?unread=true')).body).toMatchObject({ count: 0, unread_count: 0 })
  await edit(ada.ctx, id, { description: 'final' })
  await notifier.follow()
  const after = (await call('GET', '')).body
  expect([after.count, after.unread_count]).toEqual([2, 1])
  expect(after.results[0]).toMatchObject({ read: false, changes_count: 1 })
  expect((await call('GET', '?unread=false')).body.results.map((each: { id: string }) => each.id)).toEqual([first.id])
  expect((await call('PATCH', `/${first.id}`, { read: false })).status).toBe(409)
  expect((await call('PATCH', `/${after.results[0].id}`, { read: true }, { 'if-match': '"t0"' })).status).toBe(412)
  const etag = (await call('GET', `/${after.results[0].id}`)).headers.etag!
  expect((await call('PATCH', `/${after.results[0].id}`, { read: true }, { 'if-match': etag })).status).toBe(200)
  expect((await call('PATCH', `/${first.id}`, { read: false })).body).toMatchObject({ read: false, read_at: null })
  expect((await call('POST', '/read_all')).body).toEqual({ read: 1 })
  expect((await call('DELETE', `/${first.id}`)).status).toBe(204)
  expect((await call('GET', `/${first.id}`)).status).toBe(404)
  expect((await call('GET', '')).body).toMatchObject({ count: 1, unread_count: 0 })
})

test('an inbox is private, also to admins', async () => {
  await using app = await createTestApp()
  const [ada, bob] = [await app.createUser('editor'), await app.createUser('guest')]
  const team = await app.createTeam()
  await app.db.insertInto('team_members').values({ team_id: team, user_id: bob.id }).execute()
  const { id } = await app.createResource({ title: 'orders', published: true, teams: [team], subscribers: [bob.id] })
  await edit(ada.ctx, id, { description: 'x' })
  await createTestNotifier(app).follow()
  const [mine] = (await inbox(app, bob)).results
  expect((await app.call('GET', '/notification/inbox')).body).toMatchObject({ count: 0, unread_count: 0 })
  for (const [method, body] of [
    ['GET', undefined],
    ['PATCH', { read: true }],
    ['DELETE', undefined],
  ] as const)
    expect((await app.call(method, `/notification/inbox/${mine.id}`, { body })).status).toBe(404)
  expect((await app.call('POST', '/notification/inbox/read_all')).body).toEqual({ read: 0 })
  expect((await inbox(app, bob)).unread_count).toBe(1)
})

test('a change that is committed late is notified once', async () => {
  await using app = await createTestApp()
  const [ada, bob] = [await app.createUser('editor'), await app.createUser('editor')]
  const [slow, quick] = [
    await app.createResource({ title: 'slow', owners: [bob.id] }),
    await app.createResource({ title: 'quick', owners: [bob.id] }),
  ]
  const notifier = createTestNotifier(app)
  const written = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const late = inTransaction(ada.ctx, async (ctx) => {
    await editResources({ ...ctx, now: new Date() }, [{ id: slow.id, data: { description: 'late' } }])
    written.resolve()
    await release.promise
  })
  await written.promise
  await edit(ada.ctx, quick.id, { description: 'soon' })
  await notifier.follow()
  expect(await texts(app, bob)).toEqual(['editor Person set the description of quick to “soon”'])
  release.resolve()
  await late
  await notifier.follow()
  await notifier.follow()
  expect((await texts(app, bob)).sort()).toEqual([
    'editor Person set the description of quick to “soon”',
    'editor Person set the description of slow to “late”',
  ])
})

test('many changes are processed in steps, and concurrent followers notify each of them once', async () => {
  await using app = await createTestApp()
  const [ada, bob] = [await app.createUser('editor'), await app.createUser('editor')]
  await using other = await app.createInstance()
  const ids: string[] = []
  for (let i = 0; i < 5; i += 1) ids.push((await app.createResource({ title: `t${i}`, owners: [bob.id] })).id)
  await inTransaction(ada.ctx, async (ctx) => {
    for (let i = 0; i < 90; i += 1)
      await editResources(
        ctx,
        ids.map((id) => ({ id, data: { description: `d${i}` } })),
      )
  })
  const followers = [app.ctx, other.ctx, app.ctx, other.ctx].map(async (ctx) => {
    for (let i = 0; i < 30; i += 1) await followChanges(ctx, [])
  })
  const writing = (async () => {
    for (let i = 0; i < 20; i += 1) await edit(ada.ctx, ids[i % 5]!, { description: `w${i}` })
  })()
  await Promise.all([...followers, writing])
  await createTestNotifier(app).follow()
  const { results } = await inbox(app, bob)
  expect(results.map((each: { changes_count: number }) => each.changes_count)).toEqual([94, 94, 94, 94, 94])
})

test('a database restored on another server continues with new changes', async () => {
  await using app = await createTestApp()
  const [ada, bob] = [await app.createUser('editor'), await app.createUser('editor')]
  const { id } = await app.createResource({ title: 'orders', owners: [bob.id] })
  await edit(ada.ctx, id, { description: 'before the restore' })
  await sql`update follower_positions set seen = '900000000:900000000:' where follower = 'inbox'`.execute(app.db)
  await sql`update activities set xid = '800000000'`.execute(app.db)
  const notifier = createTestNotifier(app)
  await notifier.follow()
  await edit(ada.ctx, id, { description: 'after the restore' })
  await notifier.follow()
  expect(await texts(app, bob)).toEqual([expect.stringContaining('to “after the restore”')])
})

test('ranges leave out transactions that were running', () => {
  const between = (seen: string, target: string) => xidRangesBetween(seen, target).map(({ from, below }) => `${from}-${below}`)
  expect(between('10:10:', '10:10:')).toEqual([])
  expect(between('10:10:', '20:20:')).toEqual(['10-20'])
  expect(between('10:15:10,12', '12:20:18,12,15')).toEqual(['10-12', '13-15', '16-18', '19-20'])
  expect(between('10:10:', '10:12:10,11')).toEqual([])
})

test('activities of other records notify no one', async () => {
  await using app = await createTestApp()
  const bob = await app.createUser('editor')
  const { id } = await app.createResource({ title: 'orders', owners: [bob.id] })
  await inTransaction(app.ctx, async (ctx) => {
    await recordActivity(ctx, {
      activity_type: 'group_updated',
      resource_id: newId(),
      changes: [{ field: 'description', from: null, to: 'x' }],
    })
    await recordActivity(ctx, {
      activity_type: 'group_deleted',
      resource_id: newId(),
      changes: [{ field: 'owners', from: [bob.id], to: null }],
    })
    await recordActivity(ctx, {
      activity_type: 'lineage_created',
      resource_id: id,
      changes: [{ field: 'description', from: null, to: 'x' }],
    })
    await recordActivity(ctx, { activity_type: 'resource_updated', resource_id: id })
  })
  await createTestNotifier(app).follow()
  expect(await inbox(app, bob)).toMatchObject({ count: 0 })
})

test('settings are personal: e-mail is on, Slack requires an ID', async () => {
  await using app = await createTestApp()
  const [bob, reader] = [await app.createUser('viewer'), await app.createUser('viewer', { scope: 'read' })]
  const before = (await app.listActivities()).length
  const call = (method: string, body?: unknown, headers?: Record<string, string>) =>
    app.call(method, '/notification/settings', { token: bob.token, body, headers })
  const first = await call('GET')
  expect(first.body).toMatchObject({
    id: bob.id,
    email: true,
    email_available: false,
    slack: false,
    slack_id: null,
    slack_available: false,
  })
  for (const bad of [
    { email: 'yes' },
    { email: null },
    { slack: 1 },
    { slack: true },
    { slack_id: '' },
    { slack_id: 'u1' },
    { slack_id: 'U\u0000' },
    { slack_id: 5 },
    { slack_id: `U${'1'.repeat(5000)}` },
    { slack_id: 'U\ud800' },
    [],
    null,
  ])
    expect([bad, (await call('PATCH', bad)).status]).toEqual([bad, 400])
  expect((await call('PATCH', { email: false }, { 'if-match': '"t0"' })).status).toBe(412)
  const edited = await call('PATCH', { email: false, slack: true, slack_id: 'U024BE7LH' }, { 'if-match': first.headers.etag! })
  expect(edited.body).toMatchObject({ email: false, slack: true, slack_id: 'U024BE7LH' })
  expect((await call('PATCH', { slack_id: null })).status).toBe(400)
  expect((await call('PATCH', { slack: false, slack_id: null })).body).toMatchObject({ email: false, slack: false, slack_id: null })
  expect((await call('PATCH', { emial: true })).headers.warning).toContain('emial')
  expect((await app.call('PATCH', '/notification/settings', { token: reader.token, body: { email: false } })).status).toBe(403)
  expect((await app.call('GET', '/notification/settings')).body).toMatchObject({ email: true })
  expect((await app.listActivities()).length).toBe(before)
})

test('invalid input is rejected and changes nothing', async () => {
  await using app = await createTestApp()
  const [ada, bob] = [await app.createUser('editor'), await app.createUser('editor')]
  const { id } = await app.createResource({ title: 'orders', owners: [bob.id] })
  await edit(ada.ctx, id, { description: 'x' })
  await createTestNotifier(app).follow()
  const [{ id: notification }] = (await inbox(app, bob)).results
  const call = (method: string, path: string, body?: unknown) => app.call(method, `/notification/${path}`, { token: bob.token, body })
  for (const query of ['unread=maybe', 'unread=1', 'page=0', 'page_size=1001', 'resource_id=x', 'resource_id=%00'])
    expect([query, (await call('GET', `inbox?${query}`)).status]).toEqual([query, 400])
  for (const body of [{}, { read: 'true' }, { read: 1 }, { read: null }, [], null, 'x'])
    expect([body, (await call('PATCH', `inbox/${notification}`, JSON.stringify(body))).status]).toEqual([body, 400])
  for (const path of ['x', '%00', newId(), '%F0%9F%98%80'])
    for (const method of ['GET', 'DELETE']) expect([path, (await call(method, `inbox/${path}`)).status]).toEqual([path, 404])
  expect((await call('GET', `inbox/${notification.replaceAll('-', '').toUpperCase()}`)).status).toBe(200)
  expect((await call('GET', `inbox?resource_id=${id.replaceAll('-', '').toUpperCase()}`)).body.count).toBe(1)
  expect((await call('GET', `inbox?resource_id=${newId()}`)).body).toMatchObject({ count: 0, unread_count: 1 })
  expect((await call('GET', 'inbox?page=2')).body).toMatchObject({ count: 1, results: [] })
  expect(await inbox(app, bob)).toMatchObject({ count: 1, unread_count: 1 })
  expect((await call('GET', 'deliveries')).status).toBe(403)
})
