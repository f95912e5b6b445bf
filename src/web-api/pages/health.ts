import { sql } from 'kysely'
import { findCachedHealth, findPageHealth } from '../../catalog/listing/health.ts'
import { storedSeveritySql } from '../../catalog/records/health.ts'
import type { Context } from '../../platform/context/context.ts'
import { anyOf } from '../../platform/db/opaque-params.ts'
import { snapshotSql } from '../../platform/lists/count.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { parseIds } from './names.ts'
import type { Health } from './schema.ts'

/** What the icons next to a resource's name show. */
export const findHealthByIds = async (ctx: Context, text: string): Promise<Health> => {
  const cached = findCachedHealth(ctx)
  const { rows } = await sql<{ states: string | null; snapshot: string; changed: boolean }>`
    select string_agg(r.id || ' ' || ${storedSeveritySql(ctx.actor, 'r')} || ' ' || (r.deprecation is not null)::int, ',') as states,
      ${snapshotSql(ctx)} as snapshot, ${cached.changed} as changed
    from resources r where r.id = ${anyOf(parseIds(text))} and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  const states = rows[0]!.states?.split(',').map(parseState) ?? []
  const health = await findPageHealth(ctx, states, cached.check(rows[0]!))
  return Object.fromEntries(states.map(({ id, deprecated }) => [id, { status: health.get(id) ?? 'unknown', deprecated }]))
}

/** One text for all rows: reading it takes less time than as many rows. */
const parseState = (state: string) => {
  const [id = '', severity, deprecated] = state.split(' ')
  return { id, severity: Number(severity), deprecated: deprecated === '1' }
}
