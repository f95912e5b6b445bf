import { table } from '../table.ts'
import { type Catalog, toResourceId } from './catalog.ts'
import type { Judgments, Query } from './judgments.ts'
import { mean, PAGE, percentile, type Score, score } from './metrics.ts'

/** Asks a search engine every query, and shows how good its answers are. */
export interface Engine {
  readonly name: string
  /** The IDs of the best results, best first. */
  readonly search: (query: Query) => Promise<readonly string[]>
}
export interface JudgedQuery {
  readonly query: Query
  readonly judgments: Judgments
}
export interface Answer extends JudgedQuery {
  readonly results: readonly string[]
  readonly score: Score
  readonly ms: number
}
export interface Evaluation {
  readonly name: string
  readonly answers: readonly Answer[]
}

export const toSearchPath = ({ q, entity_type }: Query): string =>
  `/api/v1/search?facets=false&page_size=${PAGE}&q=${encodeURIComponent(q)}${entity_type ? `&entity_type=${entity_type}` : ''}`

/** Times mean something only if queries are not asked at the same time. */
export const evaluate = async ({ name, search }: Engine, queries: readonly JudgedQuery[], atOnce = 1): Promise<Evaluation> => {
  const answers: Answer[] = []
  const waiting = queries.entries()
  const ask = async () => {
    for (const [i, { query, judgments }] of waiting) {
      const begin = performance.now()
      const results = await search(query)
      answers[i] = { query, judgments, results, score: score(judgments, results), ms: performance.now() - begin }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, ask))
  return { name, answers }
}

export const meanNdcg = (answers: readonly Answer[]): number =>
  mean(
    answers.map((answer) => answer.score),
    'ndcg',
  )

export const formatByClass = (title: string, evaluations: readonly Evaluation[]): string => {
  const classes = [...new Set(evaluations[0]!.answers.map(({ query }) => query.class))]
  const rows = classes.map((name) => {
    const own = evaluations.map(({ answers }) => answers.filter(({ query }) => query.class === name))
    return [name, String(own[0]!.length), ...own.map((answers) => fixed(meanNdcg(answers)))]
  })
  return table(title, ['class', 'queries', ...evaluations.map(({ name }) => name)], rows)
}

const METRICS: readonly [key: keyof Score, label: string][] = [
  ['ndcg', 'NDCG@10'],
  ['reciprocalRank', 'MRR'],
  ['success1', 'success@1'],
  ['success3', 'success@3'],
  ['zeroResults', 'nothing found'],
]

export const formatMetricsByClass = (title: string, { answers }: Evaluation): string => {
  const classes = [...Map.groupBy(answers, ({ query }) => query.class)]
  const rows = classes.map(([name, own]) => [name, String(own.length), ...toMetrics(own)])
  return table(title, ['class', 'queries', ...METRICS.map(([, label]) => label)], rows)
}

export const formatTotals = (title: string, evaluations: readonly Evaluation[]): string =>
  table(
    title,
    ['engine', ...METRICS.map(([, label]) => label), 'NDCG@10, dev', 'NDCG@10, held-out', 'p50 ms', 'p95 ms'],
    evaluations.map(({ name, answers }) => {
      const times = answers.map(({ ms }) => ms)
      const ofSet = (set: Query['set']) => fixed(meanNdcg(answers.filter(({ query }) => query.set === set)))
      return [name, ...toMetrics(answers), ofSet('dev'), ofSet('held-out'), percentile(times, 0.5), percentile(times, 0.95)]
    }),
  )

const toMetrics = (answers: readonly Answer[]): string[] => {
  const scores = answers.map((answer) => answer.score)
  return METRICS.map(([key]) => fixed(mean(scores, key)))
}

const fixed = (value: number): string => value.toFixed(3)

/** The worst queries of the dev set first, with what came back and what was expected: looking at the held-out set would be tuning on it. */
export const formatFailures = (catalog: Catalog, { answers }: Evaluation): string => {
  const names = new Map<string, string>([
    ...catalog.tables.map(({ id, path }) => [id, path] as const),
    ...catalog.dashboards.map(({ title }) => [toResourceId('dashboard', title), `dashboard ${title}`] as const),
    ...catalog.documents.map(({ title }) => [toResourceId('document', title), `document ${title}`] as const),
    ...catalog.terms.map(({ title }) => [toResourceId('glossary', title), `glossary ${title}`] as const),
  ])
  const nameOf = (id: string) => names.get(id) ?? `other ${id}`
  return answers
    .filter(({ query, score: { ndcg } }) => query.set === 'dev' && ndcg < 0.8)
    .toSorted((a, b) => a.score.ndcg - b.score.ndcg)
    .map(({ query, judgments, results, score: { ndcg } }) => {
      const best = [...judgments].sort(([, a], [, b]) => b - a).slice(0, 5)
      return [
        `${ndcg.toFixed(2)}  ${query.class}: ${query.q}`,
        ...results.slice(0, 5).map((id) => `      got      ${judgments.get(id) ?? 0}  ${nameOf(id)}`),
        ...best.map(([id, grade]) => `      expected ${grade}  ${nameOf(id)}`),
      ].join('\n')
    })
    .join('\n')
}
