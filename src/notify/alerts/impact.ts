import { type Actor, canSee } from '../../access/permissions.ts'
import type { Context } from '../../context.ts'
import { findOwners } from '../../lineage/owners.ts'
import { reachOf } from './reach.ts'

const MOST_NAMED = 3
const DASHBOARDS = ['dashboard', 'chart', 'report']

/** Describes the downstream impact of a table as the reader can see it; undefined if there is none. Without a reader everything counts. */
export const impactOf = async (ctx: Context, place: string, reader: Actor | undefined): Promise<string | undefined> => {
  const ids = [...((await reachOf(ctx, [place], 'down')).get(place) ?? [])]
  if (ids.length === 0) return undefined
  const rows = await ctx.db.selectFrom('resources').select(['id', 'entity_type', 'published', 'teams']).where('id', 'in', ids).execute()
  const seen = rows.filter((row) => !reader || canSee(reader, row))
  const owners = await findOwners(
    { ...ctx, actor: reader ?? ctx.actor }, // readers who may not list users get no names
    seen.map(({ id }) => id),
  )
  const names = [...new Set([...owners.values()].flat().flatMap(({ name }) => name ?? []))].sort()
  return inWords(seen.length, seen.filter(({ entity_type }) => DASHBOARDS.includes(entity_type)).length, names)
}

const inWords = (resources: number, dashboards: number, owners: readonly string[]): string | undefined => {
  if (resources === 0) return undefined
  const more = owners.length - MOST_NAMED
  const named = more > 0 ? `${owners.slice(0, MOST_NAMED).join(', ')} and ${more} more` : owners.join(', ')
  const among = dashboards > 0 ? `, including ${some(dashboards, 'dashboard')}` : ''
  return `${some(resources, 'downstream resource')} ${resources === 1 ? 'depends' : 'depend'} on it${among}.${named ? ` Affected owners: ${named}.` : ''}`
}

const some = (n: number, noun: string): string => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`
