import type { ParserContext, QueryContext } from '../relations/parser-context.ts'
import { addFlow, type Flow, NO_SOURCES, type StructFields, type Transformation } from '../relations/relation.ts'
import type { AliasUse, Resolution, Scope } from '../relations/scope.ts'
import type { Source } from '../relations/tables.ts'
import type { Frame } from './calls.ts'

/** A pass over the tokens of one expression: its position and what it has found. */
export class Walk {
  readonly r: ParserContext
  readonly from: number
  readonly end: number
  readonly scope: Scope
  readonly around: QueryContext
  /** An entry of a select list, which may end with an alias. */
  readonly item: boolean
  /** The open brackets, innermost last. */
  readonly frames: Frame[] = []
  readonly flow = new Map<Source, Transformation>()
  /** The next token. */
  i: number
  /** Where the expression ends: before its alias, once that is found. */
  stop: number
  /** The last token ended an operand, so an operator must follow. */
  operand = false
  /** Only columns and parentheses so far. */
  plain = true
  cast = false
  /** INTERVAL was read, but not its unit. */
  interval = false
  alias = -1
  name: string | null = null
  /** The last token that was read as a field of the previous operand. */
  field = -1
  columns = 0
  /** The fields of the last column, when it is a struct. */
  fields: StructFields | undefined
  private readonly aliases: AliasUse

  constructor(r: ParserContext, from: number, end: number, scope: Scope, around: QueryContext, aliases: AliasUse, item: boolean) {
    this.r = r
    this.from = from
    this.i = from
    this.end = end
    this.stop = end
    this.scope = scope
    this.around = around
    this.aliases = aliases
    this.item = item
  }

  get top(): Frame | undefined {
    return this.frames.at(-1)
  }

  /** Where the brackets around the current token close. */
  get limit(): number {
    return this.top?.close ?? this.end
  }

  push(frame: Frame): void {
    this.frames.push(frame)
    this.operand = false
  }

  /** Skips keywords that precede an operand. Returns true, for readers that return whether they recognized the word. */
  skip(count: number): true {
    this.plain = false
    this.operand = false
    this.i += count
    return true
  }

  /** Skips a value. */
  value(count: number): true {
    this.plain = false
    this.operand = true
    this.i += count
    return true
  }

  takeAlias(alias: number, stop: number): void {
    this.alias = alias
    this.stop = stop
  }

  /** A lambda parameter, visible up to the end of the brackets. */
  bind(name: string, frame = this.top): void {
    if (!frame) return
    frame.bound ??= new Set()
    frame.bound.add(name.toLowerCase())
  }

  private isBound(name: string): boolean {
    return this.frames.some((frame) => frame.bound?.has(name.toLowerCase()))
  }

  /** The column from token `from` to `next`. */
  column(parts: readonly string[], from: number, next: number): void {
    this.operand = true
    this.columns++
    if (parts.length === 0) return
    this.name = parts.at(-1)!
    if (this.frames.length > 0 && this.isBound(parts[0]!)) {
      this.plain = false
      return
    }
    if (parts.length === 1 && this.top?.call && this.isRow(parts[0]!)) {
      this.row(parts)
      return
    }
    const { tokens, found } = this.r
    const { flow, reason, fields } = this.resolve(parts)
    this.fields = fields
    if (reason && parts.length === 1 && this.scope.member(parts)) {
      this.row(parts)
      return
    }
    if (reason && !isPseudo(parts)) found.miss(parts.join('.'), reason, tokens.span(from, next - 1))
    this.add(flow, 'identity')
  }

  private resolve(parts: readonly string[]): Resolution {
    const local = this.r.dialect.name === 'exasol' && parts.length === 2 && parts[0]!.toUpperCase() === 'LOCAL'
    if (local) return { flow: this.scope.aliases.get(parts[1]!.toLowerCase()) ?? NO_SOURCES }
    const found = this.scope.resolve(parts, this.aliases)
    // In dialects without struct fields, `x.y` can only be a column of an unknown table x.
    const lost = parts.length > 1 && found.guessed && !this.r.dialect.dotFields
    return lost ? { flow: NO_SOURCES, reason: 'unknown_qualifier' } : found
  }

  /** `to_json(t)`: a table alias in place of a column means all columns of the table. */
  private isRow(name: string): boolean {
    const member = this.scope.member([name])
    return member?.hidden !== undefined && !member.relation.virtual && !member.relation.find(name)?.sure
  }

  /** All columns of a table. COUNT(t.*) uses none of them. */
  row(parts: readonly string[]): void {
    this.operand = true
    this.plain = false
    const member = this.scope.member(parts)
    if (!member || this.top?.call === 'COUNT') return
    for (const column of member.relation.columns()) this.add(column.flow, 'expression')
  }

  add(flow: Flow, travel: Transformation): void {
    this.r.budget.carry(flow.size)
    addFlow(this.flow, flow, this.top?.aggregate ? 'aggregation' : travel)
  }
}

const PSEUDO = new Set(
  'ROWID ROWNUM NEXTVAL CURRVAL CTID OID XMIN _PARTITIONTIME _PARTITIONDATE _TABLE_SUFFIX _FILE_NAME METADATA$ACTION METADATA$ISUPDATE METADATA$ROW_ID METADATA$FILENAME'.split(
    ' ',
  ),
)

/** Pseudo-columns that every table of a dialect has but no catalog lists. */
const isPseudo = (parts: readonly string[]): boolean => PSEUDO.has(parts.at(-1)!.toUpperCase())
