import { type RawBuilder, sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { recordEvent } from '../../platform/history/events.ts'

/** A text may be saved long after a picture was pasted into it: browsers keep drafts. */
const GRACE_DAYS = 7
const BATCH = 100

/** Deletes attachments that no version of their resource refers to, and those of resources that are gone for good. */
export const deleteUnusedAttachments = async (ctx: Context): Promise<void> => {
  await markReferenced(ctx)
  for (let last = ''; ; ) {
    const deleted = await deleteBatch(ctx, last)
    if (deleted.length < BATCH) return
    last = deleted.at(-1)!
  }
}

const expiredSql = (now: Date): RawBuilder<unknown> => sql`a.created_at < ${now}::timestamptz - make_interval(days => ${GRACE_DAYS}::int)`

/** Texts of versions are either in their changes or, if they are long, in `history_texts`. */
const markReferenced = async ({ db, now }: Context): Promise<void> => {
  await sql`
    update attachments a set referenced = true where not a.referenced and ${expiredSql(now)} and (
      exists (select from resources r where r.id = a.resource_id and strpos(concat(r.definition, ' ', r.description), a.id::text) > 0)
      or exists (select from history_texts h where h.resource_id = a.resource_id and strpos(h.text, a.id::text) > 0)
      or exists (
        select from activities x where x.resource_id = a.resource_id and x.version is not null and strpos(concat(x.changes, ' ', x.snapshot), a.id::text) > 0
      )
    )`.execute(db)
}

const goneSql = sql`(
  not exists (select from resources r where r.id = a.resource_id)
  and not exists (select from trash t where t.resource_id = a.resource_id and t.removed_at is null)
  and not exists (
    select from trash_rows w join trash t on t.id = w.trash
    where w.table_name = 'resources' and (w.row ->> 'id')::uuid = a.resource_id and t.removed_at is null
  ))`

const deleteBatch = (ctx: Context, after: string): Promise<string[]> =>
  inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<{
      id: string
      resource_id: string
      name: string
      media_type: string
      byte_size: number
      title: string | null
      type: string | null
    }>`
      delete from attachments d using (
        select a.id, r.title, r.entity_type as type from attachments a left join resources r on r.id = a.resource_id
        where ${after === '' ? sql`true` : sql`a.id > ${after}::uuid`} and ((not a.referenced and ${expiredSql(ctx.now)}) or ${goneSql})
        order by a.id limit ${BATCH} for update of a skip locked
      ) a where d.id = a.id returning d.id, d.resource_id, d.name, d.media_type, d.byte_size, a.title, a.type`.execute(ctx.db)
    for (const { id, resource_id, name, media_type, byte_size, title, type } of rows)
      await recordEvent(ctx, {
        kind: 'attachment_deleted',
        resource: { id: resource_id, type: type ?? 'resource', title },
        payload: { attachment: id, name, media_type, byte_size },
      })
    return rows.map(({ id }) => id).sort()
  })
