import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import { createJob } from '../../platform/jobs/jobs.ts'
import type { JobHandler } from '../../platform/jobs/run.ts'
import { addTask } from '../../platform/queue/add-task.ts'

/**
 * After a rename or move, the paths of all descendants are updated. Rows locked by other transactions are skipped and updated later,
 * because an import may lock them for minutes. See docs/decisions/0019-tree-locks.md.
 */

/**
 * Maximum number of descendants that a request renames, moves or deletes itself, which takes about a second. Larger trees are processed by
 * a background job.
 */
export const MAX_SYNCHRONOUS_DESCENDANTS = 10_000
/** How long a request retries rows locked by others before it queues a task. */
const MAX_RETRY_MS = 300
const RETRY_INTERVAL_MS = 20

export const UPDATE_PATHS_JOB = 'update_paths'
export const UPDATE_PATHS_TASK = 'update_paths'
/**
 * Nothing else corrects these paths, so the job is retried for four days, e.g. while the database is down or the process is killed
 * repeatedly.
 */
const UPDATE_PATHS_ATTEMPTS = 25

export const updatePaths = async (ctx: Context, { id, title }: { id: string; title: string }): Promise<void> => {
  if ((await countDescendants(ctx.db, id, MAX_SYNCHRONOUS_DESCENDANTS + 1)) > MAX_SYNCHRONOUS_DESCENDANTS) {
    const job = { kind: UPDATE_PATHS_JOB, title: `Update the paths below ${title}`, payload: { id } }
    await createJob(ctx, { ...job, maxAttempts: UPDATE_PATHS_ATTEMPTS })
    return
  }
  const deadline = performance.now() + MAX_RETRY_MS
  for (;;) {
    const { found, written } = await updateDescendantsOnce(ctx.db, id)
    if (found === 0) return
    if (written > 0) continue // again, including what was committed in the meantime
    if (performance.now() > deadline) return addTask(ctx.db, UPDATE_PATHS_TASK, { id }, { maxAttempts: UPDATE_PATHS_ATTEMPTS })
    await sleep(RETRY_INTERVAL_MS)
  }
}

/** Number of descendants, counted up to `most`. */
export const countDescendants = async (db: Db, id: string, limit: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with recursive below as (
      select c.id from resources c where c.parent = ${id}
      union all
      select c.id from below b join resources c on c.parent = b.id
    )
    select count(*) as count from (select from below limit ${sql.lit(limit)}) b
  `.execute(db)
  return rows[0]!.count
}

/** The location of the row `c` below `above`. Same logic as `computeLocation`. */
const locationSql = (above: string): RawBuilder<unknown> => {
  const p = (column: string) => sql.ref(`${above}.${column}`)
  return sql`
    case when c.entity_type = 'database' then c.title else ${p('title_full')} || '.' || c.title end as title_full,
    case when c.entity_type = 'cluster' then c.title else ${p('cluster')} end as cluster,
    case when c.entity_type = 'database' then c.title else ${p('database')} end as database,
    case when c.entity_type = 'schema' then c.title when c.entity_type = 'database' then null else ${p('schema')} end as schema`
}
const locationColumnsSql = (alias: string) =>
  sql.join(['title_full', 'cluster', 'database', 'schema'].map((column) => sql.ref(`${alias}.${column}`)))
const SET_LOCATION_SQL = sql`title_full = w.title_full, cluster = w.cluster, database = w.database, schema = w.schema`

interface UpdatePass {
  /** Rows with an outdated path. */
  readonly found: number
  /** Rows that were updated. The others were locked. */
  readonly written: number
}

/** One pass over all descendants in one statement. */
const updateDescendantsOnce = async (db: Db, id: string): Promise<UpdatePass> => {
  const { rows } = await sql<UpdatePass>`
    with recursive below as (
      select r.id, ${locationColumnsSql('r')} from resources r where r.id = ${id}
      union all
      select c.id, ${locationSql('b')} from below b join resources c on c.parent = b.id
    ), outdated as materialized (
      select b.* from below b join resources r on r.id = b.id
      where r.id <> ${id} and (${locationColumnsSql('r')}) is distinct from (${locationColumnsSql('b')})
    ), locked as materialized (
      select r.id from resources r where r.id = any(array(select o.id from outdated o)) order by r.id for no key update skip locked
    ), written as (
      update resources r set ${SET_LOCATION_SQL} from outdated w join locked l on l.id = w.id where r.id = w.id returning r.id
    )
    select (select count(*) from outdated) as found, (select count(*) from written) as written
  `.execute(db)
  return rows[0]!
}

/** Updates all descendants in the caller's transaction. Only for rows that the caller created, which no one else can have locked. */
export const updateDescendantPaths = async (db: Db, id: string): Promise<void> => {
  while ((await updateDescendantsOnce(db, id)).written > 0) {}
}

const PARENTS_PER_BATCH = 200
const ROWS_PER_TRANSACTION = 2_000
const REQUEUE_DELAY_MS = 5_000

/**
 * The same for a tree of any size: top down, a limited number of rows per transaction. After a crash it continues with the remaining rows.
 * Returns whether all rows were updated.
 */
const updateTreePaths = async (ctx: Context, id: string, progress: (written: number) => Promise<void>): Promise<boolean> => {
  const waiting = [id]
  let [all, written] = [true, 0]
  while (waiting.length > 0) {
    const parents = waiting.splice(0, PARENTS_PER_BATCH)
    for (;;) {
      const pass = await inTransaction(ctx, ({ db }) => updateChildren(db, parents))
      written += pass.written
      if (pass.written > 0) await progress(written)
      if (pass.written > 0) continue
      all &&= pass.found === 0
      break
    }
    // One by one: spreading more than about 125,000 arguments into a call fails.
    for (const parent of await findChildrenWithChildren(ctx.db, parents)) waiting.push(parent)
  }
  return all
}

const updateChildren = async (db: Db, parents: readonly string[]): Promise<UpdatePass> => {
  const outdated = sql`
    from resources p join resources c on c.parent = p.id cross join lateral (select ${locationSql('p')}) w
    where p.id = any(${parents}::uuid[]) and (${locationColumnsSql('c')}) is distinct from (${locationColumnsSql('w')})`
  const { rows } = await sql<UpdatePass>`
    with outdated as materialized (
      select c.id, ${locationColumnsSql('w')} ${outdated} limit ${sql.lit(ROWS_PER_TRANSACTION)} for no key update of c skip locked
    ), written as (
      update resources r set ${SET_LOCATION_SQL} from outdated w where r.id = w.id returning r.id
    )
    select (select count(*) from written) as written, (select count(*) from (select ${outdated} limit 1) f) as found
  `.execute(db)
  return rows[0]!
}

/** Children that have children themselves. */
const findChildrenWithChildren = async (db: Db, parents: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select c.id from resources c where c.parent = any(${parents}::uuid[]) and c.children_count > 0
  `.execute(db)
  return rows.map((row) => row.id)
}

export const runUpdatePathsJob: JobHandler = async (ctx, payload, report) => {
  const { id } = payload as { id: string }
  const total = await countDescendants(ctx.db, id, Number.MAX_SAFE_INTEGER)
  await report(0, `Updating the paths of ${total.toLocaleString('en')} resources.`)
  const all = await updateTreePaths(ctx, id, (written) => report((100 * written) / Math.max(total, written)))
  if (!all) await requeue(ctx, id)
}

/** Updates the rows that a request or job skipped because they were locked. Requeues itself until none are left. */
export const finishPathUpdates = async (ctx: Context, { id }: { id: string }): Promise<void> => {
  if (!(await updateTreePaths(ctx, id, async () => {}))) await requeue(ctx, id)
}

const requeue = (ctx: Context, id: string): Promise<void> =>
  addTask(ctx.db, UPDATE_PATHS_TASK, { id }, { runAt: new Date(ctx.now.getTime() + REQUEUE_DELAY_MS), maxAttempts: UPDATE_PATHS_ATTEMPTS })
