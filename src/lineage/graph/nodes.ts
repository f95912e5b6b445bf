import { type RawBuilder, sql } from 'kysely'
import { getEntityTypeConfig } from '../../catalog/entity-types/entity-types.ts'
import { healthSql } from '../../catalog/records/health.ts'
import type { Context } from '../../platform/context/context.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import type { NodeBrief } from './graph-schema.ts'

/** Resources as graph nodes. */

interface NodeRow extends Omit<NodeBrief, 'hidden' | 'group'> {
  readonly id: string
  readonly group_id: string | null
  readonly group_title: string | null
  readonly group_title_full: string | null
  readonly group_entity_type: string | null
}

/** Nodes read with one statement. */
const CHUNK = 5_000

/** The nodes of those resources that the caller sees. */
export const toGraphNodes = async (ctx: Context, ids: readonly string[]): Promise<Map<string, NodeBrief>> => {
  const nodes = new Map<string, NodeBrief>()
  for (let at = 0; at < ids.length; at += CHUNK) {
    const { rows } = await sql<NodeRow>`${nodesSql(ctx, ids.slice(at, at + CHUNK))}`.execute(ctx.db, ctx.limits)
    for (const row of rows) nodes.set(row.id, toNode(row))
  }
  return nodes
}

const nodesSql = ({ actor }: Context, ids: readonly string[]): RawBuilder<unknown> => sql`
  select r.id, r.title, r.title_full, r.entity_type, r.native_type, r.icon, r.integration, i.type as integration_type,
    r.published, r.archived, r.verified, r.pii, r.stale, r.deprecation is not null as deprecated, ${healthSql(actor)} as health,
    g.id as group_id, g.title as group_title, g.title_full as group_title_full, g.entity_type as group_entity_type
  from resources r left join integrations i on i.id = r.integration
  left join resources g on g.id = r.parent and r.entity_type in ('column', 'chart') and ${visibleTo(actor, 'g')}
  where r.id = any(${ids}::uuid[]) and ${visibleTo(actor)}`

const toNode = (row: NodeRow): NodeBrief => {
  const { group_id, group_title, group_title_full, group_entity_type, ...own } = row
  return {
    ...own,
    hidden: false,
    icon: own.icon ?? getEntityTypeConfig(own.entity_type!).icon,
    group: group_id ? { id: group_id, title: group_title!, title_full: group_title_full!, entity_type: group_entity_type! } : null,
  }
}

/** A node the caller may not see: only its existence is revealed. Its ID is valid within one response. */
export const toHiddenNode = (id: string): NodeBrief => ({
  id,
  hidden: true,
  title: null,
  title_full: null,
  entity_type: null,
  native_type: null,
  icon: null,
  integration: null,
  integration_type: null,
  published: null,
  archived: null,
  verified: null,
  pii: null,
  stale: null,
  deprecated: null,
  health: null,
  group: null,
})

/** Placeholder IDs of hidden nodes, numbered in order of first use. */
export class HiddenNodeNames {
  readonly #names = new Map<string, string>()

  getName(id: string): string {
    const cached = this.#names.get(id)
    if (cached) return cached
    const name = `hidden-${this.#names.size + 1}`
    this.#names.set(id, name)
    return name
  }
}
