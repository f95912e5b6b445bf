import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { filterSql } from '../../platform/lists/filter-sql.ts'
import { type PerformerType, SYSTEM } from '../../platform/permissions/permissions.ts'
import { addTask } from '../../platform/queue/add-task.ts'
import { recordUpdatesSql } from './activities-sql.ts'
import { findField } from './fields.ts'

/** An ID to remove from an array field of every resource, because what it referenced was deleted. */
export interface ReferenceRemoval {
  readonly field: 'tags' | 'collections' | 'terms'
  readonly id: string
  /** The activity this belongs to. */
  readonly entry: string
}

/** The background task, with the actor who started it. */
export interface ReferenceRemovalTask extends ReferenceRemoval {
  readonly user_id: string | null
  readonly performer_type: PerformerType
}
export const REMOVE_REFERENCES_TASK = 'take_off'

const BATCH_ROWS = 1000 // rows, about half a second; the rest is removed in the background, so that an ID on a million resources can be deleted too

/**
 * Removes the references in the caller's transaction. If there are very many, only the first batch; a task removes the rest. Until then the
 * remaining rows reference an ID that no longer exists, which readers must tolerate anyway.
 */
export const removeReferences = async (ctx: Context, removal: ReferenceRemoval): Promise<void> => {
  const { user_id, performer_type } = ctx.actor
  if ((await removeReferencesBatch(ctx, removal)) === BATCH_ROWS)
    await addTask(ctx.db, REMOVE_REFERENCES_TASK, { ...removal, user_id, performer_type } satisfies ReferenceRemovalTask, {
      key: `${REMOVE_REFERENCES_TASK} ${removal.id}`,
    })
}

/** After a crash it continues with the remaining rows. */
export const removeRemainingReferences = async (
  ctx: Context,
  { user_id, performer_type, ...removal }: ReferenceRemovalTask,
): Promise<void> => {
  const as = { ...ctx, actor: { ...SYSTEM, user_id, performer_type } }
  while ((await inTransaction(as, (ctx) => removeReferencesBatch(ctx, removal))) === BATCH_ROWS) {}
}

/** One statement for the rows, their versions and activities. Returns the number of rows. */
const removeReferencesBatch = async (ctx: Context, { field, id, entry }: ReferenceRemoval): Promise<number> => {
  const column = sql.ref(field)
  const having = filterSql({ operator: 'exact', field: findField(field)!, values: [id] }, 'r')
  const { rows } = await sql<{ id: string }>`
    select r.id from resources r where ${having} order by r.id limit ${sql.lit(BATCH_ROWS)} for no key update
  `.execute(ctx.db)
  if (rows.length === 0) return 0
  // If the target was restored in the meantime, the references stay. Checked after locking the rows, which a restore does too.
  const { rows: back } = await sql`select from resources r where r.id = ${id} for key share`.execute(ctx.db)
  if (back.length > 0) return 0
  await sql`
    with written as (
      update resources r set ${column} = nullif(array_remove(b.${column}, ${id}::uuid), '{}'), version = b.version + 1, updated_at = ${ctx.now}::timestamptz
      from resources b where r.id = b.id and b.id = any(${rows.map((row) => row.id)}::uuid[])
      returning r.id, r.entity_type, r.title, r.icon, r.integration, r.version, b.${column} as before, r.${column} as after
    )
    ${recordUpdatesSql(ctx, field, entry)}
  `.execute(ctx.db)
  return rows.length
}
