import { DETECTORS, type Detector, type PiiClass } from './detectors.ts'
import { findNationalIds } from './national-ids.ts'

/** Personal data in a column, detected from its name and values (pure). The evidence contains no values. */
export interface PiiDetection {
  readonly class: PiiClass
  /** From 0 to 1. */
  readonly confidence: number
  readonly evidence: Evidence
}

export interface Evidence {
  /** The matching word in the column name. */
  readonly name: string | null
  /** Number of distinct values checked, and number of them that match. */
  readonly checked: number
  readonly matched: number
  /** Patterns of the matching values: `a…@….de`. */
  readonly shapes: readonly { readonly shape: string; readonly count: number }[]
  /** For national IDs: the matching formats. */
  readonly kinds?: readonly string[]
}

const MIN_MATCH_SHARE = 0.6 // share of values that must match, otherwise they count against it
const MAX_STRAY_SHARE = 0.05
const MAX_SHAPES = 3

/** `customerEMail_2` → `customer e mail 2`. */
export const splitIdentifier = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9ß]+/g, ' ')
    .trim()

/** The most likely kind of personal data in a column, if any. Empty and repeated values are ignored. */
export const detectPii = (name: string, values: readonly string[]): PiiDetection | undefined => {
  const words = splitIdentifier(name)
  const distinct = [...new Set(values.map((value) => value.trim()).filter((value) => value !== ''))]
  return DETECTORS.flatMap((detector) => runDetector(detector, words, distinct) ?? []).sort((a, b) => b.confidence - a.confidence)[0]
}

/** Detections below this are discarded. */
export const MIN_CONFIDENCE = 0.5

const runDetector = (detector: Detector, words: string, values: readonly string[]): PiiDetection | undefined => {
  const { named, unless, by_name, by_values, matchesValue = () => false, matchesValueWeakly = () => false, shape } = detector
  const found = named.exec(words)?.[0] ?? null
  const name = found && unless?.test(words.replace(found, ' ')) ? null : found
  const strong = values.filter(matchesValue)
  const weak = name ? values.filter((value) => matchesValue(value) || matchesValueWeakly(value)) : strong
  const valueConfidence =
    strong.length / Math.max(1, values.length) >= MIN_MATCH_SHARE ? by_values * computeLowerBound(strong.length, values.length) : 0
  const nameConfidence = name ? by_name * computeNameSupport(weak.length, values.length) : 0
  const confidence = round(1 - (1 - valueConfidence) * (1 - nameConfidence))
  if (confidence < MIN_CONFIDENCE) return undefined
  const matched = strong.length >= weak.length ? strong : weak
  return {
    class: detector.class,
    confidence,
    evidence: {
      name,
      checked: values.length,
      matched: matched.length,
      shapes: countShapes(matched, shape),
      ...findIdKinds(detector, matched),
    },
  }
}

/** How values affect the confidence of a name: without values it stands alone; if they do not match it counts for little. */
const computeNameSupport = (matched: number, checked: number): number => {
  if (checked === 0) return 0.8
  const share = matched / checked
  return share >= MIN_MATCH_SHARE ? 1 + 0.2 * computeLowerBound(matched, checked) : share > MAX_STRAY_SHARE ? 0.5 : 0.2
}

/** Lower bound of the share for a small number of values (Wilson score, 90 %). */
const computeLowerBound = (matched: number, checked: number): number => {
  if (checked === 0) return 0
  const z = 1.28
  const p = matched / checked
  const low =
    (p + (z * z) / (2 * checked) - z * Math.sqrt((p * (1 - p)) / checked + (z * z) / (4 * checked * checked))) / (1 + (z * z) / checked)
  return low
}

const round = (share: number): number => Math.round(Math.min(share, 0.99) * 100) / 100

const countShapes = (values: readonly string[], shape: (value: string) => string): Evidence['shapes'] =>
  [...Map.groupBy(values, shape)]
    .map(([shape, { length }]) => ({ shape, count: length }))
    .sort((a, b) => b.count - a.count || (a.shape < b.shape ? -1 : 1))
    .slice(0, MAX_SHAPES)

const findIdKinds = ({ class: of }: Detector, values: readonly string[]): { kinds?: string[] } => {
  if (of !== 'national_id') return {}
  const kinds = Map.groupBy(
    values.flatMap((value) => findNationalIds(value)),
    ({ country, name }) => `${country} ${name}`,
  )
  const largest = [...kinds].sort((a, b) => b[1].length - a[1].length).filter(([, all]) => all.length >= values.length * MIN_MATCH_SHARE)
  return { kinds: largest.slice(0, 3).map(([kind]) => kind) }
}
