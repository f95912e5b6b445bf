import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../context/context.ts'
import { newId } from '../core/id.ts'
import { copyIn, MIN_COPIED_ROWS } from '../db/copy-in.ts'
import { rowsParam } from '../db/rows-param.ts'
import { getTraceparent } from '../tracing/spans.ts'
import { TextStore } from './texts.ts'

/** One field of a record before and after. */
export interface Change {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

export interface Activity {
  readonly id?: string
  /** `<noun>_<verb past>`, e.g. `resource_updated`. */
  readonly activity_type: string
  /** The activity that caused this one, e.g. publishing the table of a column. */
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
  /** Users it is addressed to: they are notified if they can see the resource, even without a subscription. */
  readonly recipients?: readonly string[]
  /** The whole record after this version, with every SNAPSHOT_EVERYth version. */
  readonly snapshot?: Readonly<Record<string, unknown>>
}

/** In the payload of what an integration did to something that is related to something else, e.g. lineage to its other end: the ID of the integration. */
export const INTEGRATION_FIELD = 'performing_integration'

/** Reading a version starts at the last snapshot before it, so it reads at most this many entries. */
const SNAPSHOT_EVERY = 10
export const needsSnapshot = (version: number): boolean => version % SNAPSHOT_EVERY === 0

const COLUMNS = {
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
  payload: 'jsonb',
} as const
const PERFORMER_COLUMNS = { performer_id: 'uuid', performer_type: 'text', logged_at: 'timestamptz', traceparent: 'text' }
const activityRows = rowsParam(COLUMNS, 'changes')
const performedRows = rowsParam({ ...COLUMNS, ...PERFORMER_COLUMNS }, 'changes')

/** The part of the context needed to record activities; at the first start there is no more. */
type RecordContext = Pick<Context, 'db' | 'actor' | 'now' | 'part_of' | 'in_transaction'>

/** Records edits; what is no edit of fields is an event (`recordEvents`). Must be called in the transaction of the change. */
export const recordActivities = (ctx: RecordContext, activities: readonly Activity[], options?: RecordOptions): Promise<void> =>
  insertActivities(ctx, activities, options)

interface RecordOptions {
  /** The change itself, as part of the same statement: a round trip less. */
  readonly write?: RawBuilder<unknown>
}

/** The only writer of history, of edits and events. */
export const insertActivities = async (
  ctx: RecordContext,
  activities: readonly (Activity & { readonly payload?: object })[],
  { write }: RecordOptions = {},
): Promise<void> => {
  if (!ctx.in_transaction) throw new Error('History must be recorded in the transaction of the change.')
  if (activities.length === 0) return
  const texts = new TextStore()
  const rows = activities.map((activity) => toRow(ctx, activity, texts))
  const performer = getPerformer(ctx)
  if (rows.length >= MIN_COPIED_ROWS && !write) {
    await Promise.all([texts.write(ctx.db), copyIn(ctx.db, 'activities', { ...COLUMNS, changes: 'jsonb' }, rows, performer)])
    return
  }
  const { performer_id, performer_type, logged_at, traceparent } = performer
  await Promise.all([
    texts.write(ctx.db),
    sql`
      ${write ? sql`with written as (${write})` : sql``}
      insert into activities (${INSERTED_COLUMNS})
      select ${ROW_COLUMNS}, ${performer_id}::uuid, ${performer_type}, ${logged_at}::timestamptz, ${traceparent}::text from ${activityRows(rows, 'a')}
    `.execute(ctx.db),
  ])
}

const ROW_COLUMNS = sql.raw([...Object.keys(COLUMNS), 'changes'].join(', '))
const INSERTED_COLUMNS = sql`${ROW_COLUMNS}, ${sql.raw(Object.keys(PERFORMER_COLUMNS).join(', '))}`

const toRow = ({ part_of, actor }: RecordContext, activity: Activity & { readonly payload?: object }, texts: TextStore) => ({
  id: newId(),
  ...(part_of ? { related_resource_ids: [part_of.id], related_resource_type: part_of.type } : {}),
  ...activity,
  ...(activity.related_resource_ids && actor.performer_type === 'INTEGRATION' && part_of?.integration
    ? { payload: { ...activity.payload, [INTEGRATION_FIELD]: part_of.integration } }
    : {}),
  ...(activity.version === undefined ? {} : toStoredVersion(activity, texts)),
  parent_left: findLeftParent(activity),
})

const getPerformer = ({ actor, now }: RecordContext) => ({
  performer_id: actor.user_id,
  performer_type: actor.performer_type,
  logged_at: now,
  traceparent: getTraceparent() ?? null,
})

/** An activity as a row, with its performer. */
export type PreparedActivity = object

/** Undefined if it has long texts, which are stored separately. */
export const prepareActivity = (ctx: RecordContext, activity: Activity): PreparedActivity | undefined => {
  const texts = new TextStore()
  const row = { ...toRow(ctx, activity, texts), ...getPerformer(ctx) }
  return texts.isEmpty ? row : undefined
}

/**
 * Activities of several callers and what they record, in one statement. `write` returns the IDs of the resources that it has written; only their
 * activities are inserted, and their IDs returned.
 */
export const recordPreparedSql = (
  activities: readonly PreparedActivity[],
  write: RawBuilder<unknown>,
): RawBuilder<{ resource_id: string }> => sql`
  with written as (${write})
  insert into activities (${INSERTED_COLUMNS})
  select ${INSERTED_COLUMNS} from ${performedRows(activities, 'a')} where a.resource_id in (select w.id from written w)
  returning resource_id`

const toStoredVersion = ({ resource_id = '', changes = [], snapshot }: Activity, texts: TextStore) => ({
  changes: texts.storeChanges(resource_id, changes),
  ...(snapshot ? { snapshot: texts.storeSnapshot(resource_id, snapshot) } : {}),
})

/**
 * The same as SQL, for activities that a statement creates itself. `rows` has `id, parent_id, activity_type, resource_id,
 * resource_type, resource_title, resource_icon, integration_id, changes`, and `version, parent_left` if they are versions of resources.
 */
export const recordActivitiesSql = (ctx: Context, rows: RawBuilder<unknown>, versions?: 'versions'): RawBuilder<unknown> => {
  if (!ctx.in_transaction) throw new Error('History must be recorded in the transaction of the change.')
  return sql`
    insert into activities (id, parent_id, activity_type, performer_id, performer_type, resource_id, resource_type, resource_title, resource_icon,
      integration_id, changes, logged_at, traceparent${versions ? sql`, version, parent_left` : sql``})
    select a.id, a.parent_id, a.activity_type, ${ctx.actor.user_id}::uuid, ${ctx.actor.performer_type}::text, a.resource_id, a.resource_type, a.resource_title,
      a.resource_icon, a.integration_id, a.changes, ${ctx.now}::timestamptz, ${getTraceparent()}::text${versions ? sql`, a.version, a.parent_left` : sql``}
    from (${rows}) a`
}

/** The parent the resource was moved away from or deleted under; the past number of children is computed from it. */
const findLeftParent = ({ changes = [] }: Activity): unknown => changes.find(({ field }) => field === 'parent')?.from

export const recordActivity = (ctx: Context, activity: Activity): Promise<void> => recordActivities(ctx, [activity])
