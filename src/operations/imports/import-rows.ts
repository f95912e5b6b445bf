import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import { deleteInBatches } from '../../platform/db/in-batches.ts'
import { desc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import { can, visibleTo } from '../../platform/permissions/permissions.ts'
import type { ImportFormat, ImportUndoCounts, Kept } from './schema.ts'

/** SQL of finished imports. */

export const UNDO_DAYS = 90

export interface ImportRow {
  readonly id: string
  /** The transaction of the import: with its time, it finds the activities. */
  readonly xid: string
  readonly imported_at: string
  readonly user_id: string | null
  readonly integration: string
  readonly file_name: string | null
  readonly format: ImportFormat
  readonly lines: number
  readonly created: number
  readonly updated: number
  readonly lineage_created: number
  readonly containers_published: number
  /** The job that undoes it, while it is queued or running. */
  readonly running_job: string | null
  readonly undone_at: string | null
  readonly undone_by: string | null
  /** What its undo has done so far, or in total. */
  readonly undo_report: UndoSummary | null
}

/** `kept` is there when the undo is complete. */
export type UndoSummary = ImportUndoCounts & { readonly kept?: readonly Kept[] }

type NewImport = Pick<
  ImportRow,
  'id' | 'integration' | 'file_name' | 'format' | 'lines' | 'created' | 'updated' | 'lineage_created' | 'containers_published'
>

/** Must be called in the transaction of the import, whose ID it stores. */
export const insertImport = async (ctx: Context, row: NewImport): Promise<void> => {
  await ctx.db
    .insertInto('imports')
    .values({ ...row, imported_at: ctx.now, user_id: ctx.actor.user_id })
    .execute()
}

/** A reported value before and after an import. */
export interface ReportedChange {
  readonly id: string
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
}

export const insertReportedValues = async (
  db: Db,
  import_id: string,
  number: number,
  changes: readonly ReportedChange[],
): Promise<void> => {
  await sql`
    insert into import_reported_values (import_id, number, changes) values (${import_id}, ${number}::int, ${JSON.stringify(changes)}::text::jsonb)
  `.execute(db)
}

/** The next batch of reported values. */
export const nextReportedValues = async (
  { db, limits }: Pick<Context, 'db' | 'limits'>,
  import_id: string,
  after: number,
): Promise<{ number: number; changes: readonly ReportedChange[] } | undefined> =>
  (await db
    .selectFrom('import_reported_values')
    .select(['number', 'changes'])
    .where('import_id', '=', import_id)
    .where('number', '>', after)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst(limits)) as { number: number; changes: readonly ReportedChange[] } | undefined

const COLUMNS_SQL = sql`i.*, (select j.id from background_jobs j where j.id = i.undo_job and j.completed is null) as running_job`

/** Admins see every import, others their own. */
const visibleImportsSql = ({ actor }: Context): RawBuilder<boolean> =>
  can(actor, 'people.manage') ? sql<boolean>`true` : sql<boolean>`i.user_id = ${actor.user_id}`

export const listImportRows = (ctx: Context, page: PageRequest) =>
  readPage<ImportRow>(ctx, page, {
    select: COLUMNS_SQL,
    from: sql`imports i`,
    where: visibleImportsSql(ctx),
    order: [desc('timestamp', 'i.imported_at'), desc('id', 'i.id')],
  })

export const findImportRow = async (ctx: Context, id: string): Promise<ImportRow | undefined> => {
  const { rows } = await sql<ImportRow>`select ${COLUMNS_SQL} from imports i where i.id = ${id} and ${visibleImportsSql(ctx)}`.execute(
    ctx.db,
  )
  return rows[0]
}

/** Those that the caller can see, with their titles of now. */
export const findVisibleKept = async (ctx: Context, kept: readonly Kept[]): Promise<Kept[]> => {
  if (kept.length === 0) return []
  const { rows } = await sql<{ id: string; title: string }>`
    select r.id, r.title from resources r where r.id = any(${kept.map(({ resource_id }) => resource_id)}::uuid[]) and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  const titles = new Map(rows.map(({ id, title }) => [id, title]))
  return kept.flatMap((each) => (titles.has(each.resource_id) ? [{ ...each, title: titles.get(each.resource_id)! }] : []))
}

/**
 * Locks an import until the transaction ends. It is read by another statement afterwards: one that waited for the lock would not see the job
 * that was created meanwhile.
 */
export const lockImport = async (db: Db, id: string): Promise<void> => {
  await sql`select from imports i where i.id = ${id} for update`.execute(db)
}

export const setUndoJob = async (db: Db, id: string, job: string): Promise<void> => {
  await sql`update imports set undo_job = ${job} where id = ${id}`.execute(db)
}

/** What was undone so far: an undo that continues a cancelled one adds to it. */
export const saveUndoSummary = async (db: Db, id: string, counts: UndoSummary): Promise<void> => {
  await sql`update imports set undo_report = ${JSON.stringify(counts)}::text::jsonb where id = ${id} and undone_at is null`.execute(db)
}

/** False when it was already undone. */
export const markImportUndone = async (ctx: Context, id: string): Promise<boolean> => {
  const { rows } = await sql`
    update imports set undone_at = ${ctx.now}::timestamptz, undone_by = ${ctx.actor.user_id}::uuid, undo_job = null
    where id = ${id} and undone_at is null returning id
  `.execute(ctx.db)
  return rows.length > 0
}

/** Housekeeping: values that are no longer needed, because the import was undone or can no longer be. */
export const deleteOldReportedValues = ({ db, now }: Context): Promise<void> =>
  deleteInBatches(
    db,
    'import_reported_values',
    sql`import_id in (
      select i.id from imports i where i.undone_at is not null or i.imported_at < ${now}::timestamptz - ${sql.lit(UNDO_DAYS)} * interval '1 day')`,
  )
