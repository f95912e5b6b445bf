// The automatic thresholds against the shared benchmark.
//   node bench/thresholds.ts [--seeds 10] [--sensitivity 5]   ours and the peers' methods, one table
//   node bench/thresholds.ts --serve                          answers the benchmark's JSON lines on stdin and stdout
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { createThresholds, type Thresholds } from '../src/monitors/thresholds.ts'

type Opened = { readonly metric_type: string; readonly frequency: number; readonly sensitivity?: number }
type Asked =
  | ({ readonly op: 'open'; readonly series_id: string } & Opened)
  | { readonly op: 'predict'; readonly series_id: string; readonly t: number }
  | { readonly op: 'observe'; readonly series_id: string; readonly t: number; readonly value: number }
  | { readonly op: 'close'; readonly series_id: string }

const at = (t: number) => new Date(t * 1000)

const open = ({ metric_type, frequency, sensitivity }: Opened): Thresholds =>
  createThresholds({ metric_type, frequency_hours: frequency, sensitivity })

/** Answers line by line. Answers of one burst are written together: the driver asks for all series at once. */
const serve = async (): Promise<void> => {
  const series = new Map<string, Thresholds>()
  let answers: string[] = []
  const flush = () => {
    if (answers.length) process.stdout.write(`${answers.join('\n')}\n`)
    answers = []
  }
  for await (const line of createInterface({ input: process.stdin })) {
    if (!line.trim()) continue
    const asked = JSON.parse(line) as Asked // the driver's own lines
    if (asked.op === 'open') series.set(asked.series_id, open(asked))
    else if (asked.op === 'observe') series.get(asked.series_id)?.observe(at(asked.t), asked.value)
    else if (asked.op === 'close') series.delete(asked.series_id)
    else {
      const limits = series.get(asked.series_id)?.predict(at(asked.t))
      answers.push(JSON.stringify({ series_id: asked.series_id, t: asked.t, lower: limits?.lower ?? null, upper: limits?.upper ?? null }))
      setImmediate(flush)
    }
  }
  flush()
}

type Predictor = {
  create: (meta: Opened) => {
    predict: (t: number) => { lower: number; upper: number } | null | undefined
    observe: (t: number, value: number) => void
  }
}
type Summary = { score: number; f1: number; recall: number; precision: number; faPerMonth: number; width: number; usableDays: number }

const ours: Predictor = {
  create: (meta) => {
    const thresholds = open(meta)
    return { predict: (t) => thresholds.predict(at(t)), observe: (t, value) => thresholds.observe(at(t), value) }
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

const { values: args } = parseArgs({
  options: {
    serve: { type: 'boolean' },
    seeds: { type: 'string', default: '10' },
    sensitivity: { type: 'string', default: '5' },
  },
})
const folder = resolve(import.meta.dirname, '../../shared/thresholds')
if (args.serve) await serve()
else if (!existsSync(folder)) console.log(`skipped: the thresholds benchmark is not at ${folder}`)
else await compare(folder, Number(args.seeds), Number(args.sensitivity))
