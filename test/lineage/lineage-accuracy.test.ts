import { describe, expect, test } from 'vitest'
import { deleteResource } from '../../src/catalog/resources/delete.ts'
import { analyse } from '../../src/sql/index.ts'
import { hasLabelledCases, labelledCases, readCases } from '../../src/sql/testing/accuracy.ts'
import { readFixtures } from '../../src/sql/testing/fixtures.ts'
import { type Catalog, createLineageCatalog } from '../support/lineage-catalog.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/**
 * The API returns the engine's result unchanged: the tables of a statement are loaded into the catalog, and the preview must match the engine
 * given the same columns. The accuracy itself is measured in `src/sql`.
 */
interface AccuracyCase {
  readonly title: string
  readonly sql: string
  readonly dialect: string
  readonly database?: string | null
  readonly schema?: string | null
  readonly knownColumns: ReadonlyMap<string, readonly string[]>
}

const fixtures: AccuracyCase[] = readFixtures().map(({ file, title, sql, dialect, defaults, knownColumns }) => ({
  title: `${file}: ${title}`,
  sql,
  dialect,
  ...defaults,
  knownColumns,
}))

/** A deterministic sample; the tables of one statement must not affect the next. */
const sample = (all: readonly AccuracyCase[], every: number): AccuracyCase[] => all.filter((_, i) => i % every === 0)

const normal = (name: readonly (string | null)[]): string =>
  name
    .filter((part) => part !== null && part !== '')
    .join('.')
    .toLowerCase()

const analyseDirectly = ({ sql, dialect, database, schema, knownColumns }: AccuracyCase) => {
  const response = analyse(sql, { dialect, defaults: { database, schema }, columnsOf: (name) => knownColumns.get(normal(name)) })
  return {
    sources: unique(response.sources.map(({ name }) => normal(name))),
    statements: response.statements.map(({ sources, targets, columns }) => ({
      sources: unique(sources.map(({ name }) => normal(name))),
      targets: unique(targets.map(({ name }) => normal(name))),
      columns: unique(
        columns.flatMap(({ from, to, kind }) =>
          kind === 'filter' ? [] : `${normal(from.table)} ${from.column.toLowerCase()} ${to.column!.toLowerCase()} ${kind}`,
        ),
      ),
    })),
  }
}

const previewLineage = async (app: TestApp, { sql, dialect, database, schema }: AccuracyCase) => {
  const query = new URLSearchParams({
    sql,
    dialect,
    ...(database ? { default_database: database } : {}),
    ...(schema ? { default_schema: schema } : {}),
  })
  const { status, body } = await app.call('GET', `/lineage/lineage_from_query?${query}`)
  if (status !== 200) return { status, sources: [], statements: [] }
  type Described = { title: string; schema_name: string | null; database_name: string | null; table_name: string }
  const tables = (some: Described[]) => unique(some.map((each) => normal([each.database_name, each.schema_name, each.title])))
  return {
    sources: tables(body.source_tables),
    statements: body.statements.map(
      (each: {
        source_tables: Described[]
        target_tables: Described[]
        column_lineages: { from_column: Described; to_column: Described; kind: string }[]
      }) => ({
        sources: tables(each.source_tables),
        targets: tables(each.target_tables),
        columns: unique(
          each.column_lineages.map(
            ({ from_column: from, to_column: to, kind }) =>
              `${normal([from.database_name, from.schema_name, from.table_name])} ${from.title.toLowerCase()} ${to.title.toLowerCase()} ${kind}`,
          ),
        ),
      }),
    ),
  }
}

const unique = (names: readonly string[]): string[] => [...new Set(names)].sort()

const compareAll = async (cases: readonly AccuracyCase[]) => {
  await using app = await createTestApp()
  const wrong: unknown[] = []
  let loaded = ''
  let catalog: Catalog = new Map()
  for (const one of cases) {
    const tables = Object.fromEntries([...one.knownColumns].filter(([name]) => name.split('.').length <= 3))
    // Consecutive statements often use the same tables.
    if (JSON.stringify(tables) !== loaded) {
      await deleteTables(app, catalog)
      catalog = await createLineageCatalog(app, tables)
      loaded = JSON.stringify(tables)
    }
    const [understood, shown] = [analyseDirectly(one), await previewLineage(app, one)]
    if (JSON.stringify(shown) !== JSON.stringify(understood)) wrong.push({ ...one, tables, understood, shown })
  }
  return wrong
}

const deleteTables = async (app: TestApp, catalog: Catalog) => {
  for (const [name, id] of catalog)
    if (!catalog.has(name.split('.').slice(0, -1).join('.'))) await deleteResource({ ...app.ctx, now: new Date() }, id)
}

test('engine fixtures', async () => {
  const readable = fixtures.filter((one) => analyse(one.sql, one).parsable)
  expect(readable.length).toBeGreaterThan(900)
  expect(await compareAll(sample(readable, 6))).toEqual([])
})

describe.skipIf(!hasLabelledCases)(`labelled statements in ${labelledCases}`, () => {
  for (const [file, every] of [
    ['cases', 3],
    ['tpc', 11],
    ['trees', 20],
  ] as const)
    test(`${file}: one in ${every}`, async () => {
      const cases = readCases(file).map(({ id, sql, dialect, default_db, default_schema, schemas }) => ({
        title: id,
        sql,
        dialect,
        database: default_db,
        schema: default_schema,
        knownColumns: new Map(Object.entries(schemas).map(([name, columns]) => [name.toLowerCase(), columns])),
      }))
      expect(await compareAll(sample(cases, every))).toEqual([])
    })
})
