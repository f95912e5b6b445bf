import { findOwners } from '../../lineage/graph/owners.ts'
import type { Context } from '../../platform/context/context.ts'
import { type Actor, canSee } from '../../platform/permissions/permissions.ts'
import { findReachableTables } from './reachable-tables.ts'

const MAX_NAMED_OWNERS = 3
const DASHBOARDS = ['dashboard', 'report'] // not their charts

/** Describes the downstream impact of a table as the reader can see it; undefined if there is none. Without a reader everything counts. */
export const describeImpact = async (ctx: Context, tableId: string, reader: Actor | undefined): Promise<string | undefined> => {
  const ids = [...((await findReachableTables(ctx, [tableId], 'down')).get(tableId) ?? [])]
  if (ids.length === 0) return undefined
  const rows = await ctx.db.selectFrom('resources').select(['id', 'entity_type', 'published', 'teams']).where('id', 'in', ids).execute()
  const visible = rows.filter((row) => !reader || canSee(reader, row))
  const owners = await findOwners(
    { ...ctx, actor: reader ?? ctx.actor }, // readers who may not list users get no names
    visible.map(({ id }) => id),
  )
  const names = [...new Set([...owners.values()].flat().flatMap(({ name }) => name ?? []))].sort()
  return formatAlertImpact(visible.length, visible.filter(({ entity_type }) => DASHBOARDS.includes(entity_type)).length, names)
}

const formatAlertImpact = (resources: number, dashboards: number, owners: readonly string[]): string | undefined => {
  if (resources === 0) return undefined
  const more = owners.length - MAX_NAMED_OWNERS
  const named = more > 0 ? `${owners.slice(0, MAX_NAMED_OWNERS).join(', ')} and ${more} more` : owners.join(', ')
  const among = dashboards > 0 ? `, including ${formatCount(dashboards, 'dashboard')}` : ''
  return `${formatCount(resources, 'downstream resource')} ${resources === 1 ? 'depends' : 'depend'} on it${among}.${named ? ` Affected owners: ${named}.` : ''}`
}

const formatCount = (n: number, noun: string): string => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`
