import { readItem } from '../expressions/items.ts'
import { foldIdentifierCase, readName, readNameList } from '../relations/names.ts'
import type { ParserContext, QueryContext } from '../relations/parser-context.ts'
import { type Column, DerivedRelation, expandStar, type Relation, type StarColumns, type UnexpandedStar } from '../relations/relation.ts'
import type { Scope } from '../relations/scope.ts'
import { findMember, readRowStar, readStructStar } from './rows.ts'

/** What a star excludes or changes: EXCEPT, EXCLUDE, REPLACE, RENAME. */
interface StarChanges {
  readonly except: Set<string>
  readonly replace: Map<string, Column>
  readonly rename: Map<string, string>
}

export interface Star {
  readonly qualifier: readonly string[]
  /** Where `(…).*` ends before its dot, if the item is one. */
  readonly row?: number
  readonly next: number
}

/** The star at the start of an item (`*`, `t.*` or `(…).*`): its end and its qualifier. Undefined when the item is something else. */
export const findStar = (r: ParserContext, from: number, end: number): Star | undefined => {
  const { tokens } = r
  if (tokens.op(from) === '*') return { qualifier: [], next: from + 1 }
  const named = tokens.isName(from)
  if (!named && tokens.op(from) !== '(') return undefined
  const { parts, next } = named ? readName(r, from, end) : { parts: [], next: from }
  let at = next
  while (at < end) {
    const op = tokens.op(at)
    if (op === '(' || op === '[') at = tokens.next(at)
    else if (op === '.' && tokens.isName(at + 1)) at += 2
    else break
  }
  if (tokens.op(at) !== '.' || tokens.op(at + 1) !== '*' || at + 1 >= end) return undefined
  return at === next ? { qualifier: parts, next: at + 2 } : { qualifier: [], row: at, next: at + 2 }
}

/** Expands a star: the known columns, and what could not be expanded. */
export const readStar = (
  r: ParserContext,
  from: number,
  end: number,
  star: Star,
  scope: Scope,
  around: QueryContext,
): { columns: Column[]; opens: UnexpandedStar[] } => {
  const { tokens } = r
  const changes = readChanges(r, star.next, end, scope, around)
  const span = tokens.span(from, star.next - 1)
  return expand(r, findStarParts(r, from, star, span, scope, around), changes, scope, span)
}

interface StarPart extends StarColumns {
  readonly find: Relation['find']
}

/** What the star covers, by table. */
const findStarParts = (
  r: ParserContext,
  from: number,
  star: Star,
  span: { start: number; end: number },
  scope: Scope,
  around: QueryContext,
): readonly StarPart[] => {
  const part = (shown: StarColumns): StarPart => ({ ...shown, find: (name) => new DerivedRelation(shown.columns, shown.opens).find(name) })
  if (star.row !== undefined) return [part(readRowStar(r, from, star.row, scope, around))]
  if (star.qualifier.length === 0)
    return scope.members
      .filter((member) => !member.silent)
      .map(({ relation }) => ({ ...expandStar(relation, false), find: (name) => relation.find(name) }))
  const member = findMember(scope, star.qualifier)
  if (!member) return [part(readStructStar(r, star.qualifier, span, scope))]
  return [{ ...expandStar(member.relation, true), find: (name) => member.relation.find(name) }]
}

const expand = (
  r: ParserContext,
  parts: readonly StarPart[],
  changes: StarChanges,
  scope: Scope,
  span: { start: number; end: number },
): { columns: Column[]; opens: UnexpandedStar[] } => {
  const { except, replace, rename } = changes
  const columns: Column[] = []
  const opens: UnexpandedStar[] = []
  const once = new Set<string>()
  const unused = new Map(replace)
  for (const part of parts) {
    r.budget.spend(part.columns.length + 1)
    for (const column of part.columns) {
      const key = column.name?.toLowerCase() ?? ''
      if (except.has(key)) continue
      if (scope.merged?.has(key) && parts.length > 1) {
        if (once.has(key)) continue
        once.add(key)
        columns.push({ ...column, ...span, flow: scope.mergedFlow(column.name!) })
        continue
      }
      unused.delete(key)
      columns.push(replace.get(key) ?? { ...column, ...span, name: rename.get(key) ?? column.name })
    }
    const gone = new Set([...except, ...rename.keys(), ...replace.keys()])
    for (const open of part.opens)
      opens.push(gone.size > 0 ? { relation: open.relation, except: new Set([...(open.except ?? []), ...gone]) } : open)
  }
  if (opens.length > 0) {
    columns.push(...unused.values())
    for (const [key, name] of rename) {
      const flow = parts.length === 1 ? parts[0]!.find(key)?.flow : undefined
      if (flow && !columns.some((column) => column.name === name)) columns.push({ name, flow, ...span })
    }
  }
  return { columns, opens }
}

const readChanges = (r: ParserContext, from: number, end: number, scope: Scope, around: QueryContext): StarChanges => {
  const { tokens, dialect } = r
  const changes: StarChanges = { except: new Set(), replace: new Map(), rename: new Map() }
  for (let i = from; i < end; ) {
    const list = tokens.op(i + 1) === '('
    const [start, stop] = list ? [i + 2, tokens.close(i + 1, end)] : [i + 1, Math.min(i + 2, end)]
    switch (tokens.word(i)) {
      case 'EXCEPT':
      case 'EXCLUDE':
        for (const name of readNameList(r, start, stop)) changes.except.add(name.toLowerCase())
        break
      case 'REPLACE':
        for (const [a, b] of tokens.split(start, list ? stop : end)) {
          const item = readItem(r, a, b, scope, around, 'never')
          if (item.name !== null) changes.replace.set(item.name.toLowerCase(), item)
        }
        break
      case 'RENAME':
        for (const [a, b] of tokens.split(start, list ? stop : end))
          if (tokens.word(a + 1) === 'AS' && a + 2 < b)
            changes.rename.set(foldIdentifierCase(dialect, tokens.at(a)).toLowerCase(), foldIdentifierCase(dialect, tokens.at(a + 2)))
        if (!list) i = end
        break
    }
    i = list ? tokens.next(i + 1) : i + 1
  }
  return changes
}
