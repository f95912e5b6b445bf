import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { rowsParam } from '../../platform/db/rows-param.ts'
import { type Actor, SYSTEM } from '../../platform/permissions/permissions.ts'
import { countGroups, countNumbers } from './count-numbers.ts'
import type { Numbers } from './metrics.ts'
import type { InsightTrends } from './schema.ts'
import type { Scope, ScopeType } from './scope.ts'

/** The numbers of each day, for trends. Trends count what everyone with a role can see, because snapshots for each caller cannot be kept. */
type Visibility = Exclude<InsightTrends['counted'], 'nothing'>
const KEPT_DAYS = 92
/** Of each kind, those with the most tables: at most 1,803 rows a day. */
const MAX_GROUPS = 200

export interface Snapshot {
  readonly day: string
  readonly visibility: Visibility
  readonly scope: ScopeType
  readonly scope_id: string
  readonly numbers: Numbers
}

/** What a caller with this role sees: guests only see their teams, and there is no snapshot for these. */
export const visibilityOf = ({ role }: Actor): InsightTrends['counted'] =>
  (({ admin: 'everything', editor: 'internal', viewer: 'published', guest: 'nothing' }) as const)[role]

/** Runs every hour; the first run of a day (UTC) writes its snapshot, whichever instance it runs on. */
export const recordDailyInsights = (ctx: Context): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('insight_snapshots', 0))`.execute(ctx.db)
    const day = ctx.now.toISOString().slice(0, 10)
    await sql`delete from insight_snapshots where day < ${day}::date - ${sql.lit(KEPT_DAYS)}`.execute(ctx.db)
    const { rows } = await sql`select from insight_snapshots where day = ${day}::date limit 1`.execute(ctx.db)
    if (rows.length > 0) return
    const snapshots: Snapshot[] = []
    for (const [visibility, actor] of await findActors(ctx)) snapshots.push(...(await takeSnapshots({ ...ctx, actor }, day, visibility)))
    await insertSnapshots(ctx, snapshots)
  })

/** An actor for each kind of visibility, without any team of their own. */
const findActors = async ({ db }: Context): Promise<readonly (readonly [Visibility, Actor])[]> => {
  const { rows } = await sql<{ id: string }>`select id from teams where closed`.execute(db)
  const outside: Actor = { ...SYSTEM, foreign_teams: rows.map(({ id }) => id) }
  return [
    ['everything', SYSTEM],
    ['internal', { ...outside, role: 'editor' }],
    ['published', { ...outside, role: 'viewer' }],
  ]
}

const WORKSPACE: Scope = { type: 'workspace' }
const GROUPINGS = ['team', 'integration', 'owner'] as const

const takeSnapshots = async (ctx: Context, day: string, visibility: Visibility): Promise<Snapshot[]> => {
  const snapshots: Snapshot[] = [
    { day, visibility, scope: 'workspace', scope_id: ctx.workspace_id, numbers: await countNumbers(ctx, WORKSPACE) },
  ]
  for (const by of GROUPINGS)
    for (const [id, numbers] of await countGroups(ctx, WORKSPACE, by, MAX_GROUPS))
      snapshots.push({ day, visibility, scope: by, scope_id: id!, numbers })
  return snapshots
}

const snapshotRows = rowsParam({ day: 'date', visibility: 'text', scope: 'text', scope_id: 'uuid', numbers: 'jsonb' })

export const insertSnapshots = async (ctx: Context, snapshots: readonly Snapshot[]): Promise<void> => {
  await sql`
    insert into insight_snapshots (day, visibility, scope, scope_id, numbers) select * from ${snapshotRows(snapshots, 'x')} on conflict do nothing
  `.execute(ctx.db)
}

export const findSnapshots = async (ctx: Context, scope: Scope, since: Date): Promise<InsightTrends['days']> => {
  const counted = visibilityOf(ctx.actor)
  if (counted === 'nothing') return []
  const { rows } = await sql<InsightTrends['days'][number]>`
    select to_char(s.day, 'YYYY-MM-DD') as day, s.numbers from insight_snapshots s
    where s.scope = ${scope.type} and s.scope_id = ${scope.type === 'workspace' ? ctx.workspace_id : scope.id}::uuid and s.visibility = ${counted}
      and s.day >= (${since}::timestamptz at time zone 'UTC')::date
    order by s.day
  `.execute(ctx.db, ctx.limits)
  return rows
}
