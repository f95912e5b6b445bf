import { DETECTORS, type Detector, type PiiClass } from './detectors.ts'
import { nationalIdsOf } from './national-ids.ts'

/** What in a column may be personal: by its name and by values of it. Pure. What it found comes with evidence that holds no value. */
export interface Suspicion {
  readonly class: PiiClass
  /** From 0 to 1: how sure. */
  readonly confidence: number
  readonly evidence: Evidence
}

export interface Evidence {
  /** The word in the column's name that says so. */
  readonly name: string | null
  /** How many different values were looked at, and how many of them look like it. */
  readonly checked: number
  readonly matched: number
  /** What those look like, without what they are: `a…@….de`. */
  readonly shapes: readonly { readonly shape: string; readonly count: number }[]
  /** Of numbers that states give to people: which. */
  readonly kinds?: readonly string[]
}

const ENOUGH = 0.6 // of the values must look like it, else they speak against it
const FEW = 0.05
const MOST_SHAPES = 3

/** `customerEMail_2` → `customer e mail 2`. */
export const wordsOfName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9ß]+/g, ' ')
    .trim()

/** What a column most likely holds, when anything. Values are texts, as many as were read; empty ones and repeated ones do not count. */
export const suspect = (name: string, values: readonly string[]): Suspicion | undefined => {
  const words = wordsOfName(name)
  const distinct = [...new Set(values.map((value) => value.trim()).filter((value) => value !== ''))]
  return DETECTORS.flatMap((detector) => judge(detector, words, distinct) ?? []).sort((a, b) => b.confidence - a.confidence)[0]
}

/** Less than this is not worth anybody's time. */
export const LEAST_CONFIDENCE = 0.5

const judge = (detector: Detector, words: string, values: readonly string[]): Suspicion | undefined => {
  const { named, unless, by_name, by_values, looks = () => false, looks_weakly = () => false, shape } = detector
  const found = named.exec(words)?.[0] ?? null
  const name = found && unless?.test(words.replace(found, ' ')) ? null : found
  const strong = values.filter(looks)
  const weak = name ? values.filter((value) => looks(value) || looks_weakly(value)) : strong
  const sure = strong.length / Math.max(1, values.length) >= ENOUGH ? by_values * lowest(strong.length, values.length) : 0
  const said = name ? by_name * supportOf(weak.length, values.length) : 0
  const confidence = round(1 - (1 - sure) * (1 - said))
  if (confidence < LEAST_CONFIDENCE) return undefined
  const matched = strong.length >= weak.length ? strong : weak
  return {
    class: detector.class,
    confidence,
    evidence: { name, checked: values.length, matched: matched.length, shapes: shapesOf(matched, shape), ...kindsOf(detector, matched) },
  }
}

/** What values make of what a name says: without any it stands alone; where they look otherwise it counts for little. */
const supportOf = (matched: number, checked: number): number => {
  if (checked === 0) return 0.8
  const share = matched / checked
  return share >= ENOUGH ? 1 + 0.2 * lowest(matched, checked) : share > FEW ? 0.5 : 0.2
}

/** The share that is at least there, however few values were looked at (Wilson, 90 %). */
const lowest = (matched: number, checked: number): number => {
  if (checked === 0) return 0
  const z = 1.28
  const p = matched / checked
  const low =
    (p + (z * z) / (2 * checked) - z * Math.sqrt((p * (1 - p)) / checked + (z * z) / (4 * checked * checked))) / (1 + (z * z) / checked)
  return low
}

const round = (share: number): number => Math.round(Math.min(share, 0.99) * 100) / 100

const shapesOf = (values: readonly string[], shape: (value: string) => string): Evidence['shapes'] =>
  [...Map.groupBy(values, shape)]
    .map(([shape, { length }]) => ({ shape, count: length }))
    .sort((a, b) => b.count - a.count || (a.shape < b.shape ? -1 : 1))
    .slice(0, MOST_SHAPES)

const kindsOf = ({ class: of }: Detector, values: readonly string[]): { kinds?: string[] } => {
  if (of !== 'national_id') return {}
  const kinds = Map.groupBy(
    values.flatMap((value) => nationalIdsOf(value)),
    ({ country, name }) => `${country} ${name}`,
  )
  const most = [...kinds].sort((a, b) => b[1].length - a[1].length).filter(([, all]) => all.length >= values.length * ENOUGH)
  return { kinds: most.slice(0, 3).map(([kind]) => kind) }
}
