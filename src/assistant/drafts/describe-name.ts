/**
 * What a name says, as a sentence; undefined where a sentence would only repeat the name. English names only. Pure.
 */
const UNITS: Readonly<Record<string, string>> = {
  usd: 'US dollars',
  eur: 'euros',
  gbp: 'pounds sterling',
  cents: 'cents',
  ms: 'milliseconds',
  secs: 'seconds',
  seconds: 'seconds',
  minutes: 'minutes',
  mins: 'minutes',
  hours: 'hours',
  days: 'days',
  weeks: 'weeks',
  months: 'months',
  years: 'years',
  bytes: 'bytes',
  kb: 'kilobytes',
  mb: 'megabytes',
  gb: 'gigabytes',
  kg: 'kilograms',
  km: 'kilometers',
  pct: 'percent',
  percent: 'percent',
}
/** Verbs of `…_at` and `…_on`. */
const PARTICIPLES = new Set(
  'created updated modified changed deleted removed archived published started finished ended completed closed opened paid shipped delivered returned refunded cancelled canceled placed ordered sent received opened signed registered activated deactivated expired renewed approved rejected verified synced loaded ingested processed invited joined submitted reviewed resolved assigned scheduled booked issued visited viewed clicked'.split(
    ' ',
  ),
)
const VERBS_OF_FLAGS = new Set(['is', 'has', 'was', 'can', 'should'])
const COUNTS = new Set(['count', 'cnt', 'num', 'qty'])
const WORD = /^[a-z]{3,}$/

/** `createdAt`, `CREATED_AT` and `created at` are the same words. */
const splitName = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)

const areWords = (words: readonly string[]): boolean => words.length > 0 && words.every((word) => WORD.test(word))
const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const toPlural = (words: readonly string[]): string => {
  const text = words.join(' ')
  if (/(?:s|x|z|ch|sh)$/.test(text)) return text.endsWith('s') ? text : `${text}es`
  return /[^aeiou]y$/.test(text) ? `${text.slice(0, -1)}ies` : `${text}s`
}
const toSingular = (word: string): string => {
  if (/(?:ss|us|is)$/.test(word) || !word.endsWith('s')) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return /(?:ch|sh|x|z|ss)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}

const LAYERS = new Set(['dim', 'fct', 'fact', 'stg', 'int', 'raw', 'src', 'mart', 'base'])

/** What one row of a table is about: `fct_orders` → `order`. */
const findSubject = (table: string): string | undefined => {
  const words = splitName(table).filter((word) => !LAYERS.has(word))
  if (words.length !== 1 || !WORD.test(words[0]!)) return undefined
  return toSingular(words[0]!)
}

export const describeColumnName = (name: string, table: string): string | undefined => {
  const words = splitName(name)
  const [first = '', ...rest] = words
  const last = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const subject = findSubject(table)
  if (words.length < 2) return undefined
  if (last === 'id' && areWords(before)) return `ID of the ${before.join(' ')}.`
  if (words.length === 2 && (last === 'at' || last === 'on') && PARTICIPLES.has(first))
    return subject ? `When the ${subject} was ${first}.` : `When it was ${first}.`
  if (last === 'by' && words.length === 2 && PARTICIPLES.has(first)) return subject ? `Who ${first} the ${subject}.` : undefined
  if (VERBS_OF_FLAGS.has(first) && areWords(rest)) {
    const article = first !== 'has' || rest.at(-1)!.endsWith('s') ? '' : /^[aeiou]/.test(rest[0]!) ? 'an ' : 'a '
    return `Whether ${subject ? `the ${subject}` : 'it'} ${first} ${article}${rest.join(' ')}.`
  }
  if (COUNTS.has(last) && areWords(before)) return `Number of ${toPlural(before)}.`
  const counted = rest[0] === 'of' ? rest.slice(1) : rest
  if ((first === 'num' || first === 'count') && areWords(counted)) return `Number of ${toPlural(counted)}.`
  const unit = UNITS[last]
  if (unit && areWords(before)) return `${capitalize(before.join(' '))} in ${unit}.`
  return undefined
}

const KINDS: Readonly<Record<string, string>> = {
  dim: 'Dimension',
  fct: 'Facts',
  fact: 'Facts',
  stg: 'Staging data',
  raw: 'Raw data',
}
const PERIODS: Readonly<Record<string, string>> = { hourly: 'hour', daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year' }
const STATES: Readonly<Record<string, string>> = {
  history: 'History',
  hist: 'History',
  snapshot: 'Snapshots',
  snapshots: 'Snapshots',
  archive: 'Archive',
  backup: 'Backup',
}

export const describeTableName = (name: string): string | undefined => {
  const words = splitName(name)
  const [first = '', ...rest] = words
  const last = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  if (words.length < 2) return undefined
  if (PERIODS[last]) {
    const subject = before.filter((word) => !LAYERS.has(word))
    return areWords(subject) ? `${capitalize(subject.join(' '))} by ${PERIODS[last]}.` : undefined
  }
  if (STATES[last] && areWords(before)) return `${STATES[last]} of ${before.join(' ')}.`
  if (KINDS[first] && areWords(rest)) return `${KINDS[first]} of ${rest.join(' ')}.`
  return undefined
}
