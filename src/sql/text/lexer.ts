import { matchBrackets } from './brackets.ts'
import { isBlank, isDigit, isNamePart, isNameStart } from './characters.ts'
import { findCommandEnd, getCommands, MYSQL_SENDS, matchesAt, PSQL_COPY, PSQL_SENDS } from './commands.ts'
import type { Dialect } from './dialects.ts'
import { PREFIXES } from './keywords.ts'
import { templateNames } from './templates.ts'
import { type Token, type TokenKind, Tokens } from './tokens.ts'

/** A bracket, string or comment that is not closed or not opened. Lexing continues. */
export interface UnclosedToken {
  readonly what: 'string' | 'quoted name' | 'comment' | 'bracket'
  readonly at: number
}

const OPERATORS = new Set([
  '::',
  '->',
  '=>',
  ':=',
  '||',
  '<=',
  '>=',
  '<>',
  '!=',
  '|>',
  '..',
  '@>',
  '<@',
  '#>',
  '?|',
  '?&',
  '->>',
  '|>>',
  '|&>',
  '#>>',
  '!~*',
  '<=>',
  '==',
  '**',
])
const STRING_PREFIX = /^(?:n|e|b|x|r|br|rb|u&|f|q|nq|_[a-z0-9]+)$/i
const NUMBER_SUFFIX = /^(?:l|s|y|d|f|bd|ul)$/i
const DOLLAR = 36
const NEWLINE = 10
/** Each comment that turns out not to nest was read to the end of the text: after this many, nesting is disabled for the text. */
const MAX_UNNESTED_COMMENTS = 16
/** After one of these a word is a word; after any other character it may be the prefix of a string. */
const FOLLOWS_WORD = new Uint8Array(128)
for (const char of ' \n\t\r.,()=;<>+-*/:') FOLLOWS_WORD[char.charCodeAt(0)] = 1
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}', '<': '>' }

/**
 * Splits a text, or a part of it, into tokens. One pass, no backtracking; positions refer to the whole text.
 * In a script the commands of the dialect's client are skipped: each ends with its line.
 */
export const lex = (
  sql: string,
  dialect: Dialect,
  from = 0,
  to = sql.length,
  { script = false }: { readonly script?: boolean } = {},
): { tokens: Tokens; loose: UnclosedToken[] } => {
  const list: Token[] = []
  const loose: UnclosedToken[] = []
  const extra = dialect.nameChars
  let i = from

  const push = (kind: TokenKind, text: string, start: number, end: number): void => {
    list.push({ kind, text, word: '', op: kind === 'op' ? text : '', start, end, match: -1, query: false })
    i = end
  }
  /** Texts repeat the same few words, so each is converted to upper case once. */
  const upper = new Map<string, string>()
  const pushWord = (start: number, end: number): void => {
    const text = sql.slice(start, end)
    let word = upper.get(text)
    if (word === undefined) {
      word = text.toUpperCase()
      upper.set(text, word)
    }
    list.push({ kind: 'word', text, word, op: '', start, end, match: -1, query: false })
    i = end
  }
  const afterOperand = (): boolean => {
    const last = list.at(-1)
    return last !== undefined && (last.kind === 'op' ? last.op === ')' || last.op === ']' : !PREFIXES.has(last.word))
  }
  /** The index of `text` from `start`, or the end of the part. */
  const seek = (text: string, start: number, what: UnclosedToken['what'], opened: number): number => {
    const at = sql.indexOf(text, start)
    if (at >= 0 && at + text.length <= to) return at
    loose.push({ what, at: opened })
    return to
  }
  const indexOr = (text: string, start: number): number => {
    const at = sql.indexOf(text, start)
    return at < 0 ? Number.POSITIVE_INFINITY : at
  }
  const skipLine = (): void => {
    const at = sql.indexOf('\n', i)
    i = at < 0 || at > to ? to : at
  }
  let unnested = 0
  const skipComment = (): void => {
    const opened = i
    if (!dialect.nestedComments || unnested >= MAX_UNNESTED_COMMENTS) {
      i = Math.min(to, seek('*/', i + 2, 'comment', opened) + 2)
      return
    }
    let depth = 1
    i += 2
    let close = -1
    let open = -1
    while (i < to && depth > 0) {
      // Searched again only once passed: each search may scan to the end of the text.
      if (close < i) close = indexOr('*/', i)
      if (close >= to) break
      if (open < i) open = indexOr('/*', i)
      if (open < close) {
        depth++
        i = open + 2
      } else {
        depth--
        i = close + 2
      }
    }
    if (depth === 0) return
    // An opening sign inside a plain comment is more common than an unclosed comment: then it did not nest.
    unnested += 1
    i = Math.min(to, seek('*/', opened + 2, 'comment', opened) + 2)
  }
  /** A string or quoted name whose opening quote is at `quote`; a doubled quote is part of it. */
  const readQuoted = (kind: 'string' | 'quoted', start: number, quote: number, backslash: boolean): void => {
    const open = sql[quote]!
    const close = open === '[' ? ']' : open
    if (dialect.tripleQuotes && kind === 'string' && sql.startsWith(open + open + open, quote)) {
      const end = seek(open + open + open, quote + 3, 'string', start)
      push(kind, sql.slice(quote + 3, end), start, Math.min(to, end + 3))
      return
    }
    let at = quote + 1
    let doubled = false
    for (; at < to; at++) {
      const char = sql[at]
      if (backslash && char === '\\') at++
      else if (char === close) {
        if (sql[at + 1] !== close || at + 1 >= to) break
        doubled = true
        at++
      }
    }
    if (at >= to) loose.push({ what: kind === 'string' ? 'string' : 'quoted name', at: start })
    const text = sql.slice(quote + 1, Math.min(at, to))
    push(kind, doubled ? text.replaceAll(close + close, close) : text, start, Math.min(at + 1, to))
  }
  const readWord = (): void => {
    const start = i
    let end = i + 1
    while (end < to) {
      const code = sql.charCodeAt(end)
      // END$$: the delimiter of a script, not part of a name.
      if (code === DOLLAR && sql.charCodeAt(end + 1) === DOLLAR) break
      if (!isNamePart(code) && !(extra !== '' && extra.includes(sql[end]!))) break
      end++
    }
    if (end >= to || FOLLOWS_WORD[sql.charCodeAt(end)] === 1) {
      pushWord(start, end)
      return
    }
    const unicode = sql[end] === '&' && end === start + 1 && (sql[start] === 'u' || sql[start] === 'U')
    const quote = unicode ? end + 1 : end
    const opens = quote < to ? sql[quote]! : ''
    if (dialect.strings.includes(opens) && opens !== '' && STRING_PREFIX.test(sql.slice(start, quote))) {
      const prefix = sql[start]!.toLowerCase()
      if (dialect.delimitedStrings && /q$/i.test(sql.slice(start, quote))) {
        const mark = sql[quote + 1] ?? ''
        const at = seek(`${CLOSING[mark] ?? mark}'`, quote + 2, 'string', start)
        push('string', sql.slice(quote + 2, at), start, Math.min(to, at + 2))
      } else readQuoted('string', start, quote, dialect.backslash || prefix === 'e')
      return
    }
    if (unicode && opens === '"') {
      readQuoted('quoted', start, quote, false)
      const last = list.pop()!
      list.push({ ...last, text: unescapeUnicode(last.text) })
    } else pushWord(start, end)
  }
  const readNumber = (): void => {
    const start = i
    const match = /0[xX][0-9a-fA-F]*|0[bB][01]+|\d[\d_]*(?:\.(?!\.)[\d_]*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?/y
    match.lastIndex = i
    let end = Math.min(to, start + (match.exec(sql)?.[0].length ?? 1))
    const tail = end
    while (end < to && isNamePart(sql.charCodeAt(end))) end++
    if (end === tail || NUMBER_SUFFIX.test(sql.slice(tail, end))) push('number', sql.slice(start, end), start, end)
    else pushWord(start, end)
  }
  const readTemplate = (): void => {
    const start = i
    const kind = sql[i + 1]
    const end = Math.min(to, seek(kind === '{' ? '}}' : `${kind}}`, i + 2, 'bracket', start) + 2)
    if (kind !== '{') {
      i = end
      return
    }
    const names = templateNames(sql.slice(start, end))
    if (names.length === 0) i = end
    names.forEach((name, n) => {
      if (n > 0) push('op', '.', end, end)
      push('quoted', name, start, end)
    })
  }
  /** `$$text$$`, `$tag$text$tag$`, `$1`, `$name`, `${name}`. */
  const readDollar = (): void => {
    const start = i
    const tag = /\$(?:[A-Za-z_]\w*)?\$/y
    tag.lastIndex = i
    const mark = dialect.dollarQuotes ? tag.exec(sql)?.[0] : undefined
    if (mark !== undefined) {
      const end = seek(mark, i + mark.length, 'string', start)
      push('string', sql.slice(i + mark.length, end), start, Math.min(to, end + mark.length))
    } else if (sql[i + 1] === '{') {
      const end = Math.min(to, seek('}', i, 'bracket', start) + 1)
      push('quoted', sql.slice(start, end), start, end)
    } else {
      let end = i + 1
      while (end < to && isNamePart(sql.charCodeAt(end))) end++
      push('param', sql.slice(start, end), start, end)
    }
  }
  const readParam = (length: number): void => {
    let end = i + length
    while (end < to && isNamePart(sql.charCodeAt(end))) end++
    push('param', sql.slice(i, end), i, end)
  }
  const readOperator = (): void => {
    const three = sql.slice(i, Math.min(to, i + 3))
    const two = three.slice(0, 2)
    const operator = OPERATORS.has(three) ? three : OPERATORS.has(two) ? two : three[0]!
    push('op', operator, i, i + operator.length)
  }

  const client = script ? dialect.client : 'none'
  const commands = getCommands(client)
  /** The next token is the first of its line. */
  let fresh = true
  /** The number of tokens when the last command ended: equal to the current number while no statement has started. */
  let commanded = 0
  /** The end of a command that is parsed as a statement. */
  let lineEnd = -1
  const skipCommand = (): void => {
    i = findCommandEnd(sql, i, to, client)
    commanded = list.length
  }
  const isBetween = (): boolean => {
    const last = list.at(-1)
    if (list.length === commanded || last!.op === ';') return true
    return last!.op === '/' && sql.slice(list.at(-2)?.end ?? from, last!.start).includes('\n')
  }
  /** A command at the beginning of a line. */
  const readCommand = (): boolean => {
    if (!commands || !matchesAt(commands.pattern, sql, i) || (commands.between && !isBetween())) return false
    if (commands.statement && matchesAt(commands.statement, sql, i)) {
      lineEnd = findCommandEnd(sql, i, to, client)
      return false
    }
    skipCommand()
    return true
  }
  /** psql: a backslash outside quotes always starts a command. mysql: `\G` ends a statement. */
  const readBackslash = (): boolean => {
    if (client === 'mysql' && matchesAt(MYSQL_SENDS, sql, i)) push('op', ';', i, i + 2)
    else if (client !== 'psql') return false
    else if (sql[i + 1] === ';') push('op', ';', i, i + 2)
    else if (matchesAt(PSQL_COPY, sql, i)) {
      lineEnd = findCommandEnd(sql, i, to, client)
      i++
    } else {
      if (matchesAt(PSQL_SENDS, sql, i)) push('op', ';', i, i)
      skipCommand()
    }
    return true
  }
  /** psql: the rows after COPY … FROM STDIN, up to a line with `\.`. */
  let noData = false
  const skipData = (): void => {
    let at = list.length - 2
    while (at >= 0 && at > list.length - 40 && list[at]!.word !== 'STDIN' && list[at]!.op !== ';') at--
    if (list[at]?.word !== 'STDIN' || list[at - 1]?.word !== 'FROM') return
    const end = noData ? -1 : sql.indexOf('\n\\.', i)
    if (end >= 0 && end < to) i = Math.min(to, end + 3)
    else noData = true
  }

  while (i < to) {
    if (lineEnd >= 0 && i >= lineEnd) {
      push('op', ';', lineEnd, lineEnd)
      lineEnd = -1
    }
    const code = sql.charCodeAt(i)
    if (isBlank(code)) {
      if (code === NEWLINE) fresh = true
      i++
      continue
    }
    if (fresh) {
      fresh = false
      if (readCommand()) continue
    }
    if (isNameStart(code)) {
      readWord()
      continue
    }
    const char = sql[i]!
    // Half of all operator characters are one of these, and they are never part of a longer operator.
    if (char === ',' || char === '(' || char === ')' || char === ';') {
      push('op', char, i, i + 1)
      if (char === ';' && client === 'psql') skipData()
      continue
    }
    if (char === '\\' && script && readBackslash()) continue
    const next = i + 1 < to ? sql[i + 1]! : ''
    if (isDigit(code)) readNumber()
    else if (char === '-' && next === '-' && (!dialect.spacedDashes || i + 2 >= to || isBlank(sql.charCodeAt(i + 2)))) skipLine()
    else if (char === '/' && next === '*') skipComment()
    else if (char === '/' && next === '/' && dialect.slashComments) skipLine()
    else if (char === '#' && dialect.hashComments) skipLine()
    else if (dialect.strings.includes(char)) readQuoted('string', i, i, dialect.backslash)
    else if (dialect.quotes.includes(char) && !(char === '[' && isSubscript(dialect, list.at(-1), i))) readQuoted('quoted', i, i, false)
    else if (char === '{' && isPlaceholder(sql, i)) push('quoted', sql.slice(i, sql.indexOf('}', i) + 1), i, sql.indexOf('}', i) + 1)
    else if (char === '{' && (next === '{' || next === '%' || next === '#')) readTemplate()
    else if (char === '$') readDollar()
    else if (char === '#' && extra.includes('#') && isNamePart(sql.charCodeAt(i + 1) || 32)) readWord()
    else if (char === '#' && next === '#' && extra.includes('#')) readWord()
    else if (char === '.' && isDigit(next.charCodeAt(0)) && !afterOperand()) readNumber()
    else if (char === ':' && (isNameStart(next.charCodeAt(0) || 32) || isDigit(next.charCodeAt(0))) && !isPathColon(sql, list.at(-1), i))
      readParam(2)
    else if (char === '@' && (next === '@' || isNamePart(next.charCodeAt(0) || 32)) && !touchesName(list.at(-1), i))
      readParam(next === '@' ? 2 : 1)
    else if (char === '&' && dialect.name === 'oracle') readParam(next === '&' ? 2 : 1)
    else if (char === '?' && !afterOperand()) readParam(1)
    else if (char === '%' && next === 's' && !afterOperand()) readParam(2)
    else if (char === '%' && next === '(' && isDriverParam(sql, i)) readParam(sql.indexOf(')', i) - i + 1)
    else readOperator()
  }
  for (const token of matchBrackets(list)) loose.push({ what: 'bracket', at: token.start })
  return { tokens: new Tokens(list), loose }
}

/** `U&"d\0061ta"` is the name `data`. */
const unescapeUnicode = (text: string): string =>
  text.replace(/\\(?:\\|\+([0-9a-fA-F]{6})|([0-9a-fA-F]{4}))/g, (all, six?: string, four?: string) => {
    const code = Number.parseInt(six ?? four ?? '5c', 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : all
  })

const DRIVER_PARAM = /%\(\w+\)s/y

/** Python's %(name)s. */
const isDriverParam = (sql: string, at: number): boolean => {
  DRIVER_PARAM.lastIndex = at
  return DRIVER_PARAM.test(sql)
}

const PLACEHOLDER = /\{[A-Za-z_]\w*\}/y

/** `{schema}.t`, a placeholder that a program replaces. */
const isPlaceholder = (sql: string, at: number): boolean => {
  PLACEHOLDER.lastIndex = at
  return PLACEHOLDER.test(sql)
}

/** Oracle: t@link. */
const touchesName = (last: Token | undefined, at: number): boolean => last?.end === at && (last.kind === 'word' || last.kind === 'quoted')

/** Redshift has both `[name]` and `list[0]`: the second follows its operand without whitespace. */
const isSubscript = (dialect: Dialect, last: Token | undefined, at: number): boolean =>
  dialect.name === 'redshift' && last !== undefined && last.end === at && (last.kind !== 'op' || last.op === ')' || last.op === ']')

/** `a:b` is a path or a slice; ` :b` is a parameter. */
const isPathColon = (sql: string, last: Token | undefined, at: number): boolean =>
  last !== undefined && last.end === at && (last.kind !== 'op' || last.op === ')' || last.op === ']' || sql[at - 1] === ':')
