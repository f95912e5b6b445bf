import { expect, test } from 'vitest'
import { saveDerivedEdges } from '../../../src/lineage/edges/derived.ts'
import { inTransaction } from '../../../src/platform/context/context.ts'
import { recordEvent } from '../../../src/platform/history/events.ts'
import { contextAsIntegration, contextAsSource } from '../../../src/sources/sync/reconcile.ts'
import { createTestNotifier } from '../../support/notification-servers.ts'
import { createTestIntegration } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'

const PATH = '/integration/integrations'

const createHiddenIntegration = async () => {
  const app = await createTestApp()
  const team = await app.createTeam(true)
  const id = await createTestIntegration(app, 'custom', {}, { name: 'Payroll', teams: [team] })
  const editor = await app.createUser('editor')
  const member = await app.createUser('editor', { teams: [team] })
  // Visible to everyone, although its integration is not.
  const table = await app.createResource({ entity_type: 'table', title: 'salaries', integration: id })
  return { app, id, editor, member, table, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

test('only members of its closed team can add resources to an integration', async () => {
  await using fixture = await createHiddenIntegration()
  const { app, id, editor, member, table } = fixture
  const { id: own } = await app.createResource({ entity_type: 'table', title: 'mine' })
  const csv = { body: 'databuilder_id,entity_type,title\na,table,a\n', headers: { 'content-type': 'text/csv' } }
  const tryWrites = async (token: string) => [
    (await app.call('POST', '/resource/catalog', { token, body: { title: 'x', entity_type: 'table', integration: id } })).status,
    (await app.call('PATCH', `/resource/all/${own}`, { token, body: { integration: id } })).status,
    (await app.call('POST', `${PATH}/${id}/import_metadata/`, { token, ...csv })).status,
    (await app.call('POST', `${PATH}/${id}/import_metadata/?dry_run=true`, { token, ...csv })).status,
  ]
  expect(await tryWrites(editor.token)).toEqual([400, 400, 400, 400])
  const rejected = await app.call('POST', '/resource/catalog', { token: editor.token, body: { title: 'x', integration: id } })
  expect([rejected.body.errors, rejected.text]).toEqual([
    { integration: ['You do not have access to this integration.'] },
    expect.not.stringContaining('Payroll'),
  ])
  // Its visible resources can still be edited.
  expect((await app.call('PATCH', `/resource/all/${table.id}`, { token: editor.token, body: { description: 'Pay' } })).status).toBe(200)
  expect(await tryWrites(member.token)).toEqual([201, 200, 200, 200])
})

test('only members of its closed team see its name', async () => {
  await using fixture = await createHiddenIntegration()
  const { app, id, editor, member, table } = fixture
  const query = encodeURIComponent('select * from salaries')
  for (const path of [
    '/ui/bootstrap',
    `/ui/names?ids=${id}`,
    `/ui/resource/${table.id}`,
    `/lineage/lineage_from_query?sql=${query}`,
    PATH,
    '/ui/tree',
  ]) {
    const [hidden, seen] = await Promise.all([editor, member].map(({ token }) => app.call('GET', path, { token })))
    expect([path, seen!.status, seen!.text]).toEqual([path, 200, expect.stringContaining('Payroll')])
    expect([path, hidden!.status, hidden!.text]).toEqual([path, 200, expect.not.stringContaining('Payroll')])
  }
})

test('history and notifications name the integration that acted, except to those who may not see it', async () => {
  await using fixture = await createHiddenIntegration()
  const { app, id, editor, member, table } = fixture
  await app.call('PATCH', `/resource/all/${table.id}`, { body: { subscribers: [editor.id, member.id] } })
  const notifier = createTestNotifier(app)
  await notifier.follow()
  const columns = { columns_added: [], columns_removed: ['bonus'], columns_retyped: [], columns_renamed: [], columns: 1 }
  await inTransaction(contextAsSource({ ...app.ctx, now: new Date() }, id), (ctx) =>
    recordEvent(ctx, { kind: 'schema_changed', resource: { ...table, type: 'table', integration_id: id }, payload: columns }),
  )
  await notifier.follow()
  const inbox = async (token: string) => (await app.call('GET', '/notification/inbox', { token })).body.results[0].changes[0]
  const logged = async (token: string) =>
    (await app.call('GET', `/activity_log/resource_logs/?resource_id=${table.id}`, { token })).body.non_versioned_logs[0].performer_metadata
      .name
  const names = async (token: string) => [(await inbox(token)).performer_name, (await inbox(token)).text, await logged(token)]
  expect(await names(editor.token)).toEqual([
    'An integration',
    expect.stringMatching(/^An integration changed the columns of salaries/),
    'An integration',
  ])
  expect(await names(member.token)).toEqual(['Payroll', expect.stringMatching(/^Payroll changed the columns of salaries/), 'Payroll'])
})

test('history names the integration that derived lineage, also that of tables of another one', async () => {
  await using fixture = await createHiddenIntegration()
  const { app, id, editor, member } = fixture
  const [from, to] = [
    await app.createResource({ entity_type: 'table', title: 'orders' }),
    await app.createResource({ entity_type: 'table', title: 'revenue' }),
  ]
  const derive = (ctx: typeof app.ctx, sql: string) =>
    saveDerivedEdges(
      ctx,
      {
        query: { sql, dialect: 'postgres', engine_version: '1', statements: [] },
        targets: [to.id],
        edges: [{ upstream: from.id, downstream: to.id, kind: 'table', statement: 0, span_start: 0, span_end: 1 }],
      },
      { replace: [to.id] },
    )
  await derive(contextAsIntegration({ ...app.ctx, now: new Date() }, crypto.randomUUID(), id), 'insert into revenue select * from orders')
  await derive({ ...app.ctx, now: new Date() }, 'create table revenue as select * from orders')
  const logged = async (token: string) =>
    (await app.call('GET', `/activity_log/resource_logs/?resource_id=${to.id}`, { token })).body.non_versioned_logs.map(
      ({ performer_metadata, event_blocks }: { performer_metadata: object; event_blocks: { value: string }[] }) => [
        performer_metadata,
        event_blocks.map(({ value }) => value).join(' '),
      ],
    )
  const sentence = 'derived the lineage of revenue from a query'
  expect(await logged(member.token)).toMatchObject([
    [{}, expect.stringContaining(sentence)],
    [{ name: 'Payroll' }, `Payroll ${sentence}`],
  ])
  expect(await logged(editor.token)).toMatchObject([
    [{}, expect.stringContaining(sentence)],
    [{ name: 'An integration' }, `An integration ${sentence}`],
  ])
  expect(JSON.stringify(await logged(editor.token))).not.toContain(id)
})
