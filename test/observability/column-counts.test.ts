import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { compactResourceCounts } from '../../src/catalog/listing/compact-resource-counts.ts'
import { createResources } from '../../src/catalog/resources/create.ts'
import { compactColumnCounts } from '../../src/observability/insights/compact-column-counts.ts'
import { newId } from '../../src/platform/core/id.ts'
import type { Db } from '../../src/platform/db/connect.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { findWrongColumnCounts, findWrongResourceCounts } from './find-wrong-column-counts.ts'

/** Counts of resources and of columns that triggers keep: those of the lists behind them after every kind of write, for every caller. */
const ROUNDS = 4 // of all kinds of writes
const COMPARED = 8 // every so many writes, through the API

let app: TestApp
let seed = 1
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => {
  seed = 1
})

const below = (n: number): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((seed / 2 ** 32) * n)
}
const of = <T>(items: readonly T[]): T => items[below(items.length)]!

const create = async (
  entity_type: 'database' | 'schema' | 'table' | 'column' | 'glossary',
  title: string,
  more: object = {},
): Promise<string> => (await app.createResource({ title, entity_type, published: true, ...more })).id
const edit = (id: string, body: object) => app.call('PATCH', `/resource/all/${id}`, { body })
const read = async (path: string, token: string) => {
  const { status, body, text } = await app.call('GET', path, { token })
  expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, ''])
  return body
}

const createWorld = async () => {
  const [open, closed] = [await app.createTeam(), await app.createTeam(true)]
  const integrations: string[] = []
  for (const name of ['One', 'Two'])
    integrations.push((await app.call('POST', '/integration/integrations', { body: { name, type: 'custom' } })).body.id)
  const schemas: string[] = []
  for (const i of [0, 1, 2]) schemas.push(await create('schema', `counted schema ${i}`))
  const tables: string[] = []
  for (let i = 0; i < 6; i += 1) tables.push(await create('table', `counted table ${i}`, { parent: schemas[i % 3]!, published: i !== 5 }))
  const columns: string[] = []
  for (let i = 0; i < 18; i += 1) columns.push(await create('column', `counted ${i}`, { parent: tables[i % 6]! }))
  const term = await create('glossary', 'Counted')
  return { open, closed, integrations, schemas, tables, columns, term, deleted: [] as string[] }
}
type World = Awaited<ReturnType<typeof createWorld>>

const TEXTS = [null, '', 'What it is.', 'Something else.']

/** Every kind of write, of something random. */
const listWrites = (world: World): Record<string, () => Promise<unknown>> => {
  const { open, closed, integrations, schemas, tables, columns, term, deleted } = world
  const column = of(columns)
  const fields = () =>
    of<object>([
      { description: of(TEXTS) },
      { definition: of(TEXTS) },
      { terms: of([[], [term]]) },
      { pii: below(2) === 0 },
      { published: below(2) === 0 },
      { teams: of([[], [open], [closed], [open, closed]]) },
      { parent: of(tables) },
      { archived: below(3) === 0 },
      { integration: of(integrations) },
    ])
  const remove = async (ids: readonly string[]) => {
    const id = of(ids)
    deleted.push(id)
    await app.call('DELETE', `/resource/all/${id}`)
  }
  return {
    described: () => edit(column, { description: of(TEXTS) }),
    documented: () => edit(column, { definition: of(TEXTS) }),
    'linked to a term': () => edit(column, { terms: of([[], [term]]) }),
    'marked as PII': () => edit(column, { pii: below(2) === 0 }),
    published: () => edit(column, { published: below(2) === 0 }),
    archived: () => edit(column, { archived: below(2) === 0 }),
    'moved to a team': () => edit(column, { teams: of([[], [open], [closed], [open, closed]]) }),
    'moved to another table': () => edit(column, { parent: of(tables) }),
    'table moved': () => edit(of(tables), { parent: of(schemas) }),
    'table published': () => edit(of(tables), { published: below(2) === 0 }),
    'several fields': () => edit(column, { ...fields(), ...fields(), ...fields() }),
    'several columns': () =>
      sql`update resources set pii = not pii, integration = ${of(integrations)}::uuid where parent = ${of(tables)}`.execute(app.db),
    'no longer a column': () =>
      sql`update resources set entity_type = case entity_type when 'column' then 'document' else 'column' end where id = ${column}`.execute(
        app.db,
      ),
    created: async () => void columns.push(await create('column', `counted ${columns.length}`, { parent: of(tables), ...fields() })),
    'many created': async () => {
      const entries = Array.from({ length: 30 }, (_, i) => ({
        id: newId(),
        entity_type: 'column' as const,
        title: `many ${i}`,
        parent: of(tables),
        ...fields(),
      }))
      await createResources(app.ctx, entries).catch((error: Error) => expect(error.message).toMatch(/not found|does not exist/))
    },
    'rolled back': () =>
      app.db
        .transaction()
        .execute(async (db) => {
          await sql`update resources set pii = not pii where entity_type = 'column'`.execute(db)
          throw new Error('rolled back')
        })
        .catch(() => {}),
    'column deleted': () => remove(columns),
    'table deleted': () => remove(tables),
    restored: () => app.call('POST', `/resource/all/${deleted.pop() ?? newId()}/restore`, { body: {} }),
    'restored, too': () => app.call('POST', `/resource/all/${deleted.pop() ?? newId()}/restore`, { body: {} }),
    'marked as verified': () => edit(of([...columns, ...tables]), { verified: below(2) === 0 }),
    'counts compacted': () => Promise.all([compactColumnCounts(app.ctx), compactResourceCounts(app.ctx), compactResourceCounts(app.ctx)]),
  }
}

const isOfColumns = (name: string) => name.startsWith('columns')

/** The counts behind the filters of the insights, narrowed by one more condition. */
const countLists = async (filters: ReadonlyMap<string, string>, token: string, ...more: readonly object[]) => {
  const counts: Record<string, number> = {}
  for (const [name, filter] of filters) {
    const narrowed = JSON.stringify({ operator: 'and', operands: [JSON.parse(filter), ...more] })
    counts[name] = (await read(`/resource/catalog?page_size=1&filter=${encodeURIComponent(narrowed)}`, token)).count
  }
  return counts
}
const onlyColumns = (numbers: Record<string, number>) => Object.fromEntries(Object.entries(numbers).filter(([name]) => isOfColumns(name)))

/** The number of rows that a list says is the number of rows that it has, also without the counts that triggers keep. */
const compareLists = async (token: string, { integrations, open, closed }: World, because: string): Promise<void> => {
  const is = (field: string, value: unknown) => ({ operator: 'exact', field, value })
  const filters: object[] = [
    { operator: 'and', operands: [] },
    is('entity_type', of(['column', 'table', 'document'])),
    is('integration', of(integrations)),
    { operator: 'is_not_set', field: 'integration' },
    is('teams', of([open, closed])),
    { operator: 'not', operands: [is('published', true)] },
    { operator: 'and', operands: [is('pii', true), { operator: 'or', operands: [is('archived', true), is('verified', false)] }] },
  ]
  for (const filter of filters) {
    const path = (operands: object[]) =>
      `/resource/catalog?page_size=1&filter=${encodeURIComponent(JSON.stringify({ operator: 'and', operands }))}`
    // Every title has a first letter, but the second list is counted row by row.
    const [counted, rows] = [await read(path([filter]), token), await read(path([filter, { operator: 'is_set', field: 'title' }]), token)]
    expect(counted.count, `${because}: ${JSON.stringify(filter)}`).toBe(rows.count)
  }
}

/** Every number of columns that this caller gets is that of the list behind it. Returns their sum. */
const compare = async (token: string, { integrations, open, closed }: World, because: string): Promise<number> => {
  let sum = 0
  const filters = new Map<string, string>()
  for (const scope of ['', `?integration_id=${of(integrations)}`, `?team_id=${of([open, closed])}`]) {
    const metrics: { name: string; count: number; filter: string }[] = (await read(`/insights${scope}`, token)).metrics
    const ofColumns = metrics.filter(({ name }) => isOfColumns(name))
    expect(ofColumns).toHaveLength(4)
    const lists = await countLists(new Map(ofColumns.map(({ name, filter }) => [name, filter])), token)
    expect(Object.fromEntries(ofColumns.map(({ name, count }) => [name, count])), `${because}: ${scope}`).toEqual(lists)
    if (scope === '') for (const { name, filter } of ofColumns) filters.set(name, filter)
    sum += ofColumns.reduce((sum, { count }) => sum + count, 0)
  }
  const conditionOf = async (by: string, id: string): Promise<object> => {
    if (by !== 'schema') return { operator: 'exact', field: by === 'team' ? 'teams' : by, value: id }
    const { rows } = await sql<{ id: string }>`select id from resources where parent = ${id}::uuid`.execute(app.db)
    return { operator: 'in', field: 'parent', value: rows.map(({ id }) => id) }
  }
  for (const by of ['schema', 'integration', 'team'])
    for (const scope of ['', `&integration_id=${of(integrations)}`]) {
      const narrowed = scope ? [{ operator: 'exact', field: 'integration', value: scope.split('=')[1] }] : []
      for (const { id, numbers } of (await read(`/insights/groups?by=${by}${scope}`, token)).results)
        expect([by, scope, id, onlyColumns(numbers)], because).toEqual([
          ...[by, scope, id],
          await countLists(filters, token, await conditionOf(by, id), ...narrowed),
        ])
    }
  return sum
}

test('counts are those of the lists after any write, for callers who see everything and who do not', async () => {
  const world = await createWorld()
  const [viewer, editor, guest, member] = [
    await app.createUser('viewer'),
    await app.createUser('editor'),
    await app.createUser('guest', { teams: [world.open] }),
    await app.createUser('viewer', { teams: [world.closed] }),
  ]
  const tokens = [app.token, viewer.token, editor.token, guest.token, member.token]
  const done: string[] = []
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of Object.keys(listWrites(world))
      .map((name) => [below(1_000), name] as const)
      .sort(([a], [b]) => a - b)
      .map(([, name]) => name)) {
      await listWrites(world)[name]!()
      done.push(name)
      const because = `step ${done.length}: ${done.slice(-4).join(', ')}`
      expect([await findWrongColumnCounts(app.db), await findWrongResourceCounts(app.db)], because).toEqual([[], []])
      if (done.length % COMPARED === 0) {
        await compare(of(tokens), world, because)
        await compareLists(of(tokens), world, because)
      }
    }
  await compactColumnCounts(app.ctx)
  const sums: number[] = []
  for (const token of tokens) sums.push(await compare(token, world, 'at the end'))
  const [all, , , ofGuest] = sums
  expect([all! > sums[1]!, all! > sums[2]!, ofGuest! > 0]).toEqual([true, true, true])
})

const countRows = async (db: Db) => (await sql<{ n: number }>`select count(*)::int as n from column_counts`.execute(db)).rows[0]!.n

test('a column that a caller may not see, or in a schema that is hidden, is in no number of theirs', async () => {
  const closed = await app.createTeam(true)
  const viewer = await app.createUser('viewer')
  const schema = await create('schema', 'partly hidden')
  const hidden = await create('schema', 'hidden', { teams: [closed] })
  const table = await create('table', 'seen', { parent: schema })
  await create('column', 'seen', { parent: table })
  await create('column', 'draft', { parent: table, published: false, description: 'Hidden.', pii: true })
  await create('column', 'secret', { parent: table, teams: [closed], description: 'Hidden.', pii: true })
  const secret = await create('table', 'secret', { parent: hidden, teams: [closed] })
  await create('column', 'secret', { parent: secret, teams: [closed] })
  const database = await create('database', 'without schemas')
  await create('column', 'direct', { parent: await create('table', 'direct', { parent: database }) })
  const groups = async (token: string) => (await read('/insights/groups?by=schema', token)).results
  const numbersOf = async (id: string, token: string) => (await groups(token)).find((each: { id: string }) => each.id === id)?.numbers
  expect(await numbersOf(schema, app.token)).toMatchObject({ columns: 3, columns_described: 2, columns_pii: 2 })
  expect(await numbersOf(schema, viewer.token)).toMatchObject({ columns: 1, columns_described: 0, columns_pii: 0 })
  expect(await numbersOf(hidden, app.token)).toMatchObject({ columns: 1 })
  expect(await numbersOf(hidden, viewer.token)).toBeUndefined()
  expect(await numbersOf(database, app.token)).toBeUndefined()
})

test('many edits leave many rows, which housekeeping replaces by one; two at once change no sum', async () => {
  const table = await create('table', 'compacted', { parent: await create('schema', 'compacted') })
  const columns = await Promise.all([1, 2, 3, 4].map((i) => create('column', `compacted ${i}`, { parent: table })))
  for (const id of columns) for (const description of ['It.', null, 'This.']) await edit(id, { description })
  const rowsOf = async () =>
    (
      await sql<{
        columns: number
        columns_described: number
      }>`select columns, columns_described from column_counts where parent = ${table}`.execute(app.db)
    ).rows
  expect((await rowsOf()).length).toBeGreaterThan(10)
  await Promise.all([compactColumnCounts(app.ctx), compactColumnCounts(app.ctx), compactColumnCounts(app.ctx)])
  await compactColumnCounts(app.ctx)
  expect(await rowsOf()).toEqual([{ columns: 4, columns_described: 4 }])
  expect(await findWrongColumnCounts(app.db)).toEqual([])
  await app.call('DELETE', `/resource/all/${table}`)
  await compactColumnCounts(app.ctx)
  expect(await rowsOf()).toEqual([])
  const before = await countRows(app.db)
  await compactColumnCounts(app.ctx)
  expect(await countRows(app.db)).toBe(before)
})

test.each([
  ['columns', '0161_count_existing_columns.sql', 'column_counts', findWrongColumnCounts],
  ['resources', '0166_count_existing_resources.sql', 'resource_counts', findWrongResourceCounts],
] as const)('existing %s are counted beside running writes: what commits before, during and after', async (_, file, counts, findWrong) => {
  const migration = await readFile(new URL(`../../migrations/${file}`, import.meta.url), 'utf8')
  const table = await create('table', 'migrated', { parent: await create('schema', 'migrated') })
  const ids = await Promise.all([1, 2, 3].map((i) => create('column', `migrated ${i}`, { parent: table })))
  // As after the migration before: what was there is not counted, and the triggers count what is written since.
  await sql`truncate ${sql.ref(counts)}`.execute(app.db)
  await edit(ids[0]!, { description: 'Before.', pii: true })
  await app.db.transaction().execute(async (db) => {
    await sql`update resources set description = 'Meanwhile.', pii = true where id = ${ids[1]!}`.execute(db)
    await sql.raw(migration).execute(app.db)
  })
  await edit(ids[2]!, { description: 'After.', pii: true })
  expect(await findWrong(app.db)).toEqual([])
})
