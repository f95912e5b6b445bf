import { sql } from 'kysely'
import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { conflict, notFound, permissionDenied } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { newId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import type { Db } from '../../platform/db/connect.ts'
import { recordActivitiesSql } from '../../platform/history/record.ts'
import { createJob } from '../../platform/jobs/jobs.ts'
import type { JobHandler } from '../../platform/jobs/run.ts'
import type { Job } from '../../platform/jobs/schema.ts'
import { can, requirePermission, visibleTo } from '../../platform/permissions/permissions.ts'
import { ENTITY_TYPE_CONFIGS } from '../entity-types/entity-types.ts'
import { getResource } from '../listing/read.ts'
import { preservedValuesSql } from '../properties/preserved-values.ts'
import { ACTIVITY_NOUNS } from '../records/activities-sql.ts'
import { requireResourceWrite } from '../records/authors.ts'
import { PRESERVED_FIELDS } from '../records/change.ts'
import { countDescendants, MAX_SYNCHRONOUS_DESCENDANTS } from '../records/paths.ts'
import type { ResourceRow } from '../records/record.ts'
import { removeReferences } from '../records/remove-references.ts'
import { findDescendants, lockResourceRows } from '../records/resource-rows.ts'
import type { Resource } from '../records/schema.ts'
import { completeTrashEntry, copyToTrash, createTrashEntry, saveAcceptedReply } from '../trash/trash-rows.ts'
import { clearAcceptedReply } from './questions.ts'

declare module '../../platform/context/runtime.ts' {
  interface Runtime {
    /** Called in the transaction before resources are deleted, for modules that the catalog cannot import. */
    readonly beforeDeletion: readonly ((ctx: Context, ids: readonly string[]) => Promise<void>)[]
  }
}

/** The deleted record, or the job that deletes a large tree. */
export type DeletionResult = { readonly record: Resource; readonly job?: undefined } | { readonly job: Job; readonly record?: undefined }

export const DELETION_DESCRIPTION = `Deletes the resource and everything below it. More than ${MAX_SYNCHRONOUS_DESCENDANTS.toLocaleString('en')} resources are deleted by a background job: the response is 202 with the job.`
export const DELETE_RESOURCE_JOB = 'remove_resource'

/** Moves a resource and all its descendants to the trash. Each gets a last version that contains the full record. */
export const deleteResource = (ctx: Context, id: string, entity_type?: string): Promise<DeletionResult> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, can(ctx.actor, 'catalog.write') ? 'catalog.write' : 'questions.ask')
    if ((await countDescendants(ctx.db, id, MAX_SYNCHRONOUS_DESCENDANTS + 1)) <= MAX_SYNCHRONOUS_DESCENDANTS) {
      await setLockTimeout(ctx.db, '5s')
      return { record: await deleteNow(ctx, id, entity_type) }
    }
    const record = await getResource(ctx, id, entity_type)
    requireIfMatch(ctx, computeEtag(record))
    return {
      job: await createJob(ctx, { kind: DELETE_RESOURCE_JOB, title: `Delete ${record.title} and everything below it`, payload: { id } }),
    }
  }).catch((error) => {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
    throw conflict(
      translatable(
        'This resource cannot be deleted right now because something below it is being written, for example by an import. Try again later.',
      ),
    )
  })

const LOCK_NOT_AVAILABLE = '55P03'
/** How long the statements of this transaction wait for a lock. */
export const setLockTimeout = (db: Db, time: string) => sql`select set_config('lock_timeout', ${time}, true)`.execute(db)

const deleteNow = async (ctx: Context, id: string, entity_type?: string, progress?: Progress): Promise<Resource> => {
  const row = (await lockResourceRows(ctx.db, ctx.actor, [id], { to: 'delete' })).get(id)
  if (!row) throw notFound('resource', id)
  const record = await getResource(ctx, id, entity_type)
  requireIfMatch(ctx, computeEtag(row))
  if (!can(ctx.actor, 'catalog.write')) await requireResourceWrite(ctx, await findDescendants(ctx.db, id))
  await moveToTrash(ctx, row, progress)
  return record
}

/** Moves a locked resource and everything below it to the trash. */
export const moveToTrash = async (ctx: Context, row: ResourceRow, progress?: Progress): Promise<void> => {
  const accepted = await clearAcceptedReply(ctx, row)
  await deleteTrees(ctx, [row.id], newId(), { trashedId: row.id, progress })
  if (accepted) await saveAcceptedReply(ctx, accepted)
}

/** A large tree is also deleted in one transaction, so that readers see all of it or nothing. After a crash the job starts over. */
export const runDeleteResourceJob: JobHandler = async (ctx, payload, report) => {
  const { id } = payload as { id: string }
  const total = 1 + (await countDescendants(ctx.db, id, Number.MAX_SAFE_INTEGER))
  await report(0, `Deleting ${total.toLocaleString('en')} resources.`)
  await inTransaction(ctx, async (ctx) => {
    await sql`set local statement_timeout = 0`.execute(ctx.db)
    await setLockTimeout(ctx.db, '5min')
    const exists = (await lockResourceRows(ctx.db, ctx.actor, [id], { to: 'delete' })).has(id)
    if (exists) await deleteNow(ctx, id, undefined, (share) => report(100 * share))
  })
  await report(99, `Deleted ${total.toLocaleString('en')} resources.`)
}

type Progress = (share: number) => Promise<void>

/** The field in which members reference a resource, by entity type. */
const MEMBER_FIELDS = JSON.stringify(
  Object.fromEntries([...ENTITY_TYPE_CONFIGS].flatMap(([type, { members_field: members }]) => (members ? [[type, members]] : []))),
)
const BATCH_ROWS = 5_000

/**
 * Deletes the rows with all descendants and records their activities. `root` is the activity that the others belong to: that of `itself`,
 * or of something that is not a resource. Members are kept. A resource deleted by a user (`itself`) goes to the trash; what is deleted with
 * an integration or by undoing a sync does not.
 */
export const deleteTrees = async (
  ctx: Context,
  ids: readonly string[],
  root: string,
  { trashedId = null, progress = async () => {} }: { trashedId?: string | null; progress?: Progress } = {},
): Promise<void> => {
  const all: string[] = []
  const trash = trashedId ? await createTrashEntry(ctx, trashedId) : undefined
  for await (const locked of lockTrees(ctx.db, ids)) {
    for (const id of locked) all.push(id)
    if (trash) await copyToTrash(ctx.db, trash, trashedId!, locked)
    await progress(0)
  }
  for (const prepare of ctx.runtime.beforeDeletion) await prepare(ctx, all)
  if (trash) await completeTrashEntry(ctx.db, trash, all.length - 1)
  // Otherwise foreign key checks are planned again for each row, which takes longer than the check.
  if (all.length > 100) await sql`set local plan_cache_mode = force_generic_plan`.execute(ctx.db)
  // Deepest first: parents are deleted with or after their children.
  for (let end = all.length; end > 0; end -= BATCH_ROWS) {
    await deleteRows(ctx, all.slice(Math.max(0, end - BATCH_ROWS), end), root, trashedId)
    await progress(1 - Math.max(0, end - BATCH_ROWS) / all.length)
  }
}

/**
 * Locks these rows and their descendants level by level from the top, at most AT_ONCE at a time. Nothing can be added below a locked row,
 * and the next statement sees all its children, so nothing that is created or moved concurrently is missed.
 */
async function* lockTrees(db: Db, ids: readonly string[]): AsyncGenerator<string[]> {
  let parents: LockedRow[] = []
  for await (const some of lockInPages(db, ids)) {
    yield some.map(({ id }) => id)
    for (const each of some) if (each.children_count > 0) parents.push(each)
  }
  while (parents.length > 0) {
    const below: LockedRow[] = []
    for (const some of chunkParents(parents)) {
      const of = new Set(some)
      for await (const page of lockInPages(db, await findChildIds(db, some))) {
        const children = page.filter(({ parent }) => parent !== null && of.has(parent)) // may have been moved away before it was locked
        yield children.map(({ id }) => id)
        for (const each of children) if (each.children_count > 0) below.push(each)
      }
    }
    parents = below
  }
}

interface LockedRow {
  readonly id: string
  readonly parent: string | null
  readonly children_count: number
}

async function* lockInPages(db: Db, ids: readonly string[]): AsyncGenerator<LockedRow[]> {
  const sorted = ids.toSorted()
  for (let i = 0; i < sorted.length; i += BATCH_ROWS) {
    const { rows } = await sql<LockedRow>`
      select r.id, r.parent, r.children_count from resources r where r.id = any(${sorted.slice(i, i + BATCH_ROWS)}::uuid[]) order by r.id for update
    `.execute(db)
    yield rows
  }
}

const findChildIds = async (db: Db, parents: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select r.id from resources r where r.parent = any(${parents}::uuid[])`.execute(db)
  return rows.map(({ id }) => id)
}

/** Groups parents so that each group has a limited number of children. */
function* chunkParents(parents: readonly LockedRow[]): Generator<string[]> {
  let [chunk, children]: [string[], number] = [[], 0]
  for (const { id, children_count } of parents) {
    if (children_count === 0) continue
    if (chunk.length > 0 && children + children_count > BATCH_ROWS) {
      yield chunk
      chunk = []
      children = 0
    }
    chunk.push(id)
    children += children_count
  }
  if (chunk.length > 0) yield chunk
}

const deleteRows = async (ctx: Context, ids: readonly string[], root: string, trashedId: string | null): Promise<void> => {
  const { rows } = await sql<{ hidden: boolean; left: { id: string; field: 'collections' | 'terms' }[] | null }>`
    with gone as (
      delete from resources r where r.id = any(${ids}::uuid[]) returning r.*
    ), noted as (
      ${recordActivitiesSql(
        ctx,
        sql`
          select case when r.id = ${trashedId}::uuid then ${root}::uuid else gen_random_uuid() end as id,
            case when r.id = ${trashedId}::uuid then null else ${root}::uuid end as parent_id,
            (${ACTIVITY_NOUNS}::text::json ->> r.entity_type) || '_deleted' as activity_type, r.id as resource_id, r.entity_type as resource_type,
            r.title as resource_title, r.icon as resource_icon, r.integration as integration_id, r.version + 1 as version, (
              select jsonb_agg(jsonb_build_object('field', f.key, 'from', f.value, 'to', null))
              from json_each(to_json(r)) f
              where f.key = any(${PRESERVED_FIELDS}::text[]) and json_typeof(f.value) <> 'null' and f.value::text <> 'false'
            ) || ${preservedValuesSql('r')} as changes, r.parent as parent_left
          from gone r`,
        'versions',
      )}
    )
    select exists (select from gone r where not ${visibleTo(ctx.actor)}) as hidden,
      (select json_agg(json_build_object('id', r.id, 'field', m.value)) from gone r join json_each_text(${MEMBER_FIELDS}::text::json) m on m.key = r.entity_type) as left
  `.execute(ctx.db)
  const { hidden, left } = rows[0]!
  if (hidden) throw permissionDenied(translatable('You do not have permission to delete some of the resources below this one.'))
  for (const { id, field } of left ?? []) await removeReferences(ctx, { field, id, entry: root })
}
