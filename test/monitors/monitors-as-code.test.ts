import { expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const PATH = '/monitor/config'
const put = (app: TestApp, body: string, query = '', token = app.token) =>
  app.call('PUT', `${PATH}${query}`, { body, token, headers: { 'content-type': 'application/yaml' } })

const createShop = async (app: TestApp) => {
  const { body: integration } = await app.call('POST', '/integration/integrations', { body: { name: 'shop' } })
  const at = (entity_type: string, title: string, parent?: string, more: object = {}) =>
    app.createResource({ entity_type, title, parent, integration: integration.id, ...more } as Parameters<TestApp['createResource']>[0])
  const database = await at('database', 'shop')
  const schema = await at('schema', 'public', database.id)
  const orders = await at('table', 'orders', schema.id)
  const amount = await at('column', 'amount', orders.id, { native_type: 'numeric' })
  await at('column', 'updated_at', orders.id, { native_type: 'timestamptz' })
  return { integration, orders, amount, schema, at }
}

const FILE = `# ours
version: 1
monitors:
  - name: Rows of orders
    target: shop.public.orders
    metric_type: row_count
    notify_slack_channel: C0DATA
  - name: Freshness
    target: shop.public.orders
    metric_type: freshness
    schedule: { cadence: hourly, frequency: 3, timezone: Europe/Berlin }
  - name: No free lunch
    target: shop.public.orders.amount
    metric_type: min
    condition_manual_min: 0
    schedule:
      cadence: weekly
      day: 1
      hour: 6
`

test('a file creates monitors, applying it again changes nothing, and an export can be imported', async () => {
  await using app = await createTestApp()
  const { orders } = await createShop(app)
  const tried = await put(app, FILE, '?dry_run=true')
  expect([tried.status, tried.body]).toMatchObject([200, { dry_run: true, created: 3, updated: 0, deleted: 0, unchanged: 0 }])
  expect(tried.body.changes[0]).toMatchObject({
    action: 'create',
    name: 'Rows of orders',
    target: 'shop.public.orders',
    line: 4,
    monitor: null,
  })
  expect((await app.call('GET', '/monitor/monitors')).body.count).toBe(0)
  expect((await app.listActivities()).some(({ activity_type }) => activity_type.startsWith('monitor_'))).toBe(false)

  expect((await put(app, FILE)).body).toMatchObject({ created: 3, unchanged: 0, dry_run: false })
  const { body } = await app.call('GET', '/monitor/monitors')
  expect(body.results.find(({ name }: { name: string }) => name === 'Rows of orders')).toMatchObject({
    target: orders.id,
    condition_auto_sensitivity: 5,
    notify_slack_channel: 'C0DATA',
    schedule: { cadence: 'daily', hour: 0 },
  })
  const before = (await app.listActivities()).length
  expect((await put(app, FILE)).body).toMatchObject({ created: 0, updated: 0, deleted: 0, unchanged: 3, changes: [] })
  expect((await app.listActivities()).length).toBe(before)

  const out = await app.call('GET', PATH)
  expect(out.headers['content-type']).toContain('application/yaml')
  expect(out.text).toContain(
    'metric_type: freshness\n    metric_config:\n      timestamp_column: updated_at\n    schedule:\n      cadence: hourly\n      frequency: 3\n      timezone: Europe/Berlin',
  )
  expect((await put(app, out.text)).body).toMatchObject({ created: 0, updated: 0, deleted: 0, unchanged: 3 })
  expect((await app.call('GET', PATH)).text).toBe(out.text)
  expect((await app.call('GET', `${PATH}?file=monitors`)).text).toBe(out.text)
  expect((await app.call('GET', `${PATH}?file=other`)).text).toContain('monitors: []')
})

test('applying a file updates changed monitors and deletes only its own missing ones', async () => {
  await using app = await createTestApp()
  const { orders } = await createShop(app)
  await put(app, FILE)
  const { body: byHand } = await app.call('POST', '/monitor/monitors', {
    body: { target: orders.id, metric_type: 'row_count', name: 'By hand' },
  })
  await put(app, `version: 1\nfile: team-b\nmonitors:\n  - {name: Theirs, target: shop.public.orders, metric_type: row_count}\n`)
  const edited = FILE.replace('notify_slack_channel: C0DATA', 'condition_auto_sensitivity: 8').replace(
    / {2}- name: Freshness[\s\S]*?(?= {2}- name: No)/,
    '',
  )
  const { body } = await put(app, edited)
  expect(body).toMatchObject({ created: 0, updated: 1, deleted: 1, unchanged: 1 })
  expect(body.changes).toMatchObject([
    {
      action: 'update',
      line: 4,
      changes: [
        { field: 'condition_auto_sensitivity', from: null, to: 8 },
        { field: 'notify_slack_channel', from: 'C0DATA', to: null },
      ],
    },
    { action: 'delete', name: 'Freshness', line: null },
  ])
  const names = async () => (await app.call('GET', '/monitor/monitors')).body.results.map(({ name }: { name: string }) => name).sort()
  expect(await names()).toEqual(['By hand', 'No free lunch', 'Rows of orders', 'Theirs'])
  // A monitor created manually belongs to the file once it is listed there.
  const taken = `${edited}  - {name: By hand, target: shop.public.orders, metric_type: row_count}\n`
  expect((await put(app, taken)).body).toMatchObject({ created: 0, updated: 0, unchanged: 3 })
  expect((await put(app, edited, '?prune=false')).body).toMatchObject({ deleted: 0 })
  expect((await put(app, edited)).body.changes).toMatchObject([{ action: 'delete', monitor: byHand.id }])
  expect((await put(app, 'version: 1\nmonitors: []\n')).body).toMatchObject({ deleted: 2 })
  expect(await names()).toEqual(['Theirs'])
})

test('rejects an invalid file with all errors by line and changes nothing', async () => {
  await using app = await createTestApp()
  await createShop(app)
  const wrong: [string, Record<string, RegExp>][] = [
    ['', { 'line 1': /version/ }],
    ['[]', { 'line 1': /version/ }],
    ['version: 2\nmonitors: []', { 'line 1': /version/ }],
    ['version: 1\nmonitor: []', { 'line 1': /monitor/ }],
    ['version: 1\nmonitors:\n  - name: a\n    target: [\n', { 'line 5': /./ }],
    ['version: 1\nversion: 1\nmonitors: []', { 'line 2': /unique/ }],
    [`version: 1\nmonitors: ${'['.repeat(20_000)}`, { file: /more than 64 levels deep/ }],
    [`version: 1\nmonitors:\n  ${'- '.repeat(20_000)}`, { file: /more than 64 levels deep/ }],
    ['version: 1\nmonitors: !!js/function "x"', { 'line 2': /tag/ }],
    [
      'version: 1\nmonitors:\n  - name: a\n    target: shop.public.nothing\n    metric_type: row_count\n  - name: b\n    metric_type: rows\n    target: shop.public.orders\n',
      { 'line 7': /metric_type must be one of row_count/ },
    ],
    [
      'version: 1\nmonitors:\n  - name: a\n    target: shop.public.nothing\n    metric_type: row_count\n  - name: b\n    target: shop.public.none\n    metric_type: row_count\n',
      { 'line 4': /Table or column shop.public.nothing was not found/, 'line 7': /shop.public.none/ },
    ],
    [
      'version: 1\nmonitors:\n  - {name: ok, target: shop.public.orders, metric_type: row_count}\n  - name: bad\n    target: shop.public.orders\n    metric_type: mean\n  - name: worse\n    target: shop.public.orders.amount\n    metric_type: mean\n    condition_manual_min: 5\n    condition_manual_max: 1\n',
      { 'line 6': /requires a column/, 'line 10': /must not be greater than/ },
    ],
    [
      'version: 1\nmonitors:\n  - {name: a, target: shop.public.orders, metric_type: row_count}\n  - {name: a, target: shop.public.orders, metric_type: freshness}\n',
      { 'line 4': /already defined in line 3/ },
    ],
    [
      'version: 1\nmonitors:\n  - name: a\n    target: shop.public.orders\n    metric_type: row_count\n    shedule: {}\n',
      { 'line 3': /shedule is not a known field/ },
    ],
    ['version: 1\nmonitors:\n  - {name: "a\\0b", target: shop.public.orders, metric_type: row_count}\n', { file: /NUL/ }],
    ['a: &a [x,x]\nb: &b [*a,*a]\nversion: 1\nmonitors: [*b]', { file: /aliases/ }],
  ]
  for (const [text, errors] of wrong) {
    const response = await put(app, text)
    expect([text, response.status, response.body.code]).toEqual([text, 400, 'validation_failed'])
    for (const [line, messages] of Object.entries(errors))
      expect([text, response.body.errors[line]?.join(' ')]).toEqual([text, expect.stringMatching(messages)])
  }
  expect((await put(app, `version: 1\nmonitors: ${'['.repeat(20_000)}`)).status).toBe(400)
  expect((await put(app, 'x'.repeat(1024 * 1024 + 1))).status).toBe(413)
  expect((await app.call('PUT', PATH, { body: Buffer.from([0xff, 0xfe]), headers: { 'content-type': 'text/yaml' } })).status).toBe(400)
  expect((await app.call('PUT', PATH, { body: '<x/>', headers: { 'content-type': 'text/xml' } })).status).toBe(415)
  expect((await app.call('GET', '/monitor/monitors')).body.count).toBe(0)
})

test('the key of a pushed monitor is exported, imported and changed with the file', async () => {
  await using app = await createTestApp()
  const { orders } = await createShop(app)
  const pushed = { target: orders.id, metric_type: 'pushed', name: 'Lag', key: 'airflow.lag' }
  const { body: monitor } = await app.call('POST', '/monitor/monitors', { body: pushed })
  const out = await app.call('GET', PATH)
  expect(out.text).toContain('metric_type: pushed\n    key: airflow.lag\n')
  expect((await put(app, out.text)).body).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
  const push = (key: string) => app.call('POST', '/monitor/measurements', { body: { measurements: [{ key, value: 3 }] } })
  expect((await push('airflow.lag')).status).toBe(201)
  // The file owns it now, and its key is unchanged.
  expect((await app.call('GET', `${PATH}?file=monitors`)).text).toBe(out.text)
  expect((await put(app, out.text.replace('airflow.lag', 'airflow.delay'))).body.changes).toMatchObject([
    { action: 'update', monitor: monitor.id, changes: [{ field: 'key', from: 'airflow.lag', to: 'airflow.delay' }] },
  ])
  expect([(await push('airflow.lag')).status, (await push('airflow.delay')).status]).toEqual([400, 201])
  const taken =
    'version: 1\nfile: b\nmonitors:\n  - name: Other\n    target: shop.public.orders\n    metric_type: pushed\n    key: airflow.delay\n'
  expect((await put(app, taken)).body.errors).toEqual({ 'line 7': ['key: is already in use.'] })
  expect((await put(app, 'version: 1\nmonitors: []\n')).body).toMatchObject({ deleted: 1 })
})

test('an unknown field is reported once', async () => {
  await using app = await createTestApp()
  await createShop(app)
  const file = 'version: 1\nmonitors:\n  - name: a\n    target: shop.public.orders\n    metric_type: row_count\n    shedule: {}\n'
  expect((await put(app, file)).body.errors).toEqual({ 'line 3': ['shedule is not a known field.'] })
  expect((await put(app, 'version: 1\nmonitrs: 3\nmonitors: []\n')).body.errors).toEqual({ 'line 1': ['monitrs is not a known field.'] })
})

test('tables with the same path are distinguished by integration, and hidden tables are not found', async () => {
  await using app = await createTestApp()
  const { at } = await createShop(app)
  const { body: second } = await app.call('POST', '/integration/integrations', { body: { name: 'copy' } })
  const of = (entity_type: string, title: string, parent?: string) =>
    app.createResource({ entity_type, title, parent, integration: second.id })
  const schema = await of('schema', 'public', (await of('database', 'shop')).id)
  const orders = await of('table', 'orders', schema.id)
  const line = '  - {name: Rows, target: shop.public.orders, metric_type: row_count'
  const response = await put(app, `version: 1\nmonitors:\n${line}}\n`)
  expect(response.body.errors['line 3'][0]).toMatch(
    /2 resources have the path shop\.public\.orders.*integration: (shop or copy|copy or shop)/,
  )
  expect((await put(app, `version: 1\nmonitors:\n${line}, integration: copy}\n`)).status).toBe(200)
  expect((await app.call('GET', '/monitor/monitors')).body.results).toMatchObject([{ target: orders.id }])
  expect((await app.call('GET', PATH)).text).toContain('integration: copy')
  const json = { version: 1, monitors: [{ name: 'Rows', target: 'shop.public.orders', metric_type: 'row_count', integration: 'copy' }] }
  expect((await app.call('PUT', PATH, { body: json })).body).toMatchObject({ unchanged: 1 })

  const closed = await app.createTeam(true)
  const hidden = await at('table', 'secret', undefined, { teams: [closed] })
  await app.call('POST', '/monitor/monitors', { body: { target: hidden.id, metric_type: 'row_count', name: 'Hidden' } })
  const editor = await app.createUser('editor')
  expect((await app.call('GET', PATH, { token: editor.token })).text).not.toContain('secret')
  const hiddenTarget = 'version: 1\nmonitors:\n  - {name: Hidden, target: secret, metric_type: row_count}\n'
  const missingTarget = hiddenTarget.replaceAll('secret', 'nothing')
  const [one, other] = [await put(app, hiddenTarget, '', editor.token), await put(app, missingTarget, '', editor.token)]
  expect([one.status, one.body.errors['line 3'][0].replace('secret', 'nothing')]).toEqual([400, other.body.errors['line 3'][0]])
  const viewer = await app.createUser('viewer')
  expect((await app.call('GET', PATH, { token: viewer.token })).status).toBe(403)
})
