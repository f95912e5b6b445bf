export type TokenKind = 'word' | 'quoted' | 'string' | 'number' | 'param' | 'op' | 'end'

export interface Token {
  readonly kind: TokenKind
  /** The content: a name or string without its quotes, an operator unchanged. */
  readonly text: string
  /** The text in upper case when it is an unquoted name, else empty. Used to compare keywords. */
  readonly word: string
  /** The text when it is an operator, else empty. */
  readonly op: string
  readonly start: number
  readonly end: number
  /** For a bracket, the index of its partner; an unclosed one has the end of the text. -1 for the rest. */
  match: number
  /** For `(`: contains a query. */
  query: boolean
}

const END: Token = { kind: 'end', text: '', word: '', op: '', start: 0, end: 0, match: -1, query: false }

/**
 * The tokens of a text, accessed by index. An index out of range returns an empty token, so that no reader needs to check
 * the length before it looks ahead, which is the most common crash of hand-written parsers.
 */
export class Tokens {
  readonly list: readonly Token[]
  readonly length: number

  constructor(list: readonly Token[]) {
    this.list = list
    this.length = list.length
  }

  at(i: number): Token {
    return this.list[i] ?? END
  }

  word(i: number): string {
    return (this.list[i] ?? END).word
  }

  op(i: number): string {
    return (this.list[i] ?? END).op
  }

  text(i: number): string {
    return (this.list[i] ?? END).text
  }

  kind(i: number): TokenKind {
    return (this.list[i] ?? END).kind
  }

  isName(i: number): boolean {
    const { kind } = this.list[i] ?? END
    return kind === 'word' || kind === 'quoted'
  }

  /** The closing bracket of the one at `i`, not after `end` and never before `i`, so that a reader that continues there always advances. */
  close(i: number, end: number): number {
    const { match } = this.list[i] ?? END
    return Math.min(match > i ? match : i + 1, Math.max(i, end))
  }

  /** The next token on the same level: after a bracketed group, or one further. */
  next(i: number): number {
    const { match } = this.list[i] ?? END
    return match > i ? match + 1 : i + 1
  }

  /** The text from one token to another, both included. */
  span(first: number, last: number): { start: number; end: number } {
    const { start } = this.list[Math.min(first, this.length - 1)] ?? END
    return { start, end: Math.max(start, (this.list[Math.min(last, this.length - 1)] ?? END).end) }
  }

  /** Whether a parenthesis contains a query. */
  opensQuery(i: number): boolean {
    return (this.list[i] ?? END).query
  }

  /** The first token on this level that satisfies `is`, or -1. */
  find(from: number, end: number, is: (i: number) => boolean): number {
    for (let i = from; i < end; i = this.next(i)) if (is(i)) return i
    return -1
  }

  findWord(from: number, end: number, word: string): number {
    for (let i = from; i < end; i = this.next(i)) if (this.word(i) === word) return i
    return -1
  }

  /** The ranges between the commas of this level. */
  split(from: number, end: number): [number, number][] {
    const ranges: [number, number][] = []
    let start = from
    for (let i = from; i < end; i = this.next(i)) {
      if (this.op(i) !== ',') continue
      ranges.push([start, i])
      start = i + 1
    }
    if (start < end) ranges.push([start, end])
    return ranges
  }
}
