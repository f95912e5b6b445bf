import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readBaseline, toBaseline } from '../../bench/search-quality/baseline.ts'
import { buildCatalog } from '../../bench/search-quality/catalog.ts'
import { evaluate, toSearchPath } from '../../bench/search-quality/evaluate.ts'
import { judge, readQueries } from '../../bench/search-quality/judgments.ts'
import { loadCatalog } from '../../bench/search-quality/load.ts'
import { score } from '../../bench/search-quality/metrics.ts'
import { createTestApp } from '../support/test-app.ts'

const MAX_DROP = 0.01

const catalog = buildCatalog()
const judged = readQueries().map((query) => ({ query, judgments: judge(catalog, query) }))

test('finds what the judged queries ask for as well as the baseline', async () => {
  await using app = await createTestApp()
  await loadCatalog(app.ctx, catalog)
  await sql`vacuum analyze`.execute(app.db) // as for the baseline; without statistics, some searches take half a second of CPU time
  const evaluation = await evaluate(
    {
      name: 'Tablinum',
      search: async (query) => {
        const { status, body } = await app.call('GET', toSearchPath(query))
        expect(status, query.q).toBe(200)
        return body.results.map(({ id }: { id: string }) => id)
      },
    },
    judged,
    4,
  )
  const found = toBaseline(evaluation)
  expect(found.ndcg, `NDCG@10 by class: ${JSON.stringify(found.classes)}`).toBeGreaterThanOrEqual(readBaseline().ndcg - MAX_DROP)
})

test('the judged set is complete', () => {
  expect(judged.length).toBeGreaterThanOrEqual(320)
  expect(new Set(judged.map(({ query: { q, entity_type } }) => `${entity_type} ${q}`)).size).toBe(judged.length)
  for (const { query, judgments } of judged) expect(Math.max(...judgments.values()), query.q).toBe(3)
  for (const [name, own] of Map.groupBy(judged, ({ query }) => query.class)) {
    const dev = own.filter(({ query }) => query.set === 'dev').length
    expect(Math.abs(2 * dev - own.length), name).toBeLessThanOrEqual(1)
  }
})

test('scores by grade and position', () => {
  const judgments = new Map([
    ['answer', 3],
    ['good', 2],
    ['related', 1],
  ])
  expect(score(judgments, ['answer', 'good', 'related'])).toEqual({
    ndcg: 1,
    reciprocalRank: 1,
    success1: 1,
    success3: 1,
    zeroResults: 0,
  })
  const late = score(judgments, ['other', 'related', 'answer'])
  expect(late).toMatchObject({ reciprocalRank: 1 / 3, success1: 0, success3: 1, zeroResults: 0 })
  expect(late.ndcg).toBeCloseTo((1 / Math.log2(3) + 7 / 2) / (7 + 3 / Math.log2(3) + 1 / 2), 10)
  expect(score(judgments, [])).toEqual({ ndcg: 0, reciprocalRank: 0, success1: 0, success3: 0, zeroResults: 1 })
})
