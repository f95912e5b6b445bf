// The automatic thresholds against the shared benchmark.
//   node bench/thresholds.ts [--seeds 10] [--sensitivity 5]   our method and others, in one table
//   node bench/thresholds.ts --steps [--seeds 10]             false alarms at each sensitivity: the table in docs/monitors.md
//   node bench/thresholds.ts --serve                          serves the benchmark's JSON lines on stdin and stdout
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { createThresholds, THRESHOLDS_VERSION, type Thresholds } from '../src/observability/thresholds/thresholds.ts'
import { type Family, HELD_OUT } from './thresholds-families.ts'

type SeriesSettings = { readonly metric_type: string; readonly frequency: number; readonly sensitivity?: number }
type DriverMessage =
  | ({ readonly op: 'open'; readonly series_id: string } & SeriesSettings)
  | { readonly op: 'predict'; readonly series_id: string; readonly t: number }
  | { readonly op: 'observe'; readonly series_id: string; readonly t: number; readonly value: number }
  | { readonly op: 'close'; readonly series_id: string }

const toDate = (t: number) => new Date(t * 1000)

const createSeriesThresholds = ({ metric_type, frequency, sensitivity }: SeriesSettings): Thresholds =>
  createThresholds({ metric_type, frequency_hours: frequency, sensitivity })

/** Responds line by line. Responses to one burst are written together, because the driver requests all series at once. */
const serveDriverMessages = async (): Promise<void> => {
  const series = new Map<string, Thresholds>()
  let responses: string[] = []
  const flush = () => {
    if (responses.length) process.stdout.write(`${responses.join('\n')}\n`)
    responses = []
  }
  for await (const line of createInterface({ input: process.stdin })) {
    if (!line.trim()) continue
    const message = JSON.parse(line) as DriverMessage // lines of the benchmark driver
    if (message.op === 'open') series.set(message.series_id, createSeriesThresholds(message))
    else if (message.op === 'observe') series.get(message.series_id)?.observe(toDate(message.t), message.value)
    else if (message.op === 'close') series.delete(message.series_id)
    else {
      const limits = series.get(message.series_id)?.predict(toDate(message.t))
      responses.push(
        JSON.stringify({ series_id: message.series_id, t: message.t, lower: limits?.lower ?? null, upper: limits?.upper ?? null }),
      )
      setImmediate(flush)
    }
  }
  flush()
}

type Predictor = {
  create: (meta: SeriesSettings) => {
    predict: (t: number) => { lower: number; upper: number } | null | undefined
    observe: (t: number, value: number) => void
  }
}
type Summary = { score: number; f1: number; recall: number; precision: number; faPerMonth: number; width: number; usableDays: number }

const ours: Predictor = {
  create: (meta) => {
    const thresholds = createSeriesThresholds(meta)
    return { predict: (t) => thresholds.predict(toDate(t)), observe: (t, value) => thresholds.observe(toDate(t), value) }
  },
}

const PEERS = ['prototype', 'peers/holtwinters', 'peers/rollingz', 'peers/elementary', 'peers/aci', 'peers/madz']

const compare = async (folder: string, seeds: number, sensitivity: number): Promise<void> => {
  const load = (name: string) => import(pathToFileURL(resolve(folder, `${name}.mjs`)).href)
  const { makeTrack } = await load('lib/gen')
  const { scoreSeries, summarize } = await load('lib/score')
  const { driveInProcess } = await load('lib/drive')
  const series: object[] = makeTrack('public', { seeds })
  console.log(`${'method'.padEnd(14)} score     F1  prec.  recall  false/month  width  usable   µs/point`)
  for (const name of ['ours', ...PEERS]) {
    const predictor: Predictor = name === 'ours' ? ours : await load(name)
    const { bands, usPerPoint } = await driveInProcess(predictor, series, { sensitivity })
    const sum: Summary = summarize(series.map((one, k) => scoreSeries(one, bands[k])))
    const cells = [
      name.replace('peers/', '').padEnd(14),
      sum.score.toFixed(1).padStart(5),
      sum.f1.toFixed(3).padStart(6),
      sum.precision.toFixed(3).padStart(6),
      sum.recall.toFixed(3).padStart(7),
      sum.faPerMonth.toFixed(2).padStart(12),
      sum.width.toFixed(2).padStart(6),
      `${sum.usableDays.toFixed(1)} d`.padStart(7),
      usPerPoint.toFixed(0).padStart(10),
    ]
    console.log(cells.join(' '))
  }
}

type Series = SeriesSettings & {
  id: string
  family: string
  points: { t: number; value: number }[]
  incidents: object[]
  oracle: object[] | null
}
type Scored = { family: string; fa: number; months: number; det: number; tot: number }

const SENSITIVITIES = Array.from({ length: 10 }, (_, k) => k + 1)
const FIRST_SEED = 5001 // not the seeds the widths were tuned with

/** The same values without incidents: every alarm is a false alarm. */
const withoutIncidents = (family: Family): Family => ({ ...family, incidents: [['none', 0.01, 0.01, () => 0]], staleSpan: true })

/** False alarms per monitor and month at each sensitivity, averaged over families with equal weight. */
const steps = async (folder: string, seeds: number): Promise<void> => {
  const load = (name: string) => import(pathToFileURL(resolve(folder, `${name}.mjs`)).href)
  const { makeSeries, PUBLIC } = await load('lib/gen')
  const { scoreSeries } = await load('lib/score')
  const kinds: [name: string, families: Readonly<Record<string, Family>>, clean: boolean][] = [
    ['given', PUBLIC, false],
    ['given-clean', PUBLIC, true],
    ['held-out', HELD_OUT, false],
    ['held-out-clean', HELD_OUT, true],
  ]
  const scored = kinds.map(([track, families, is_clean]) => {
    const by_step: Scored[][] = SENSITIVITIES.map(() => [])
    const used = is_clean
      ? Object.fromEntries(Object.entries(families).map(([name, family]) => [name, withoutIncidents(family)]))
      : families
    for (const name of Object.keys(used))
      for (let seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
        const one: Series = { ...makeSeries(track, used, name, seed), oracle: null, ...(is_clean && { incidents: [] }) }
        for (const [k, bands] of bandsOf(one).entries()) by_step[k]!.push(scoreSeries(one, bands))
      }
    return by_step
  })
  const series = scored.map(([first]) => first!.length)
  const months = scored.map(([first]) => sum(first!.map((each) => each.months)))
  console.log(`Thresholds version ${THRESHOLDS_VERSION}; ${sum(series)} series, ${Math.round(sum(months))} months.\n`)
  console.log(
    '| sensitivity | false alarms per monitor and month | times the step below | with incidents: given, held-out | without: given, held-out | incidents found: given, held-out |',
  )
  console.log('|---|---|---|---|---|---|')
  let below: number | undefined
  for (const [k, sensitivity] of SENSITIVITIES.entries()) {
    const rates = scored.map((by_step) => falseAlarms(by_step[k]!))
    const all = sum(rates) / rates.length
    const found = [scored[0]!, scored[2]!].map((by_step) => `${(100 * recall(by_step[k]!)).toFixed(0)} %`)
    const [given, given_clean, held, held_clean] = rates.map(formatFigure)
    const times = below === undefined ? '' : (all / below).toFixed(1)
    console.log(
      `| ${sensitivity} | ${formatFigure(all)} | ${times} | ${given}, ${held} | ${given_clean}, ${held_clean} | ${found.join(', ')} |`,
    )
    below = all
  }
}

/** The trained model does not depend on the sensitivity, so one monitor gives the limits for all of them. */
const bandsOf = (one: Series) => {
  const thresholds = createSeriesThresholds(one)
  const bands = SENSITIVITIES.map(() => [] as ({ lower: number; upper: number } | null)[])
  for (const { t, value } of one.points) {
    for (const [k, sensitivity] of SENSITIVITIES.entries()) bands[k]!.push(thresholds.predict(toDate(t), { sensitivity }) ?? null)
    thresholds.observe(toDate(t), value)
  }
  return bands
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
const formatFigure = (x: number): string => Number(x.toPrecision(2)).toString()
const overFamilies = (scored: readonly Scored[], of: (some: readonly Scored[]) => number): number => {
  const families = [...Map.groupBy(scored, ({ family }) => family).values()]
  return sum(families.map(of)) / families.length
}
const falseAlarms = (scored: readonly Scored[]) =>
  overFamilies(scored, (some) => sum(some.map(({ fa }) => fa)) / sum(some.map(({ months }) => months)))
const recall = (scored: readonly Scored[]) =>
  overFamilies(scored, (some) => sum(some.map(({ det }) => det)) / sum(some.map(({ tot }) => tot)))

const { values: args } = parseArgs({
  options: {
    serve: { type: 'boolean' },
    steps: { type: 'boolean' },
    seeds: { type: 'string', default: '10' },
    sensitivity: { type: 'string', default: '5' },
  },
})
const folder = resolve(import.meta.dirname, '../../shared/thresholds')
if (args.serve) await serveDriverMessages()
else if (!existsSync(folder)) console.log(`skipped: the thresholds benchmark is not at ${folder}`)
else if (args.steps) await steps(folder, Number(args.seeds))
else await compare(folder, Number(args.seeds), Number(args.sensitivity))
