import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JOB_HANDLERS } from '../../../src/app/tasks.ts'
import { newId } from '../../../src/platform/core/id.ts'
import { Slots } from '../../../src/platform/core/slots.ts'
import { runJob } from '../../../src/platform/jobs/run.ts'
import { readProject, readProjectSync } from '../../../src/sources/dbt/reader.ts'
import { toTestResults } from '../../../src/sources/dbt/results.ts'
import { mergeFieldSuggestion } from '../../../src/sources/sync/field-suggestions.ts'
import { createDbtProject, toMultipartForm, uploadArtifacts } from '../../support/dbt.ts'
import { createTestIntegration, runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

let app: TestApp
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dbt-'))
  app = await createTestApp({ filesFolder: folder, sourceAllow: ['127.0.0.1'] })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const packed = (files: Record<string, unknown>) =>
  new Map(Object.entries(files).map(([name, content]) => [name, gzipSync(typeof content === 'string' ? content : JSON.stringify(content))]))

describe('uploaded files', () => {
  const manifest = createDbtProject().manifest
  const old = { ...manifest, metadata: { ...manifest.metadata, dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v0.json' } }
  for (const [what, files, field, words] of [
    ['a manifest with an unknown version', { 'manifest.json': old }, 'manifest.json', 'the unknown manifest version 0'],
    ['something that is not a manifest', { 'manifest.json': { hello: 'world' } }, 'manifest.json', 'it has no metadata'],
    ['another artifact under its name', { 'manifest.json': createDbtProject().run_results }, 'manifest.json', 'is not a dbt manifest'],
    ['a list', { 'manifest.json': [] }, 'manifest.json', 'it has no metadata'],
    ['invalid JSON', { 'manifest.json': '{"metadata": ' }, 'manifest.json', 'is not valid JSON'],
    ['nodes that are a list', { 'manifest.json': { ...manifest, nodes: [] } }, 'manifest.json', 'nodes must be an object'],
    ['no manifest', { 'catalog.json': createDbtProject().catalog }, 'manifest.json', 'is missing'],
    ['an invalid catalog', { 'manifest.json': manifest, 'catalog.json': manifest }, 'catalog.json', 'does not name a catalog file'],
    ['an unknown file', { 'manifest.json': manifest, 'graph.gpickle': 'x' }, 'graph.gpickle', 'Expected manifest.json'],
  ] as const)
    test(`rejects ${what} without saving anything`, async () => {
      const id = await createTestIntegration(app, 'dbt', {})
      const reply = await uploadArtifacts(app, id, files)
      expect([reply.status, reply.body.code]).toEqual([400, 'validation_failed'])
      expect(reply.body.errors[field]?.[0]).toContain(words)
      expect(await app.db.selectFrom('dbt_artifacts').selectAll().where('integration', '=', id).execute()).toEqual([])
      expect((await app.call('GET', `/integration/integrations/${id}/syncs`)).body.count).toBe(0)
    })

  test('skips invalid nodes and replaces unstorable characters', async () => {
    const invalidManifest = {
      ...manifest,
      nodes: {
        a: null,
        b: [],
        c: { resource_type: 'model' },
        d: {
          resource_type: 'model',
          unique_id: 'model.x.d',
          name: 'na\0me "quo.ted" \ud800 😀',
          schema: 's.s',
          database: 5,
          tags: [1, ' ', 'x'.repeat(300)],
          columns: { z: { name: 'z', description: {} }, y: 7 },
          depends_on: 'nobody',
          config: 'none',
          description: 'd'.repeat(200_000),
        },
      },
      sources: 'none',
      groups: { g: { owner: null } },
    }
    const id = await createTestIntegration(app, 'dbt', {})
    expect((await uploadArtifacts(app, id, { 'manifest.json': invalidManifest })).status).toBe(200)
    const { failed, report } = await runSync(app, id)
    expect(failed).toBeUndefined()
    expect(report.new.table).toBe(1)
  })

  test('accepts artifacts as a form, only for a visible dbt integration and from callers who may write', async () => {
    const files = { 'manifest.json': manifest }
    const other = await createTestIntegration(app, 'custom', {})
    expect((await uploadArtifacts(app, other, files)).body.errors.integration_id).toEqual(['This integration is not a dbt project.'])
    expect((await uploadArtifacts(app, newId(), files)).status).toBe(404)
    expect((await uploadArtifacts(app, 'no-uuid', files)).status).toBe(404)
    const id = await createTestIntegration(app, 'dbt', {})
    const at = `/integration/dbt/${id}/upload_artifacts`
    expect((await app.call('POST', at, { body: manifest })).status).toBe(415)
    expect((await app.call('POST', at)).status).toBe(400)
    expect((await app.call('POST', at, { ...toMultipartForm({}), body: 'no form' })).status).toBe(400)
    const [viewer, editor] = await Promise.all([app.createUser('viewer'), app.createUser('editor')])
    expect((await uploadArtifacts(app, id, files, viewer.token)).status).toBe(403)
    expect((await uploadArtifacts(app, id, files, editor.token)).status).toBe(200)
    const team = await app.createTeam(true)
    const hidden = await createTestIntegration(app, 'dbt', {}, { teams: [team] })
    expect((await uploadArtifacts(app, hidden, files, editor.token)).status).toBe(404)
    const pulls = await createTestIntegration(app, 'dbt', { path: 'project' })
    expect((await uploadArtifacts(app, pulls, files)).body.errors.integration_id[0]).toContain('reads its artifacts from a path or URL')
  })

  test('treats the same idempotency key and files as one upload', async () => {
    const id = await createTestIntegration(app, 'dbt', {})
    const send = (files: object) => {
      const { headers, body } = toMultipartForm(files as Record<string, unknown>)
      return app.call('POST', `/integration/dbt/${id}/upload_artifacts/`, { headers: { ...headers, 'idempotency-key': 'build 1' }, body })
    }
    const first = await send({ 'manifest.json': manifest })
    expect([(await send({ 'manifest.json': manifest })).text, first.status]).toEqual([first.text, 200])
    expect((await send({ 'manifest.json': createDbtProject({ schema: 'other' }).manifest })).status).toBe(409)
  })
})

describe('downloaded files', () => {
  const files = (database = 'dev') => {
    const { manifest, catalog, run_results } = createDbtProject({ database })
    return { 'manifest.json': manifest, 'catalog.json': catalog, 'run_results.json': run_results }
  }

  test('are read from a folder inside TABLINUM_FILES only', async () => {
    await mkdir(join(folder, 'project/target'), { recursive: true })
    for (const [name, content] of Object.entries(files())) await writeFile(join(folder, 'project/target', name), JSON.stringify(content))
    const id = await createTestIntegration(app, 'dbt', { path: 'project/target' })
    const { body } = await app.call('POST', `/integration/integrations/${id}/test`)
    expect(body.detail).toBe('dbt 1.9.0, project shop: 5 models, seeds, snapshots and sources, 1 tests.')
    expect((await runSync(app, id)).report.new.table).toBe(4)
    const outside = await mkdtemp(join(tmpdir(), 'outside-'))
    await writeFile(join(outside, 'manifest.json'), JSON.stringify(files()['manifest.json']))
    await symlink(outside, join(folder, 'linked'))
    for (const path of ['..', 'linked', '/etc']) {
      const { failed } = await runSync(app, await createTestIntegration(app, 'dbt', { path }))
      expect(failed.message).toContain('in the folder TABLINUM_FILES')
    }
    await rm(outside, { recursive: true })
  })

  /** A server with these responses that records its requests. */
  const aServer = async (reply: (request: IncomingMessage) => [number, Record<string, string>, string | Buffer]) => {
    const requested: [string, string | undefined][] = []
    const server = createServer((request, response) => {
      requested.push([request.url!, request.headers.authorization])
      const [status, headers, body] = reply(request)
      response.writeHead(status, headers).end(body)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      asked: requested,
      [Symbol.asyncDispose]: () => {
        server.closeAllConnections()
        return new Promise<void>((done) => void server.close(() => done()))
      },
    }
  }

  test('are downloaded from a URL; the token is sent to its host only and never shown', async () => {
    const all: Record<string, unknown> = files('other')
    await using elsewhere = await aServer(() => [200, {}, JSON.stringify(all['manifest.json'])])
    await using server = await aServer(({ url }) => {
      const name = url!.split('/').at(-1)!
      if (name === 'manifest.json') return [302, { location: `${elsewhere.url}/stored` }, '']
      return name === 'catalog.json' ? [200, {}, JSON.stringify(all[name])] : [404, {}, 'no']
    })
    const id = await createTestIntegration(app, 'dbt', { url: `${server.url}/artifacts/`, token: 'hush hush' })
    expect((await runSync(app, id)).report.new.table).toBe(4)
    expect(server.asked.map(([url]) => url)).toEqual(
      ['manifest', 'catalog', 'run_results', 'sources'].map((name) => `/artifacts/${name}.json`),
    )
    expect(new Set(server.asked.map(([, token]) => token))).toEqual(new Set(['Bearer hush hush']))
    expect(elsewhere.asked).toEqual([['/stored', undefined]])
  })

  test('explains download errors without the token', async () => {
    await using server = await aServer(({ url }) => {
      if (url!.startsWith('/secret')) return [403, {}, 'hush hush']
      if (url!.startsWith('/round')) return [302, { location: '/round/manifest.json' }, '']
      if (url!.startsWith('/file')) return [302, { location: 'file:///etc/passwd' }, '']
      return url!.startsWith('/large') ? [200, { 'content-length': String(200 * 1024 * 1024) }, ''] : [404, {}, '']
    })
    for (const [path, words] of [
      ['/secret', 'responded with status 403. Check the token'],
      ['/round', 'redirects too many times'],
      ['/file', 'must start with https'],
      ['/large', 'larger than 100 MB'],
      ['/nothing', 'manifest.json: was not found at this URL'],
    ]) {
      const { failed } = await runSync(app, await createTestIntegration(app, 'dbt', { url: `${server.url}${path}`, token: 'hush hush' }))
      expect(failed.message).toContain(words)
      expect(failed.message).not.toContain('hush')
    }
    const { failed } = await runSync(app, await createTestIntegration(app, 'dbt', { url: 'ftp://example.com/x' }))
    expect(failed.message).toContain('must start with https')
  })

  test('rejects hosts inside the network unless allowed, by address, name or redirect', async () => {
    await using server = await aServer(() => [200, {}, 'swordfish swordfish'])
    const { port } = new URL(server.url)
    await using closed = await createTestApp()
    await using named = await createTestApp({ sourceAllow: ['127.0.0.1'] })
    const inside = [
      server.url,
      `http://localhost:${port}`,
      `http://2130706433:${port}`,
      `http://[::1]:${port}`,
      `http://[::ffff:127.0.0.1]:${port}`,
    ]
    for (const url of [...inside, 'http://169.254.169.254/latest', 'http://10.0.0.1/']) {
      const { failed } = await runSync(closed, await createTestIntegration(closed, 'dbt', { url }))
      expect([url, failed.message]).toEqual([url, expect.stringMatching(/is not on the public internet.*TABLINUM_SOURCE_ALLOW/)])
    }
    expect(server.asked).toEqual([])
    // A redirect is checked like the first URL.
    await using sends = await aServer(() => [302, { location: `http://[::1]:${port}/manifest.json` }, ''])
    const { failed } = await runSync(named, await createTestIntegration(named, 'dbt', { url: sends.url }))
    expect(failed.message).toContain('::1 is not on the public internet')
    expect(server.asked).toEqual([])
    // The content read from an allowed host is not repeated.
    const tested = await named.call(
      'POST',
      `/integration/integrations/${await createTestIntegration(named, 'dbt', { url: server.url })}/test`,
    )
    expect([tested.status, tested.body.detail]).toEqual([400, expect.stringContaining('manifest.json: is not valid JSON')])
    expect(tested.text).not.toContain('sword')
  })

  test('decompresses a compressed file within the size limit', async () => {
    const all: Record<string, unknown> = files('packed')
    await using server = await aServer(({ url }) => {
      const name = url!.split('/').at(-1)!
      const text = all[name]
      return text ? [200, { 'content-encoding': 'gzip' }, gzipSync(JSON.stringify(text))] : [404, {}, '']
    })
    expect((await runSync(app, await createTestIntegration(app, 'dbt', { url: server.url }))).report.new.table).toBe(4)
    await using bomb = await aServer(() => [200, { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(101 * 1024 * 1024))])
    const { failed } = await runSync(app, await createTestIntegration(app, 'dbt', { url: bomb.url }))
    expect(failed.message).toContain('larger than 100 MB')
  })

  test('fails a sync without artifacts', async () => {
    const { failed } = await runSync(app, await createTestIntegration(app, 'dbt', {}))
    expect(failed.message).toContain('No artifacts yet')
  })
})

test('parses a large project in a thread with the same result', async () => {
  const { manifest, run_results } = createDbtProject()
  const nodes: Record<string, unknown> = { ...manifest.nodes }
  const model = nodes['model.shop.customers'] as object
  for (let i = 0; i < 250; i += 1)
    nodes[`model.shop.m${i}`] = { ...model, unique_id: `model.shop.m${i}`, name: `m${i}`, raw_code: randomBytes(500).toString('base64') }
  nodes['model.shop.m0'] = { ...(nodes['model.shop.m0'] as object), compiled_code: null }
  const results = [{ unique_id: 'model.shop.m0', status: 'success', compiled_code: 'select 1 as one' }]
  const files = packed({ 'manifest.json': { ...manifest, nodes }, 'run_results.json': { ...run_results, results } })
  expect(files.get('manifest.json')!.length).toBeGreaterThan(100_000)
  const threads = new Slots({ max: 1, maxWaiting: 1 })
  expect(await readProject(files, threads)).toEqual(readProjectSync(files))
  await expect(
    readProject(new Map([['manifest.json', gzipSync(`{"metadata": "${Array.from({ length: 20_000 }, Math.random).join()}"}`)]]), threads),
  ).rejects.toThrow('manifest.json: is not a dbt artifact: it has no metadata.')
  const odd = packed({ 'manifest.json': { metadata: { dbt_schema_version: { toString: 1 } } } })
  expect(() => readProjectSync(odd)).toThrow('manifest.json')
  // Each thread may need gigabytes: one runs, one waits, and no more are accepted.
  const three = await Promise.allSettled([files, files, files].map((each) => readProject(each, threads)))
  expect(three.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
})

test('takes the SQL of an uncompiled manifest from run results', () => {
  const { manifest, run_results } = createDbtProject()
  const [model, id] = [manifest.nodes['model.shop.customers'] as { compiled_code?: string; raw_code?: string }, 'model.shop.customers']
  const compiled = model.compiled_code
  delete model.compiled_code
  const compiledIn = (files: Record<string, unknown>) =>
    readProjectSync(packed(files)).tables.find(({ unique_id }) => unique_id === id)?.compiled
  expect(compiledIn({ 'manifest.json': manifest })).toBe(null)
  const results = run_results.results.map((result) => (result.unique_id === id ? { ...result, compiled_code: compiled } : result))
  const ran = { ...run_results, results }
  expect(compiledIn({ 'manifest.json': manifest, 'run_results.json': ran })).toBe(compiled)
  const documented = { 'manifest.json': manifest, 'run_results.json': { ...ran, args: { which: 'generate' } } }
  expect(compiledIn(documented)).toBe(compiled)
  // Retained SQL is used while the model is unchanged; results of an earlier version of it are ignored.
  const { compiled: compiledModels } = readProjectSync(packed(documented))
  expect(compiledModels).toEqual([{ unique_id: id, written: expect.any(String), sql: compiled }])
  const kept = { results: [], readings: [], compiled: compiledModels }
  expect(compiledIn({ 'manifest.json': manifest, 'kept.json': kept })).toBe(compiled)
  model.raw_code = `${model.raw_code} limit 1`
  expect(compiledIn({ 'manifest.json': manifest, 'kept.json': kept, 'run_results.json': ran })).toBe(null)
  // Retained by an earlier version, without compiled SQL.
  expect(compiledIn({ 'manifest.json': manifest, 'kept.json': { results: [], readings: [] }, 'run_results.json': ran })).toBe(compiled)
})

describe('older manifest versions', () => {
  const schema = (version: number) => `https://schemas.getdbt.com/dbt/manifest/v${version}.json`
  /** The same small project with the fields of a given dbt version. */
  const older = (version: number, dbt_version: string) => {
    const renamed = version >= 7
    const sql = (raw: string, compiled: string) =>
      renamed
        ? { language: 'sql', raw_code: raw, compiled: true, compiled_code: compiled }
        : { raw_sql: raw, compiled: true, compiled_sql: compiled }
    const written = {
      package_name: 'shop',
      root_path: version < 8 ? '/srv/shop' : undefined,
      original_file_path: 'models/totals.sql',
      tags: ['core'],
      refs: version >= 9 ? [{ name: 'raw_orders', package: null, version: null }] : [['raw_orders']],
      sources: [],
      meta: {},
      docs: { show: true },
      database: 'dev',
      schema: 'public',
    }
    const nodes = {
      'seed.shop.raw_orders': {
        ...written,
        ...(renamed ? { raw_code: '' } : { raw_sql: '', compiled_sql: '' }),
        unique_id: 'seed.shop.raw_orders',
        resource_type: 'seed',
        name: 'raw_orders',
        alias: 'raw_orders',
        config: { enabled: true, materialized: 'seed' },
        columns: { customer: { name: 'customer' }, amount: { name: 'amount' } },
        description: '',
        depends_on: { macros: [], nodes: [] },
      },
      'model.shop.totals': {
        ...written,
        ...sql(
          "select customer, sum(amount) as total from {{ ref('raw_orders') }} group by 1",
          'select customer, sum(amount) as total from "dev"."public"."raw_orders" group by 1',
        ),
        unique_id: 'model.shop.totals',
        resource_type: 'model',
        name: 'totals',
        alias: 'totals',
        relation_name: '"dev"."public"."totals"',
        config: { enabled: true, materialized: 'table' },
        columns: { customer: { name: 'customer', description: 'Who it is.', meta: {}, data_type: null, quote: null, tags: [] } },
        description: 'What each customer paid.',
        depends_on: { macros: [], nodes: ['seed.shop.raw_orders'] },
        ...(version >= 9 ? { access: 'protected', group: 'finance', contract: { enforced: false }, latest_version: null } : {}),
      },
      'test.shop.not_null_totals_customer.1': {
        ...written,
        ...sql('{{ test_not_null(**_dbt_schema_test_kwargs) }}', 'select 1'),
        unique_id: 'test.shop.not_null_totals_customer.1',
        resource_type: 'test',
        name: 'not_null_totals_customer',
        column_name: 'customer',
        test_metadata: { name: 'not_null', kwargs: { column_name: 'customer', model: "{{ ref('totals') }}" }, namespace: null },
        config: { enabled: true, severity: 'ERROR' },
        depends_on: { macros: [], nodes: ['model.shop.totals'] },
      },
    }
    const exposure = {
      unique_id: 'exposure.shop.board',
      package_name: 'shop',
      name: 'board',
      type: 'dashboard',
      owner: { email: 'ann@example.com', name: 'Ann' },
      resource_type: 'exposure',
      maturity: 'high',
      url: 'https://boards.example.com/1',
      description: 'The board.',
      depends_on: { macros: [], nodes: ['model.shop.totals'] },
      refs: [['totals']],
      sources: [],
    }
    const metric = {
      unique_id: 'metric.shop.paid',
      package_name: 'shop',
      name: 'paid',
      label: 'Paid',
      model: "ref('totals')",
      resource_type: 'metric',
      depends_on: { macros: [], nodes: ['model.shop.totals'] },
      ...(renamed ? { calculation_method: 'sum', expression: 'total' } : { type: 'sum', sql: 'total' }),
    }
    return {
      metadata: { dbt_schema_version: schema(version), dbt_version, generated_at: '2023-01-02T03:04:05.678901Z', adapter_type: 'postgres' },
      nodes,
      sources: {},
      macros: {},
      exposures: { 'exposure.shop.board': exposure },
      ...(version >= 3 ? { metrics: { 'metric.shop.paid': metric } } : {}),
      ...(version >= 9 ? { groups: { 'group.shop.finance': { name: 'finance', owner: { email: 'fin@example.com', name: 'Fin' } } } } : {}),
    }
  }

  for (const [version, dbt] of [
    [1, '0.19.1'],
    [4, '1.0.0'],
    [7, '1.3.0'],
    [9, '1.5.0'],
  ] as const)
    test(`parses version ${version} of dbt ${dbt} completely`, () => {
      const project = readProjectSync(packed({ 'manifest.json': older(version, dbt) }))
      expect(project).toMatchObject({ name: 'shop', dbt_version: dbt, dialect: 'postgres' })
      const totals = project.tables.find(({ name }) => name === 'totals')!
      expect(totals).toMatchObject({
        relation: ['dev', 'public', 'totals'],
        description: 'What each customer paid.',
        raw: "select customer, sum(amount) as total from {{ ref('raw_orders') }} group by 1",
        compiled: 'select customer, sum(amount) as total from "dev"."public"."raw_orders" group by 1',
        depends_on: ['seed.shop.raw_orders'],
        tags: ['core'],
        owners: version >= 9 ? ['fin@example.com'] : [],
      })
      expect(totals.columns.map(({ name }) => name).sort()).toEqual(['customer', 'total'])
      expect(project.tests).toMatchObject([{ name: 'not_null_totals_customer', tests: 'model.shop.totals', column: 'customer' }])
      expect(project.uses.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['exposure board', ...(version >= 3 ? ['metric paid'] : [])])
      if (version >= 3) expect(project.uses[1]!.facts).toMatchObject({ expression: 'total' })
    })

  test('derives column lineage from compiled_sql and compiled_code', async () => {
    await using app = await createTestApp()
    const id = await createTestIntegration(app, 'dbt', {})
    const { status, body } = await uploadArtifacts(app, id, { 'manifest.json': older(4, '1.0.0') })
    expect(status).toBe(200)
    await runJob(app.ctx, JOB_HANDLERS, body.id, { integration_id: id, sync_id: body.id }, true)
    const { rows } = await sql<{ flow: string }>`
      select u.title || ' > ' || d.title as flow from lineage_edges e
      join resources u on u.id = e.upstream join resources d on d.id = e.downstream
      join resource_origins o on o.resource_id = d.id where o.integration = ${id} and d.entity_type = 'column' order by 1
    `.execute(app.db)
    expect(rows.map(({ flow }) => flow)).toEqual(['amount > total', 'customer > customer'])
  })
})

describe('an uncompiled model', () => {
  const sqlOf = (raw_code: string, ephemeral: object = {}) => {
    const { manifest } = createDbtProject()
    const nodes = manifest.nodes as Record<string, object>
    const uncompiled = { compiled_code: null, relation_name: null, ...ephemeral }
    const written = {
      'model.shop.stg_orders': { ...nodes['model.shop.stg_orders'], ...uncompiled },
      'model.shop.customers': { ...nodes['model.shop.customers'], compiled_code: null, raw_code },
    }
    const { tables } = readProjectSync(packed({ 'manifest.json': { ...manifest, nodes: { ...nodes, ...written } } }))
    return tables.find(({ name }) => name === 'customers')?.sql
  }

  test('inlines ephemeral models', () => {
    expect(sqlOf("select * from {{ ref('stg_orders') }} o")).toBe('select * from (select * from "dev"."public"."raw_orders"\n) o')
    const raw_code = "select id from {{ source('app', 'orders') }} -- all of them"
    expect(sqlOf("select * from {{ ref('stg_orders') }}", { raw_code })).toBe(
      'select * from (select id from "dev"."public"."raw_orders" -- all of them\n)',
    )
    expect(sqlOf("select * from {{ ref('stg_orders') }}", { raw_code: "select 1 from {{ source('app', 'orders') }} ;\n" })).toBe(
      'select * from (select 1 from "dev"."public"."raw_orders" \n)',
    )
    expect(sqlOf("select * from {{ ref('stg_orders') }}", { raw_code: 'select {{ a_macro() }}' })).toBe(null)
  })

  test('may have a config with maps and calls', () => {
    const seed = "select 1 from {{ ref('raw_customers') }}"
    const sql = 'select 1 from "dev"."public"."raw_customers"'
    for (const config of [
      "{{ config(partition_by={'field': 'day', 'data_type': 'date'}) }}",
      "{{- config(\n  meta = {'a': {'b': 1}},\n  schema = var('x')\n) -}}",
      '{{ config(tags=["x"]) }} {{config(materialized="table")}}',
    ])
      expect(sqlOf(`${config}\n${seed}`)?.trim()).toBe(sql)
    expect(sqlOf(`{{ config(materialized='table', {{ a_macro() }} ${seed}`)).toBe(null)
  })

  test('is skipped when nested ephemeral models grow too large', () => {
    const { manifest } = createDbtProject()
    const model = manifest.nodes['model.shop.stg_orders']!
    const nodes = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => {
        const [unique_id, last] = [`model.shop.e${i}`, i === 0 ? 'source.shop.app.orders' : `model.shop.e${i - 1}`]
        const from = i === 0 ? "{{ source('app', 'orders') }}" : `{{ ref('e${i - 1}') }}`
        const raw_code = `select a.id from ${from} a join ${from} b on a.id = b.id`
        return [
          unique_id,
          { ...model, unique_id, name: `e${i}`, relation_name: null, compiled_code: null, raw_code, depends_on: { nodes: [last] } },
        ]
      }),
    )
    const { tables } = readProjectSync(packed({ 'manifest.json': { ...manifest, nodes } }))
    const lengths = tables.filter(({ kind }) => kind === 'model').map(({ sql }) => sql?.length ?? 0)
    expect([lengths[0]! > 0, lengths[3]! > lengths[2]! * 2, Math.max(...lengths) < 210_000, lengths[39]]).toEqual([true, true, true, 0])
  })
})

test('uses table comments of the warehouse, and no row count for views', () => {
  const { manifest, catalog, run_results } = createDbtProject()
  const orders = {
    ...manifest.nodes['seed.shop.raw_customers'],
    unique_id: 'seed.shop.raw_orders',
    name: 'raw_orders',
    alias: 'raw_orders',
  }
  const seed = { ...catalog.nodes['seed.shop.raw_customers'], metadata: { type: 'BASE TABLE', comment: ' As it was given. ' } }
  const customers = { ...catalog.nodes['model.shop.customers'], metadata: { type: 'VIEW', comment: 'Another word.' } }
  const results = [{ unique_id: 'model.shop.customers', status: 'success', adapter_response: { code: 'CREATE VIEW', rows_affected: -1 } }]
  const { tables } = readProjectSync(
    packed({
      'manifest.json': { ...manifest, nodes: { ...manifest.nodes, 'seed.shop.raw_orders': orders } },
      'catalog.json': {
        ...catalog,
        nodes: { 'seed.shop.raw_customers': seed, 'model.shop.customers': customers, 'seed.shop.raw_orders': seed },
      },
      'run_results.json': { ...run_results, results },
    }),
  )
  const words = (name: string) => tables.find((table) => table.name === name)!
  expect([words('raw_customers').description, words('customers').description]).toEqual(['As it was given.', 'One row for each customer.'])
  // A seed that is also a source is described as such.
  expect(words('raw_orders').description).toBe('What was ordered.')
  expect(words('customers').facts.run).toEqual({ status: 'success', executed_at: run_results.metadata.generated_at })
})

test('attaches a unit test to the model version it names, also if it depends on the latest one', () => {
  const { manifest } = createDbtProject()
  const [unique_id, tested] = ['unit_test.shop.customers.adds_up.v1', 'model.shop.customers.v1']
  const base = { unique_id, resource_type: 'unit_test', name: 'adds_up', model: 'customers', config: {} }
  const needed = { depends_on: { nodes: [tested, 'model.shop.customers.v2'] } }
  const testOf = (unit_test: object) =>
    readProjectSync(packed({ 'manifest.json': { ...manifest, unit_tests: { [unique_id]: unit_test } } })).tests.at(-1)
  expect(testOf({ ...base, ...needed, tested_node_unique_id: tested })?.tests).toBe(tested)
  expect(testOf({ ...base, depends_on: { nodes: [tested] } })?.tests).toBe(tested)
})

test('extracts test results', () => {
  const { manifest, run_results } = createDbtProject()
  expect(toTestResults(manifest, run_results)).toEqual([
    {
      unique_id: 'test.shop.not_null_customers_customer_id.1',
      name: 'not_null_customers_customer_id',
      tests: 'model.shop.customers',
      column: 'customer_id',
      status: 'fail',
      failures: 2,
      message: 'Got 2 results, configured to fail if != 0',
      executed_at: '2026-01-02T03:00:01.000000Z',
      execution_time: 1,
    },
  ])
  expect(toTestResults(manifest, undefined)).toEqual([])
})

describe('a secondary source', () => {
  for (const [what, current, base, incoming, written] of [
    ['fills what is empty', { description: null }, undefined, { description: 'x' }, { description: 'x' }],
    ['follows itself', { description: 'x' }, { description: 'x' }, { description: 'y' }, { description: 'y' }],
    ['keeps what a user wrote', { description: 'p' }, { description: 'x' }, { description: 'y' }, {}],
    ['keeps what a user cleared', { description: null }, { description: 'x' }, { description: 'x' }, {}],
    ['adds to a list', { tags: ['p'] }, undefined, { tags: ['x'] }, { tags: ['p', 'x'] }],
    ['removes its own members of a list', { tags: ['p', 'x'] }, { tags: ['x'] }, { tags: ['y'] }, { tags: ['p', 'y'] }],
    ['does not add again what a user removed', { tags: ['p'] }, { tags: ['x'] }, { tags: ['x'] }, {}],
    ['changes nothing', { tags: ['x', 'p'] }, { tags: ['x'] }, { tags: ['x'] }, {}],
    ['clears its list', { tags: ['x'] }, { tags: ['x'] }, { tags: null }, { tags: [] }],
  ] as const)
    test(what, () => expect(mergeFieldSuggestion(current, base, incoming)).toEqual(written))
})
