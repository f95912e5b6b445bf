/** A column used in a condition. */
export interface ConditionColumn {
  readonly id: string
  readonly title: string
  readonly table: string
}

export interface ColumnPairIds {
  readonly one: ConditionColumn
  readonly other: ConditionColumn
}

const NAME = '(?:[\\p{L}_][\\p{L}\\p{N}_$]*|"[^"]+"|`[^`]+`|\\[[^\\]]+\\])'
const PATH = `${NAME}(?:\\.${NAME})*`
const EQUALITY = new RegExp(`(?<![\\p{L}\\p{N}_$.])(${PATH})\\s*={1,2}\\s*(${PATH})(?![\\p{L}\\p{N}_$.(])`, 'gu')
const USING = new RegExp(`^\\(\\s*(${NAME}(?:\\s*,\\s*${NAME})*)\\s*\\)$`, 'u')

/**
 * The pairs of columns of two tables that a condition compares: `a.id = b.a_id`, or the columns of `using (id)`. Only the names are compared
 * with the columns that the SQL engine found in the condition, so a pair that could be more than one is left out. Pure.
 */
export const parseJoinedColumns = (text: string, columns: readonly ConditionColumn[]): ColumnPairIds[] => {
  const using = USING.exec(text.trim())?.[1]
  const names = using
    ? using.split(',').map((name) => [toName(name), toName(name)] as const)
    : [...text.matchAll(EQUALITY)].map(([, one, other]) => [toName(one!), toName(other!)] as const)
  return names.flatMap(([one, other]) => {
    const pairs = new Map<string, ColumnPairIds>()
    for (const a of columns)
      for (const b of columns)
        if (a.table !== b.table && a.title.toLowerCase() === one && b.title.toLowerCase() === other) {
          const [first, second] = a.table < b.table ? [a, b] : [b, a]
          pairs.set(`${first.id} ${second.id}`, { one: first, other: second })
        }
    return pairs.size === 1 ? [...pairs.values()] : []
  })
}

/** The last part of a path, without quotes. */
const toName = (path: string): string =>
  path
    .trim()
    .match(new RegExp(`${NAME}$`, 'u'))![0]
    .replace(/^["`[](.*)["`\]]$/s, '$1')
    .toLowerCase()
