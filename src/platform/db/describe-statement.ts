const MAX_TEXT_LENGTH = 4_000 // characters
const LITERALS = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"/g
const TOKEN = /[a-z_][\w.]*|"[^"]*"(?:\."[^"]*")?|[()]/gi
const VERBS = ['select', 'insert', 'update', 'delete', 'merge']

export interface DescribedStatement {
  /** What it does to which table, e.g. `SELECT resources`. */
  readonly summary: string
  /** Its text without comments and literals. */
  readonly text: string
}

export const describeStatement = (sql: string): DescribedStatement => {
  const text = sql
    .replaceAll(LITERALS, (part) => (part.startsWith('"') ? part : part.startsWith("'") ? '?' : ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()
  return { summary: summarize(text), text: text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text }
}

const summarize = (text: string): string => {
  const words = listOuterWords(text)
  const start = words[0]?.toLowerCase() === 'with' ? words.findIndex((word) => VERBS.includes(word.toLowerCase())) : 0
  const [verb = 'unknown', ...rest] = words.slice(Math.max(0, start))
  const target = findTarget(verb.toLowerCase(), rest)
  return target ? `${verb.toUpperCase()} ${target.replaceAll('"', '')}` : verb.toUpperCase()
}

/** Words outside of parentheses; `(` stands for what is inside them. */
const listOuterWords = (text: string): string[] => {
  const words: string[] = []
  let depth = 0
  for (const [token] of text.matchAll(TOKEN)) {
    if (depth === 0 && token !== ')') words.push(token)
    if (token === '(') depth += 1
    if (token === ')') depth = Math.max(0, depth - 1)
  }
  return words
}

const BEFORE_TARGET: Readonly<Record<string, string>> = { select: 'from', insert: 'into', delete: 'from', merge: 'into' }

const findTarget = (verb: string, words: readonly string[]): string | undefined => {
  const before = BEFORE_TARGET[verb]
  if (verb !== 'update' && before === undefined) return undefined
  const at = verb === 'update' ? 0 : words.findIndex((word) => word.toLowerCase() === before) + 1
  if (at === 0 && verb !== 'update') return undefined
  const target = words[at]?.toLowerCase() === 'only' ? words[at + 1] : words[at]
  return target === '(' ? undefined : target
}
