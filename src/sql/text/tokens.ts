export type TokenKind = 'word' | 'quoted' | 'string' | 'number' | 'param' | 'op' | 'end'

export interface Token {
  readonly kind: TokenKind
  /** The content: a name or string without its quotes, an operator as it is. */
  readonly text: string
  /** The text in upper case when it is a name without quotes, else empty: what keywords are compared with. */
  readonly word: string
  /** The text when it is an operator, else empty. */
  readonly op: string
  readonly start: number
  readonly end: number
  /** For a bracket, the index of its partner; an unclosed one has the end of the text. -1 for the rest. */
  match: number
  /** For `(`: a query stands inside. */
  query: boolean
}

const END: Token = { kind: 'end', text: '', word: '', op: '', start: 0, end: 0, match: -1, query: false }

/**
 * The tokens of a text, read by index. An index outside gives an empty token, so that no reader needs to ask
 * for the length before it looks ahead: nine of ten crashes of a hand-written parser come from there.
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

  /** The closing bracket of the one at `i`, not beyond `end`, and never in front of `i`: who goes on behind it always goes on. */
  close(i: number, end: number): number {
    const { match } = this.list[i] ?? END
    return Math.min(match > i ? match : i + 1, Math.max(i, end))
  }

  /** The next place on the same level: behind a bracketed group, or one further. */
  next(i: number): number {
    const { match } = this.list[i] ?? END
    return match > i ? match + 1 : i + 1
  }

  /** The text from one token to another, both included; what lies outside the tokens is cut off. */
  span(first: number, last: number): { start: number; end: number } {
    const { start } = this.list[Math.min(first, this.length - 1)] ?? END
    return { start, end: Math.max(start, (this.list[Math.min(last, this.length - 1)] ?? END).end) }
  }

  /** A parenthesis with a query inside. */
  opensQuery(i: number): boolean {
    return (this.list[i] ?? END).query
  }

  /** The first place on this level where `is` holds, or -1. */
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
