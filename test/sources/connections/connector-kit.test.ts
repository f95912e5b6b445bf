import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkConnector } from '../../../connector/src/check.ts'
import { HttpClient } from '../../../connector/src/http.ts'
import { type Message, PROTOCOL_VERSION, parseMessage } from '../../../connector/src/protocol.ts'
import { startReplay } from '../../../connector/src/replay.ts'
import { runProgram } from '../../../connector/src/run.ts'
import { eventually } from '../../support/eventually.ts'
import { createPostgresSource, createTestIntegration, findByFullTitle, findLineageSources, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'

/** A connector without the library, as one in another language would be: it does what its settings say. */
const PROGRAM = `
import { createInterface } from 'node:readline'
const send = (message) => console.log(JSON.stringify(message))
for await (const line of createInterface({ input: process.stdin })) {
  const { command, settings, state } = JSON.parse(line)
  if (command === 'test') send({ type: 'done', detail: 'Signed in with ' + settings.token + ', environment: ' + Object.keys(process.env).sort() })
  if (command === 'discover') {
    if (settings.fail) send({ type: 'error', message: 'The token ' + settings.token + ' has expired.' })
    send({ type: 'log', message: 'Reading with ' + settings.token })
    send({ type: 'progress', done: 1, total: 2 })
    if (settings.hang) await new Promise(() => setInterval(() => {}, 1000))
    for (const message of settings.messages[state === undefined ? 'first' : 'next']) send(message)
    send({ type: 'state', state: { runs: (state?.runs ?? 0) + 1 } })
    send({ type: 'done', complete: state === undefined || settings.complete === true })
  }
  process.exit()
}
`
let folder = ''
let program = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'connector-'))
  program = await write('program.mjs', PROGRAM)
})
afterAll(() => rm(folder, { recursive: true }))
const write = async (name: string, text: string): Promise<string> => {
  await writeFile(join(folder, name), text)
  return join(folder, name)
}

const PATH = '/integration/integrations'
const TOKEN = 'correct horse'
const group = { type: 'item', key: 'group', entity_type: 'dashboard_group', title: 'Sales' }
const chart = (key: string, more: object = {}) => ({ type: 'item', key, parent: 'group', entity_type: 'chart', title: key, ...more })

test('a registered program is synced, with lineage, usage, state and logs without secrets', async () => {
  await using source = await createPostgresSource('create table orders (id int, price int)')
  await using app = await createTestApp({ connectorPrograms: new Map([['reports', ['node', program]]]) })
  await runSync(app, await createTestIntegration(app, 'postgres', source.credentials))
  const { id: owner } = await app.createUser('editor')
  const first = [
    group,
    chart('a', { owners: [`editor-${owner}@example.com`, 'nobody@example.com'], usage: { count: 7, hours: 24 }, description: 'All.' }),
    { type: 'lineage', to: 'a', from: [{ table: ['public', 'orders'], columns: ['price'] }, { table: ['elsewhere'] }] },
    chart('b', { query: { sql: 'select id from orders', dialect: 'postgres' } }),
    chart('c'),
    { type: 'lineage', to: 'c', from: [{ item: 'a' }] },
  ]
  const connect = (settings: object, more: object = {}) =>
    createTestIntegration(
      app,
      'connector',
      { connector: 'reports', settings: JSON.stringify(settings), secrets: JSON.stringify({ token: TOKEN }) },
      more,
    )
  const id = await connect({ messages: { first, next: [group, chart('d')] } })
  const { body: tested } = await app.call('POST', `${PATH}/${id}/test`)
  expect(tested.detail).toBe('Signed in with •••, environment: HOME,LANG,PATH')
  const sync = await runSync(app, id)
  expect(sync).toMatchObject({
    status: 'COMPLETED',
    report: { new: { dashboard_group: 1, chart: 3 }, lineage: { read: 3, unreadable: 0 } },
  })
  const { body: job } = await app.call('GET', `/background_jobs/${sync.id}`)
  const log = JSON.stringify(job.logs)
  expect(log).not.toContain(TOKEN)
  for (const line of [
    'Reading with •••',
    'These owners are no users of this workspace: nobody@example.com.',
    'These tables are not in the catalog, so that lineage from them is missing: elsewhere.',
  ])
    expect(log).toContain(line)
  const a = await findByFullTitle(app, 'Sales.a')
  expect(a).toMatchObject({ owners: [owner], external_usage: 7, description: 'All.', databuilder_id: 'a' })
  expect(await findLineageSources(app, a.id)).toEqual(['a', 'orders'])
  expect(await findLineageSources(app, (await findByFullTitle(app, 'Sales.b')).id)).toEqual(['b', 'orders'])
  expect(await findLineageSources(app, (await findByFullTitle(app, 'Sales.c')).id)).toEqual(['a', 'c'])
  expect(await app.db.selectFrom('reported_lineage').selectAll().execute()).toEqual([])
  // The second run knows the state of the first and lists only what changed: nothing is stale, no lineage is lost.
  const { report } = await runSync(app, id)
  expect([report.new, report.stale]).toEqual([{ chart: 1 }, {}])
  expect(await findLineageSources(app, a.id)).toEqual(['a', 'orders'])
  // With other settings the state is not used: the run is complete, so what is missing is stale.
  const changed = { settings: JSON.stringify({ messages: { first: [group, chart('a'), chart('b'), chart('d')] } }) }
  await app.call('PATCH', `${PATH}/${id}`, { body: { credentials: { ...changed, secrets: JSON.stringify({ token: TOKEN }) } } })
  const { report: complete } = await runSync(app, id)
  expect([complete.new, complete.stale]).toEqual([{}, { chart: 1 }])
  expect(await findLineageSources(app, a.id)).toEqual(['a'])

  for (const [credentials, error] of [
    [{ settings: JSON.stringify({ fail: true, messages: {} }), secrets: JSON.stringify({ token: TOKEN }) }, 'The token ••• has expired.'],
    [{ connector: 'other' }, 'No connector "other" is registered on this server. Registered: reports.'],
    [{ settings: 'x' }, 'The settings of this integration must be a JSON object such as {"url": "https://example.com"}.'],
    [
      { settings: JSON.stringify({ messages: { first: [group, chart('a', { parent: 'no' })] } }) },
      'Message 4 (item): `parent` no must be reported first.',
    ],
  ] as const) {
    const id = await createTestIntegration(app, 'connector', { connector: 'reports', ...credentials }, { name: error.slice(0, 50) })
    expect((await runSync(app, id)).error).toBe(error)
  }
})

test('a running sync is cancelled, with its program', async () => {
  await using app = await createTestApp({ connectorPrograms: new Map([['reports', ['node', program]]]) })
  const id = await createTestIntegration(app, 'connector', { connector: 'reports', settings: '{"hang": true}' })
  const running = runSync(app, id)
  const sync = await eventually(async () => {
    const { body } = await app.call('GET', `${PATH}/${id}/syncs`)
    expect(body.results[0]?.status).toBe('RUNNING')
    return body.results[0].id
  })
  const cancel = () => app.call('POST', `${PATH}/${id}/sync/${sync}/cancel`)
  expect((await cancel()).status).toBe(200)
  expect(await running).toMatchObject({
    ...{ status: 'FAILED', error: 'The sync was cancelled. What it had already written stays; undo it to go back.' },
    cancelled_at: expect.any(String),
  })
  const again = await cancel()
  expect([again.status, again.body.detail]).toEqual([409, 'This sync has already finished.'])
})

const run = async (text: string, signal = AbortSignal.timeout(60_000), more: object = {}): Promise<Message[]> => {
  const command = ['node', await write(`${Math.random()}.mjs`, text)]
  const messages: Message[] = []
  for await (const message of runProgram({ command, ...more }, { protocol: PROTOCOL_VERSION, command: 'discover' }, signal))
    messages.push(message)
  return messages
}

test('a program that breaks the protocol or its limits is stopped with the reason', async () => {
  for (const [text, error] of [
    ['console.log("hello")', 'Message 1 is not valid JSON. Only messages may be written to standard output.'],
    ['console.log("{}")', 'Message 1: `type` must be one of describe, item, lineage,'],
    ['console.error("no such host"); process.exit(3)', 'The connector ended without `done` (exit code 3): no such host'],
    [`process.stdout.write('{"type": "it', () => process.kill(process.pid, 'SIGKILL'))`, 'The connector ended without `done` (SIGKILL).'],
    ['console.log("x".repeat(2e6))', 'Message 1 is longer than 1 MB.'],
    [`console.log('{"type": "done", "items": 2}')`, 'Message 1 (done): `items` is 2, but 0 were reported.'],
  ] as const)
    await expect(run(text)).rejects.toThrow(error)
  const busy = 'const all = []; setInterval(() => all.push(Buffer.alloc(2e7, 1)), 10)'
  await expect(run(busy, undefined, { maxMemoryMb: 200 })).rejects.toThrow('The connector used more than 200 MB of memory.')
  await expect(run('setInterval(() => {}, 1000)', AbortSignal.timeout(500))).rejects.toThrow('The connector timed out.')
  // A child in a group of its own survives and keeps the output open: the run must end all the same.
  const leaving = `import { spawn } from 'node:child_process'
    spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20_000)'], { detached: true, stdio: 'inherit' })`
  await expect(run(leaving, AbortSignal.timeout(1_000))).rejects.toThrow('The connector timed out.')
  const missing = runProgram({ command: ['/no/such/program'] }, { protocol: 1, command: 'describe' }, AbortSignal.timeout(60_000))
  await expect(missing.next()).rejects.toThrow('The connector could not be started: spawn /no/such/program ENOENT.')
})

const DEEP = JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`)

test('every message is checked, by number and field', () => {
  for (const [message, error] of [
    [{ type: 'item', key: 'a', entity_type: 'chart' }, '`title` is missing.'],
    [{ type: 'item', key: 'a', entity_type: 'pie', title: 'A' }, '`entity_type` must be one of table, column,'],
    [{ type: 'item', key: 'a', entity_type: 'chart', title: 'A', owner: 'x' }, '`owner` is not a field of it.'],
    [{ type: 'item', key: 'a', entity_type: 'chart', title: 'A', owners: ['x', 3] }, '`owners[1]` must be text.'],
    [{ type: 'item', key: '.a', entity_type: 'chart', title: 'A' }, '`key` must not start with a dot.'],
    [
      { type: 'item', key: 'a', entity_type: 'chart', title: 'A', usage: { count: -1 } },
      '`usage.count` must be a whole number of at least 0.',
    ],
    [{ type: 'lineage', to: 'a', from: [{ table: 'orders' }] }, '`from[0].table` must be a list.'],
    [{ type: 'done', complete: 'yes' }, '`complete` must be true or false.'],
    [{ type: 'item', key: 'a', entity_type: 'chart', title: 'A', facts: DEEP }, '`facts` must not be nested more than 50 levels deep.'],
    [{ type: 'state', state: DEEP }, '`state` must not be nested more than 50 levels deep.'],
  ] as const)
    expect(() => parseMessage(JSON.stringify(message), 12)).toThrow(`Message 12 (${message.type}): ${error}`)
})

test('requests at the same time share one sign-in when a token has expired', async () => {
  const login = { path: '/login', method: 'POST', open: true, request: { user: 'ada' }, body: { token: 'new' } }
  const cassette = {
    auth: { header: 'authorization', value: 'new' },
    recordings: [login, { path: '/list', body: [1] }, { path: '/sql', body: 'select 1' }],
  }
  await using replay = await startReplay(cassette)
  const client = new HttpClient({ name: 'Reports', baseUrl: replay.url, headers: { authorization: 'old' } })
  client.renewWith(async () => {
    const { token } = (await client.login('/login', { form: { user: 'ada' } })) as { token: string }
    client.setHeader('authorization', token)
  })
  expect(
    await Promise.all([client.get('/list'), client.get('/list'), client.post('/list', {}).catch(String), client.getText('/sql')]),
  ).toEqual([[1], [1], 'Error: Reports: POST /list returned status 405.', 'select 1'])
  expect(replay.requests.filter((each) => each === 'POST /login')).toHaveLength(1)
})

test('every request goes to the host of the URL, also if a path looks like that of another one', async () => {
  const recordings = [{ path: '/list', body: [1] }]
  await using chosen = await startReplay({ recordings })
  await using internal = await startReplay({ recordings })
  const { host } = new URL(internal.url)
  const inBase = new HttpClient({ name: 'Reports', baseUrl: `${chosen.url}//${host}` })
  expect(await inBase.get('/list')).toEqual([1])
  const inPath = new HttpClient({ name: 'Reports', baseUrl: chosen.url })
  expect(await inPath.get(`//${host}/list`)).toEqual([1])
  expect([chosen.requests.length, internal.requests.length]).toEqual([2, 0])
})

test('the contract finds what a connector does wrong', async () => {
  const settings = { type: 'object', required: ['url'], properties: {} }
  const description = { type: 'describe', protocol: 1, name: 'x', label: 'X', version: '1', settings }
  const file = await write('broken.mjs', `console.log(${JSON.stringify(JSON.stringify(description))}); console.log('{"type": "done"}')`)
  const results: unknown[] = []
  for await (const { check, problem } of checkConnector({ command: ['node', file] })) results.push([check, problem])
  expect(results).toEqual([
    ['describe reports name, version and settings', undefined],
    ['every required setting exists', '`url` has no schema.'],
    ['another version of the protocol is rejected', 'It succeeded.'],
    ['an unknown command is rejected', 'It succeeded.'],
    ['test without `url` names it', 'It succeeded.'],
  ])
})
