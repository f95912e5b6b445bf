import { readItem } from '../expressions/items.ts'
import { fold, readName, readNameList } from '../relations/names.ts'
import type { Reading, Surroundings } from '../relations/reading.ts'
import { type Column, type Open, opensOf } from '../relations/relation.ts'
import type { Member, Scope } from '../relations/scope.ts'

/** What a star leaves out or changes: EXCEPT, EXCLUDE, REPLACE, RENAME. */
interface Changes {
  readonly except: Set<string>
  readonly replace: Map<string, Column>
  readonly rename: Map<string, string>
}

/** The star at the start of an item, `*` or `t.*`: where it ends, and the qualifier. Undefined when the item is something else. */
export const findStar = (r: Reading, from: number, end: number): { qualifier: string[]; next: number } | undefined => {
  const { tokens } = r
  if (tokens.op(from) === '*') return { qualifier: [], next: from + 1 }
  if (!tokens.isName(from)) return undefined
  const { parts, next } = readName(r, from, end)
  return tokens.op(next) === '.' && tokens.op(next + 1) === '*' && next + 1 < end ? { qualifier: parts, next: next + 2 } : undefined
}

/** Writes a star out: the columns that are known, and what stays open. */
export const readStar = (
  r: Reading,
  from: number,
  end: number,
  star: { qualifier: string[]; next: number },
  scope: Scope,
  around: Surroundings,
): { columns: Column[]; opens: Open[] } => {
  const { tokens } = r
  const changes = readChanges(r, star.next, end, scope, around)
  const span = tokens.span(from, star.next - 1)
  let members: readonly Member[] = scope.members.filter((member) => !member.silent)
  if (star.qualifier.length > 0) {
    const one = findMember(scope, star.qualifier)
    if (!one) {
      // `struct.*`: the fields of a column, whose names nobody has told.
      r.found.miss(`${star.qualifier.join('.')}.*`, 'unknown_qualifier', span)
      return { columns: [], opens: [] }
    }
    members = [one]
  }
  r.budget.spend(members.length)
  return expand(r, members, changes, scope, span)
}

const findMember = (scope: Scope, qualifier: readonly string[]): Member | undefined => {
  for (let at: Scope | undefined = scope; at; at = at.parent) {
    const member = at.member(qualifier) ?? at.member(qualifier, true) ?? at.member(qualifier.slice(-1))
    if (member) return member
  }
  return undefined
}

const expand = (
  r: Reading,
  members: readonly Member[],
  changes: Changes,
  scope: Scope,
  span: { start: number; end: number },
): { columns: Column[]; opens: Open[] } => {
  const { except, replace, rename } = changes
  const columns: Column[] = []
  const opens: Open[] = []
  const once = new Set<string>()
  const unused = new Map(replace)
  for (const { relation } of members) {
    r.budget.spend(relation.columns().length)
    for (const column of relation.columns()) {
      const key = column.name?.toLowerCase() ?? ''
      if (except.has(key)) continue
      if (scope.merged?.has(key) && members.length > 1) {
        if (once.has(key)) continue
        once.add(key)
        columns.push({ ...column, ...span, flow: scope.mergedFlow(column.name!) })
        continue
      }
      unused.delete(key)
      columns.push(replace.get(key) ?? { ...column, ...span, name: rename.get(key) ?? column.name })
    }
    const gone = new Set([...except, ...rename.keys(), ...replace.keys()])
    for (const open of opensOf(relation))
      opens.push(gone.size > 0 ? { relation: open.relation, except: new Set([...(open.except ?? []), ...gone]) } : open)
  }
  if (opens.length > 0) {
    columns.push(...unused.values())
    for (const [key, name] of rename) {
      const flow = members.length === 1 ? members[0]!.relation.find(key)?.flow : undefined
      if (flow && !columns.some((column) => column.name === name)) columns.push({ name, flow, ...span })
    }
  }
  return { columns, opens }
}

const readChanges = (r: Reading, from: number, end: number, scope: Scope, around: Surroundings): Changes => {
  const { tokens, dialect } = r
  const changes: Changes = { except: new Set(), replace: new Map(), rename: new Map() }
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
            changes.rename.set(fold(dialect, tokens.at(a)).toLowerCase(), fold(dialect, tokens.at(a + 2)))
        if (!list) i = end
        break
    }
    i = list ? tokens.next(i + 1) : i + 1
  }
  return changes
}
