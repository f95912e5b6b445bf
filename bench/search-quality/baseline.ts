import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { type Evaluation, meanNdcg } from './evaluate.ts'

/** The NDCG@10 that later versions must not fall below, in all and by class. */
export interface Baseline {
  readonly ndcg: number
  readonly classes: Readonly<Record<string, number>>
}

const FILE = new URL('baseline.json', import.meta.url)
const rounded = (value: number): number => Math.round(value * 1000) / 1000

export const readBaseline = (): Baseline => JSON.parse(readFileSync(FILE, 'utf8')) as Baseline

export const toBaseline = ({ answers }: Evaluation): Baseline => ({
  ndcg: rounded(meanNdcg(answers)),
  classes: Object.fromEntries([...Map.groupBy(answers, ({ query }) => query.class)].map(([name, own]) => [name, rounded(meanNdcg(own))])),
})

export const writeBaseline = (evaluation: Evaluation): Promise<void> =>
  writeFile(FILE, `${JSON.stringify(toBaseline(evaluation), undefined, 2)}\n`)
