import { addFlow, type Flow, NO_SOURCES, type Relation, type StructFields, type Transformation } from './relation.ts'
import type { Source } from './tables.ts'

/** Why a name has no source. */
export type UnresolvedReason = 'ambiguous' | 'unknown_column' | 'unknown_qualifier' | 'not_in_catalog' | 'star_of_unknown_table' | 'dynamic'

export interface Resolution {
  readonly flow: Flow
  readonly reason?: UnresolvedReason
  /** Read as a field of a column, in a table whose columns are unknown. */
  readonly guessed?: boolean
  readonly fields?: StructFields | undefined
}

/** Whether a name may refer to aliases of the select list: ORDER BY checks them before the columns, HAVING and later items after them. */
export type AliasUse = 'never' | 'after' | 'first'

/** A relation under the name it has in a FROM clause. */
export interface Member {
  /** In lower case: an alias alone, or the parts of a table's name. */
  readonly names: readonly string[]
  /** Set when an alias hides the table name. */
  readonly hidden?: readonly string[]
  readonly relation: Relation
  /** Used only to check whether a row exists (SEMI, ANTI): a star does not include its columns. */
  silent?: boolean
}

/** The range of a named window. */
export type Windows = ReadonlyMap<string, readonly [number, number]>

const MAX_QUALIFIER_PARTS = 4 // server, database, schema, table: what follows is a column and its fields

interface MemberIndex {
  /** How many members it includes. */
  count: number
  readonly byLast: Map<string, Member[]>
}

/** The names visible to an expression. A query has a dozen scopes, so rarely used parts are created lazily. */
export class Scope {
  readonly members: Member[] = []
  readonly parent: Scope | undefined
  /** Columns merged by USING or NATURAL. */
  merged: Set<string> | undefined
  readonly aliases = new Map<string, Flow>()
  /** Names that refer to an expression, read on first use. */
  scalars: ReadonlyMap<string, (scope: Scope) => Flow> | undefined
  windows: Windows | undefined
  /** Variables of a row pattern: each refers to rows of the same table. */
  private variables: Map<string, Relation> | undefined
  /** Join conditions, read when all tables are known. */
  readonly conditions: (readonly [number, number])[] = []

  private readonly index: MemberIndex = { count: 0, byLast: new Map() }
  private hiddenIndex: MemberIndex | undefined

  constructor(parent: Scope | undefined) {
    this.parent = parent
  }

  add(relation: Relation, alias: string | null, name: readonly string[] = []): Member {
    const full = name.map((part) => part.toLowerCase())
    const member: Member = alias === null ? { names: full, relation } : { names: [alias.toLowerCase()], hidden: full, relation }
    this.members.push(member)
    return member
  }

  /** The member a qualifier refers to, by the end of its name: `t` and `s.t` both match `d.s.t`. */
  member(qualifier: readonly string[], hidden = false): Member | undefined {
    const last = qualifier.at(-1)?.toLowerCase() ?? ''
    const candidates = this.byLastName(hidden).get(last)
    if (!candidates || qualifier.length === 1) return candidates?.at(-1)
    const parts = qualifier.map((part) => part.toLowerCase())
    return candidates.findLast((member) => {
      const names = hidden ? (member.hidden ?? []) : member.names
      return parts.length <= names.length && parts.every((part, i) => part === names[names.length - parts.length + i])
    })
  }

  /** Members by the last part of their name: a query with a hundred joins looks up members hundreds of times. */
  private byLastName(hidden: boolean): ReadonlyMap<string, Member[]> {
    if (hidden) this.hiddenIndex ??= { count: 0, byLast: new Map() }
    const index = hidden ? this.hiddenIndex! : this.index
    if (index.count > this.members.length) {
      index.count = 0
      index.byLast.clear()
    }
    for (; index.count < this.members.length; index.count++) {
      const member = this.members[index.count]!
      const last = (hidden ? member.hidden : member.names)?.at(-1)
      if (last === undefined) continue
      const same = index.byLast.get(last)
      if (same) same.push(member)
      else index.byLast.set(last, [member])
    }
    return index.byLast
  }

  resolve(parts: readonly string[], aliases: AliasUse): Resolution {
    if (parts.length === 1) return this.resolveBare(parts[0]!, aliases)
    return this.resolveQualified(parts, false) ?? this.resolveField(parts, aliases)
  }

  /** `alias.column`, with the longest qualifier that matches a member of this or an outer scope. */
  private resolveQualified(parts: readonly string[], hidden: boolean): Resolution | undefined {
    const variable = this.variables?.get(parts[0]!.toLowerCase())
    if (variable) return resolveColumn(variable, parts[1]!)
    for (let scope: Scope | undefined = this; scope; scope = scope.parent) {
      for (let k = Math.min(parts.length - 1, MAX_QUALIFIER_PARTS); k >= 1; k--) {
        const member = scope.member(parts.slice(0, k), hidden)
        if (member) return resolveColumn(member.relation, parts[k]!)
      }
    }
    return undefined
  }

  /** `column.field`; or the real name of a table that has an alias, which is invalid SQL but unambiguous. */
  private resolveField(parts: readonly string[], aliases: AliasUse): Resolution {
    const hidden = this.resolveQualified(parts, true)
    if (hidden) return hidden
    const field = this.resolveBare(parts[0]!, aliases)
    if (field.guessed) return field
    return field.flow.size > 0 || field.reason === undefined || field.reason === 'ambiguous'
      ? field
      : { flow: NO_SOURCES, reason: 'unknown_qualifier' }
  }

  private resolveBare(name: string, aliases: AliasUse): Resolution {
    const key = name.toLowerCase()
    if (aliases === 'first') {
      const alias = this.aliases.get(key)
      if (alias) return { flow: alias }
    }
    for (let scope: Scope | undefined = this; scope; scope = scope.parent) {
      const found = scope.resolveHere(name, key, scope === this ? aliases : 'never')
      if (found) return found
    }
    return { flow: NO_SOURCES, reason: 'unknown_column' }
  }

  private resolveHere(name: string, key: string, aliases: AliasUse): Resolution | undefined {
    if (this.merged?.has(key)) return { flow: this.mergedFlow(name) }
    let sure: Flow | undefined
    let fields: StructFields | undefined
    let sureVirtual = false
    let maybe: Flow | undefined
    let virtual: Flow | undefined
    let stored = 0
    let lists = 0
    for (const { relation, silent } of this.members) {
      if (silent) continue
      if (relation.vague && stored > 1 && !relation.virtual && relation.columns().length === 0) continue
      const hit = relation.find(name)
      if (!hit) continue
      if (hit.sure) {
        if (sure && !sureVirtual && !relation.virtual && sure !== hit.flow) return { flow: NO_SOURCES, reason: 'ambiguous' }
        if (!sure || (sureVirtual && !relation.virtual)) {
          sure = hit.flow
          fields = hit.fields
          sureVirtual = relation.virtual
        }
      } else if (relation.virtual) {
        lists++
        virtual ??= hit.flow
      } else {
        stored++
        maybe ??= hit.flow
      }
    }
    if (sure) return { flow: sure, fields }
    const alias = aliases === 'never' ? undefined : this.aliases.get(key)
    if (alias) return { flow: alias }
    const scalar = this.scalars?.get(key)
    if (scalar) return { flow: scalar(this) }
    if (stored > 1) return { flow: NO_SOURCES, reason: 'ambiguous' }
    if (maybe) return { flow: maybe, guessed: true }
    if (lists === 1) return { flow: virtual! }
    return lists > 1 ? { flow: NO_SOURCES, reason: 'ambiguous' } : undefined
  }

  addVariable(name: string, relation: Relation): void {
    this.variables ??= new Map()
    this.variables.set(name.toLowerCase(), relation)
  }

  merge(name: string): void {
    this.merged ??= new Set()
    this.merged.add(name.toLowerCase())
  }

  mergedFlow(name: string): Flow {
    const flow = new Map<Source, Transformation>()
    for (const { relation } of this.members) {
      const hit = relation.virtual ? undefined : relation.find(name)
      if (hit) addFlow(flow, hit.flow, 'identity')
    }
    return flow
  }
}

/** A column with a full name is kept even if a stale catalog lacks it, and reported as missing from the catalog. */
const resolveColumn = (relation: Relation, name: string): Resolution => {
  const hit = relation.find(name)
  if (hit)
    return hit.flow.size === 0 && !hit.sure && !relation.virtual
      ? { flow: hit.flow, reason: 'ambiguous' }
      : { flow: hit.flow, fields: hit.fields }
  if (relation.table) return { flow: relation.table.flow(name), reason: 'not_in_catalog' }
  return { flow: NO_SOURCES, reason: 'unknown_column' }
}
