import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../context.ts'
import { rowsOf } from '../db/rows.ts'
import { newId } from '../id.ts'
import { TextStore } from './texts.ts'

/** One field of a record before and after. */
export interface Change {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

export interface Activity {
  readonly id?: string
  /** `<noun>_<verb past>`, as `resource_updated`. */
  readonly activity_type: string
  /** The entry this one follows from: a column published because its table was. */
  readonly parent_id?: string
  readonly resource_id?: string
  readonly resource_type?: string
  readonly resource_title?: string | null
  readonly resource_icon?: string | null
  readonly integration_id?: string | null
  readonly related_resource_ids?: readonly string[]
  readonly related_resource_type?: string
  readonly version?: number
  readonly changes?: readonly Change[]
  /** People it is addressed to: they are notified if they may see the resource, whether or not they follow it. */
  readonly recipients?: readonly string[]
  /** The whole record as this version left it, with every so many versions: see SNAPSHOT_EVERY. */
  readonly snapshot?: Readonly<Record<string, unknown>>
}

/** Reading a version begins at the last snapshot before it, so it reads at most so many entries, whatever its number. */
const SNAPSHOT_EVERY = 10
export const needsSnapshot = (version: number): boolean => version % SNAPSHOT_EVERY === 0

const written = rowsOf(
  {
    id: 'uuid',
    parent_id: 'uuid',
    activity_type: 'text',
    resource_id: 'uuid',
    resource_type: 'text',
    resource_title: 'text',
    resource_icon: 'text',
    integration_id: 'uuid',
    related_resource_ids: 'uuid[]',
    related_resource_type: 'text',
    version: 'int',
    parent_left: 'uuid',
    snapshot: 'jsonb',
    recipients: 'uuid[]',
  },
  'changes',
)

/** What it takes to write history: at the first start there is no more than this. */
type Writing = Pick<Context, 'db' | 'actor' | 'now' | 'part_of' | 'in_transaction'>

/** The only writer of history. Called in the transaction of the change itself: there is no change without its entry, and no entry without its change. */
export const recordActivities = async (ctx: Writing, activities: readonly Activity[]): Promise<void> => {
  if (!ctx.in_transaction) throw new Error('History is written in the transaction of the change.')
  if (activities.length === 0) return
  const { part_of } = ctx
  const related = part_of ? { related_resource_ids: [part_of.id], related_resource_type: part_of.type } : {}
  const texts = new TextStore()
  const rows = activities.map((activity) => ({
    id: newId(),
    ...related,
    ...activity,
    ...(activity.version === undefined ? {} : storedVersion(activity, texts)),
    parent_left: parentLeft(activity),
  }))
  await Promise.all([
    texts.write(ctx.db),
    sql`
      insert into activities (id, parent_id, activity_type, performer_id, performer_type, resource_id, resource_type, resource_title, resource_icon,
        integration_id, related_resource_ids, related_resource_type, version, changes, logged_at, parent_left, snapshot, recipients)
      select id, parent_id, activity_type, ${ctx.actor.user_id}::uuid, ${ctx.actor.performer_type}, resource_id, resource_type, resource_title, resource_icon,
        integration_id, related_resource_ids, related_resource_type, version, changes, ${ctx.now}::timestamptz, parent_left, snapshot, recipients
      from ${written(rows, 'a')}
    `.execute(ctx.db),
  ])
}

const storedVersion = ({ resource_id = '', changes = [], snapshot }: Activity, texts: TextStore) => ({
  changes: texts.ofChanges(resource_id, changes),
  ...(snapshot ? { snapshot: texts.ofSnapshot(resource_id, snapshot) } : {}),
})

/**
 * The same for entries that a statement makes by itself, however many: a step of it. `rows` has `id, parent_id, activity_type, resource_id,
 * resource_type, resource_title, resource_icon, integration_id, changes`, and `version, parent_left` where they are versions of resources.
 */
export const recordedFrom = (ctx: Context, rows: RawBuilder<unknown>, versions?: 'versions'): RawBuilder<unknown> => {
  if (!ctx.in_transaction) throw new Error('History is written in the transaction of the change.')
  return sql`
    insert into activities (id, parent_id, activity_type, performer_id, performer_type, resource_id, resource_type, resource_title, resource_icon,
      integration_id, changes, logged_at${versions ? sql`, version, parent_left` : sql``})
    select a.id, a.parent_id, a.activity_type, ${ctx.actor.user_id}::uuid, ${ctx.actor.performer_type}::text, a.resource_id, a.resource_type, a.resource_title,
      a.resource_icon, a.integration_id, a.changes, ${ctx.now}::timestamptz${versions ? sql`, a.version, a.parent_left` : sql``}
    from (${rows}) a`
}

/** The parent it took its resource away from, by moving or deleting it: how many children that one had is counted from here. */
const parentLeft = ({ changes = [] }: Activity): unknown => changes.find(({ field }) => field === 'parent')?.from

export const recordActivity = (ctx: Context, activity: Activity): Promise<void> => recordActivities(ctx, [activity])
