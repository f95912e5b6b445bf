import { types } from 'pg'

/** Parsers for values from Postgres: timestamps become the text the API returns (a Date would cost a parse and a format each), counts numbers. */
type Parser = (text: string) => unknown

/** `2026-11-15 08:38:00.12+00` → `2026-11-15T08:38:00.120Z`. Every session runs in UTC. */
const toIso: Parser = (text) => {
  const fraction = text.length > 22 ? text.slice(20, -3).padEnd(3, '0') : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}
const toDate: Parser = (text) => new Date(text)
const keepText: Parser = (text) => text

const TEXT_ARRAY = 1009
const parseTexts = types.getTypeParser(TEXT_ARRAY as 25) as (text: string) => (string | null)[]
const arrayParser =
  (parse: Parser): Parser =>
  (text) =>
    parseTexts(text).map((item) => (item === null ? null : parse(item)))

const SCALARS: readonly (readonly [scalar: number, array: number, parse: Parser])[] = [
  [20, 1016, Number], // bigint: row counts and sizes stay exact up to 2^53, as JSON numbers do
  [1184, 1185, toIso], // timestamptz
  [1082, 1182, toDate], // date
  [1114, 1115, toDate], // timestamp
  [1186, 1187, keepText], // interval
  [1700, 1231, keepText], // numeric
  [19, 1003, keepText], // name
  [28, 1011, keepText], // xid
  [5069, 271, keepText], // xid8
  [18, 1002, keepText], // "char"
  [3220, 3221, keepText], // pg_lsn
  [3769, 3770, keepText], // regdictionary
  [2205, 2210, keepText], // regclass
]

const PARSERS: ReadonlyMap<number, Parser> = new Map(
  SCALARS.flatMap(([scalar, array, parse]): [number, Parser][] => [
    [scalar, parse],
    [array, arrayParser(parse)],
  ]),
)

export const valueParsers = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    PARSERS.get(oid) ?? types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
}
