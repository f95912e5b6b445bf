import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { newId } from '../../../src/platform/core/id.ts'
import { connect } from '../../../src/platform/db/connect.ts'
import { ingestEvents } from '../../../src/sources/openlineage/ingest-events.ts'
import { KnownReports } from '../../../src/sources/openlineage/known-reports.ts'
import { parseEvents } from '../../../src/sources/openlineage/parse-events.ts'
import { createDataset, createOpenLineageEvent, FACETS, LAKE, listFlows, sendEvents } from '../../support/openlineage.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

/** Runs that report the same datasets again: only the run is new, unless something about the datasets changed since. */

const fields = (...names: string[]) => FACETS.schema(names.map((name) => ({ name, type: 'int' })))
const lineage = (from: string, ...names: string[]) =>
  FACETS.columnLineage(Object.fromEntries(names.map((name) => [name, { inputFields: [{ namespace: LAKE, name: from, field: name }] }])))

const load = (more: object = {}) =>
  createOpenLineageEvent({
    inputs: [createDataset(LAKE, 'raw', fields('a', 'b'))],
    outputs: [createDataset(LAKE, 'made', { ...fields('a', 'b'), ...lineage('raw', 'a', 'b') })],
    ...more,
  })

const listDatasets = async (app: TestApp) => {
  const { rows } = await sql<{ title_full: string; native_type: string | null; stale: boolean; updated_at: string; xmin: string }>`
    select r.title_full, r.native_type, r.stale, r.updated_at, r.xmin::text from resources r where r.entity_type in ('table', 'column') order by r.title_full
  `.execute(app.db)
  return rows
}

const listResources = async (app: TestApp): Promise<{ id: string; title_full: string }[]> => {
  const { rows } = await sql<{ id: string; title_full: string }>`select id, title_full from resources order by title_full, id`.execute(
    app.db,
  )
  return rows
}

const findId = async (app: TestApp, title_full: string): Promise<string> => {
  const { rows } = await sql<{ id: string }>`select id from resources where title_full = ${title_full}`.execute(app.db)
  expect([title_full, rows.length]).toEqual([title_full, 1])
  return rows[0]!.id
}

describe('datasets that are known', () => {
  test('are not written again, and the flows of each run are stored', async () => {
    await using app = await createTestApp()
    await sendEvents(app, load())
    const before = await listDatasets(app)
    expect(before).toHaveLength(6)
    const statistics = { outputFacets: FACETS.outputStatistics(12) }
    for (let i = 0; i < 3; i += 1) {
      const about = { runId: newId(), time: `2026-02-0${i + 1}T00:00:00Z` }
      const outputs = [createDataset(LAKE, 'made', { ...fields('a', 'b'), ...lineage('raw', 'a', 'b') }, statistics)]
      await sendEvents(app, load({ ...about, type: 'START' }), load({ ...about, outputs }))
    }
    expect(await listDatasets(app)).toEqual(before)
    const job = await findId(app, 'airflow.shop.load')
    const { body } = await app.call('GET', `/resource/all/${job}/runs`)
    expect(body.results).toHaveLength(4)
    for (const run of body.results) expect([run.state, run.inputs.length, run.outputs.length]).toEqual(['COMPLETED', 1, 1])
    const { rows } = await sql<{ written: number }>`
      select (display_metadata ->> 'rows_written')::int as written from resources where entity_type = 'run' and display_metadata ? 'rows_written'
    `.execute(app.db)
    expect(rows).toEqual([{ written: 12 }, { written: 12 }, { written: 12 }])
  })

  test('a start leaves what is known about its job as it is', async () => {
    await using app = await createTestApp()
    await sendEvents(app, load())
    const readOrigin = async () => {
      const { rows } = await sql<{ version: string }>`
        select o.xmin::text as version from resource_origins o join resources r on r.id = o.resource_id where r.title_full = 'airflow.shop.load'
      `.execute(app.db)
      return rows
    }
    const before = await readOrigin()
    expect(before).toHaveLength(1)
    const next = { runId: newId(), time: '2026-02-01T00:00:00Z' }
    await sendEvents(app, load({ ...next, type: 'START' }))
    expect(await readOrigin()).toEqual(before)
    await sendEvents(app, load(next))
    expect(await readOrigin()).not.toEqual(before)
  })

  test('are the existing resources if no source has reported them, e.g. after an import', async () => {
    await using app = await createTestApp()
    const [first, second] = [load(), load({ runId: newId(), time: '2026-02-01T00:00:00Z' })]
    await sendEvents(app, first)
    const before = await listResources(app)
    await sql`delete from resource_origins`.execute(app.db)
    await sendEvents(app, first)
    expect(await listResources(app)).toEqual(before)
    await sql`delete from resource_origins`.execute(app.db)
    await sendEvents(app, [first, second])
    expect(await listResources(app)).toHaveLength(before.length + 1)
    expect(await listResources(app)).toEqual(expect.arrayContaining(before))
  })

  test('are written again when a column was deleted', async () => {
    await using app = await createTestApp()
    await sendEvents(app, load())
    const edges = await listFlows(app)
    const [column, table] = [await findId(app, `${LAKE}.made.b`), await findId(app, `${LAKE}.raw`)]
    expect((await app.call('DELETE', `/resource/all/${column}`)).status).toBeLessThan(300)
    await sendEvents(app, load())
    expect(await findId(app, `${LAKE}.made.b`)).not.toBe(column)
    expect(await listFlows(app)).toEqual(edges)
    expect((await app.call('DELETE', `/resource/all/${table}`)).status).toBeLessThan(300)
    await sendEvents(app, load())
    expect(await listFlows(app)).toEqual(edges)
  })

  test('are written again when another job reported something else, or dropped them', async () => {
    await using app = await createTestApp()
    const other = (type: string, facets: object = {}) =>
      createOpenLineageEvent({
        name: 'other',
        outputs: [
          createDataset(LAKE, 'raw', {
            ...FACETS.schema([
              { name: 'a', type },
              { name: 'b', type: 'int' },
            ]),
            ...facets,
          }),
        ],
      })
    const typeOf = async () => (await listDatasets(app)).find(({ title_full }) => title_full === `${LAKE}.raw.a`)!.native_type
    await sendEvents(app, load(), other('text'))
    expect(await typeOf()).toBe('text')
    await sendEvents(app, load())
    expect(await typeOf()).toBe('int')
    await sendEvents(app, other('text'))
    expect(await typeOf()).toBe('text')
    // In one transaction, the last one counts as well.
    const batch = async (...events: object[]) => expect((await app.call('POST', '/lineage/batch', { body: events })).status).toBe(200)
    await batch(load(), other('text'), load())
    expect(await typeOf()).toBe('int')
    await batch(other('text'), load(), other('text'))
    expect(await typeOf()).toBe('text')
    await sendEvents(app, load())
    const drop = { lifecycleStateChange: { lifecycleStateChange: 'DROP' } }
    await sendEvents(app, other('int', drop))
    const stale = async () => (await listDatasets(app)).filter((each) => each.stale).map(({ title_full }) => title_full)
    expect(await stale()).toEqual([`${LAKE}.raw`, `${LAKE}.raw.a`, `${LAKE}.raw.b`])
    await sendEvents(app, load())
    expect(await stale()).toEqual([])
  })

  test('take the owner who joined since, and the column that the warehouse has since', async () => {
    await using app = await createTestApp()
    await using source = await createPostgresSource('create table orders (a int)')
    const warehouse = await createTestIntegration(app, 'postgres', source.credentials)
    await runSync(app, warehouse)
    const { host, port } = source.credentials
    const server = `postgres://${host}:${port}`
    const event = () =>
      createOpenLineageEvent({
        inputs: [createDataset(LAKE, 'raw', { ...fields('a', 'b'), ...FACETS.ownership('new@example.com') })],
        outputs: [createDataset(server, `${source.name}.public.orders`, lineage('raw', 'a', 'b'))],
      })
    await sendEvents(app, event(), event())
    const raw = await findId(app, `${LAKE}.raw`)
    expect((await app.call('GET', `/resource/all/${raw}`)).body.owners).toEqual([])
    expect(await listFlows(app)).toHaveLength(2)
    await source.run('alter table orders add b int')
    await runSync(app, warehouse)
    await sendEvents(app, event())
    expect(await listFlows(app)).toHaveLength(3)
    const user = await app.createUser('viewer')
    await sql`update users set email = 'new@example.com' where id = ${user.id}`.execute(app.db)
    await sendEvents(app, event())
    expect((await app.call('GET', `/resource/all/${raw}`)).body.owners).toEqual([user.id])
  })

  test('have the same result as without knowing them', async () => {
    await using app = await createTestApp()
    const create = async (name: string) => (await app.call('POST', '/integration/integrations', { body: { name, type: 'custom' } })).body.id
    const [known, unknown] = [await create('known'), await create('unknown')]
    for (const events of createRandomEvents()) {
      const ingest = (runtime: typeof app.ctx.runtime, integration: string) =>
        ingestEvents({ ...app.ctx, runtime }, parseEvents(events), integration)
      await ingest(app.ctx.runtime, known)
      await ingest({ ...app.ctx.runtime, knownReports: new KnownReports() }, unknown)
    }
    const result = await summarize(app, known)
    expect(result.resources.length).toBeGreaterThan(30)
    expect(result.edges.length).toBeGreaterThan(3)
    expect(result).toEqual(await summarize(app, unknown))
  })
})

test('a run is found by its ID, its beginning and a group of it, and not by letters in it', async () => {
  await using app = await createTestApp()
  const runId = '0190d3a0-5f4a-7c3e-9d2f-0a1b2c3d4e5f'
  await sendEvents(app, load({ runId }))
  const find = async (term: string) =>
    (await app.call('GET', `/search?q=${term}`)).body.results.map(({ title }: { title: string }) => title)
  for (const term of [runId, '0190d3', '5f4a', '0a1b2c3d4e5f']) expect([term, await find(term)]).toEqual([term, [runId]])
  expect(await find('3e')).toEqual([])
})

describe('exactly once', () => {
  test('events that many senders repeat through two processes', async () => {
    await using app = await createTestApp()
    await using second = await app.createInstance()
    const runs = Array.from({ length: 40 }, (_, i) => ({ runId: newId(), name: `job ${i % 5}`, time: `2026-01-01T00:00:${10 + i}Z` }))
    const requests = runs.flatMap((about) => [load({ ...about, type: 'START' }), load(about), load(about)])
    const senders = requests.map((body, i) => (i % 2 === 0 ? app : second).call('POST', '/lineage', { body }))
    for (const { status } of await Promise.all(senders)) expect(status).toBe(201)
    await expectRuns(app, runs)
  })

  test('events whose connections are cut while they are ingested, and which are sent again', async () => {
    await using app = await createTestApp()
    const runs = Array.from({ length: 30 }, (_, i) => ({ runId: newId(), name: `job ${i % 5}`, time: `2026-01-01T00:00:${10 + i}Z` }))
    const killer = connect(app.url, { poolSize: 1 })
    let done = false
    const cutConnections = async () => {
      let cut = 0
      while (!done && cut < 8) {
        const { rows } = await sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null and query not like 'listen%' limit 1
        `.execute(killer.db)
        cut += rows.length
        await setTimeout(15)
      }
      return cut
    }
    const sendUntilAccepted = async (body: object) => {
      while ((await app.call('POST', '/lineage', { body })).status !== 201) await setTimeout(5)
    }
    const cutting = cutConnections()
    await Promise.all(runs.flatMap((about) => [load({ ...about, type: 'START' }), load(about)].map(sendUntilAccepted)))
    done = true
    expect(await cutting).toBeGreaterThan(0)
    await killer.close()
    await expectRuns(app, runs)
  })
})

/** Each run exists once, is complete and was created by one activity; repeating everything changes nothing. */
const expectRuns = async (app: TestApp, runs: readonly { readonly runId: string }[]) => {
  const { rows } = await sql<{ title: string; state: string; created: number; flows: number }>`
    select r.title, r.display_metadata ->> 'state' as state,
      (select count(*)::int from activities a where a.resource_id = r.id and a.version = 1) as created,
      (select count(*)::int from openlineage_flows f where f.resource_id = r.id) as flows
    from resources r where r.entity_type = 'run'
  `.execute(app.db)
  expect(rows.map(({ title }) => title).sort()).toEqual(runs.map(({ runId }) => runId).sort())
  for (const { state, created, flows } of rows) expect([state, created, flows]).toEqual(['COMPLETED', 1, 1])
  expect(await listDatasets(app)).toHaveLength(6)
}

/** Lists of events about a few datasets that several jobs read and write, with changing facets. */
const createRandomEvents = (): object[][] => {
  let seed = 7
  const random = (n: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(seed / 65_536) % n
  }
  const dataset = (i: number) => {
    const names = ['a', 'b', 'c'].slice(0, 1 + random(3))
    const schema = FACETS.schema(names.map((name) => ({ name, type: random(4) === 0 ? 'text' : 'int' })))
    return createDataset(LAKE, `t${i}`, {
      ...(random(3) === 0 ? {} : schema),
      ...(random(4) === 0 ? { note: { text: `n${random(2)}` } } : {}),
      ...(random(4) === 0 ? lineage(`t${random(4)}`, ...names) : {}),
      ...(random(12) === 0 ? { lifecycleStateChange: { lifecycleStateChange: 'DROP' } } : {}),
    })
  }
  const reports = Array.from({ length: 12 }, () => ({ inputs: [dataset(random(4))], outputs: [dataset(random(4)), dataset(4)] }))
  return Array.from({ length: 40 }, (_, i) =>
    Array.from({ length: 1 + random(3) }, (_, j) =>
      createOpenLineageEvent({
        ...reports[random(reports.length)],
        ...{
          name: `job ${random(3)}`,
          type: ['START', 'COMPLETE', 'FAIL'][random(3)]!,
          runId: `0190d3a0-5f4a-7c3e-9d2f-0000000000${10 + random(30)}`,
        },
        time: new Date(Date.UTC(2026, 0, 1, i, j)).toISOString(),
      }),
    ),
  )
}

/** What a caller sees of an integration, without IDs. */
const summarize = async (app: TestApp, integration: string) => {
  const { rows: resources } = await sql`
    select r.databuilder_id as key, p.databuilder_id as parent, r.entity_type, r.native_type, r.description, r.stale, r.children_count, r.version,
      r.external_updated_at, r.display_metadata, r.details
    from resources r left join resources p on p.id = r.parent where r.integration = ${integration} order by r.databuilder_id
  `.execute(app.db)
  const { rows: edges } = await sql`
    select u.databuilder_id as upstream, d.databuilder_id as downstream, e.kind
    from lineage_edges e join resources u on u.id = e.upstream join resources d on d.id = e.downstream
    where d.integration = ${integration} order by 1, 2, 3
  `.execute(app.db)
  return { resources, edges }
}
