import { dialectNames } from '../index.ts'
import { readFixtures } from './fixtures.ts'

/** A small deterministic random number generator. */
const createRandom = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const SNIPPETS = [
  '(',
  ')',
  '((',
  ',',
  ';',
  '.',
  '*',
  "'",
  '"',
  '`',
  '[',
  ']',
  '{',
  '}',
  '$$',
  '/*',
  '--\n',
  '::',
  '->',
  '=>',
  '|>',
  '@',
  '#',
  ':x',
  '?',
  '\\',
  '\0',
  '\u{1f600}',
]
const WORDS =
  'select from where with as recursive union all except join on using left lateral group by order having qualify window over partition insert into values merge when matched then update set delete create table view if exists case end begin declare pivot unpivot for in null and not between interval cast extract array struct table'.split(
    ' ',
  )

/** The fixtures, broken in ways that typing, a network or a template may break them. */
export const mutations = (seed: number): (() => { sql: string; dialect: string }) => {
  const texts = readFixtures().map(({ sql }) => sql)
  const pick = createRandom(seed)
  const one = <Value>(list: readonly Value[]): Value => list[pick(list.length)]!
  const mutate = (sql: string): string => {
    const at = pick(sql.length + 1)
    const length = pick(12)
    switch (pick(9)) {
      case 0:
        return sql.slice(0, at) + sql.slice(at + length)
      case 1:
        return sql.slice(0, at)
      case 2:
        return sql.slice(at)
      case 3:
        return sql.slice(0, at) + one(SNIPPETS) + sql.slice(at)
      case 4:
        return `${sql.slice(0, at)} ${one(WORDS)} ${sql.slice(at)}`
      case 5:
        return sql.slice(0, at) + sql.slice(at, at + length).repeat(1 + pick(5)) + sql.slice(at + length)
      case 6: {
        const other = one(texts)
        return sql.slice(0, at) + other.slice(pick(other.length + 1))
      }
      case 7: {
        const words = sql.split(' ')
        const [i, j] = [pick(words.length), pick(words.length)]
        ;[words[i], words[j]] = [words[j]!, words[i]!]
        return words.join(' ')
      }
      default:
        return sql.slice(0, at) + String.fromCharCode(pick(128)) + sql.slice(at + 1)
    }
  }
  return () => {
    let sql = one(texts)
    for (let n = pick(4); n >= 0; n--) sql = mutate(sql)
    return { sql, dialect: one(dialectNames) }
  }
}
