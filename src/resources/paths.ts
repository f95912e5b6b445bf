import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { type Context, inTransaction } from '../context.ts'
import type { Db } from '../db/connect.ts'
import { createJob } from '../jobs/jobs.ts'
import type { JobWork } from '../jobs/run.ts'
import { addTask } from '../queue/add-task.ts'

/**
 * After a rename or a move, everything below takes the new path. Rows that somebody else is writing are not waited for: an import may hold
 * them for minutes. See docs/decisions/0019-tree-locks.md.
 */

/** How many resources below another a request renames, moves or deletes by itself: about a second. More is the work of a background job. */
export const LARGE = 10_000
/** How long a request looks again for rows that others were writing; then a task does it. */
const PATIENCE_MS = 300
const LOOK_AGAIN_MS = 20

export const PATHS_JOB = 'update_paths'
export const PATHS_TASK = 'update_paths'
/** Nothing else makes these paths right, so it is tried for four days: the database may be away, or the process killed again and again. */
const PATHS_ATTEMPTS = 25

export const updatePaths = async (ctx: Context, { id, title }: { id: string; title: string }): Promise<void> => {
  if ((await countBelow(ctx.db, id, LARGE + 1)) > LARGE) {
    const job = { kind: PATHS_JOB, title: `Update the paths below ${title}`, payload: { id } }
    await createJob(ctx, { ...job, maxAttempts: PATHS_ATTEMPTS })
    return
  }
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const { found, written } = await updateBelow(ctx.db, id)
    if (found === 0) return
    if (written > 0) continue // once more, with what was committed meanwhile
    if (performance.now() > until) return addTask(ctx.db, PATHS_TASK, { id }, { maxAttempts: PATHS_ATTEMPTS })
    await sleep(LOOK_AGAIN_MS)
  }
}

/** How many resources are below this one, counted up to `most`. */
export const countBelow = async (db: Db, id: string, most: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with recursive below as (
      select c.id from resources c where c.parent = ${id}
      union all
      select c.id from below b join resources c on c.parent = b.id
    )
    select count(*) as count from (select from below limit ${sql.lit(most)}) b
  `.execute(db)
  return rows[0]!.count
}

/** The place of the row `c` below the place of `above`: as `placeUnder` says it. */
const placeSql = (above: string): RawBuilder<unknown> => {
  const p = (column: string) => sql.ref(`${above}.${column}`)
  return sql`
    case when c.entity_type = 'database' then c.title else ${p('title_full')} || '.' || c.title end as title_full,
    case when c.entity_type = 'cluster' then c.title else ${p('cluster')} end as cluster,
    case when c.entity_type = 'database' then c.title else ${p('database')} end as database,
    case when c.entity_type = 'schema' then c.title when c.entity_type = 'database' then null else ${p('schema')} end as schema`
}
const PLACE = (alias: string) => sql.join(['title_full', 'cluster', 'database', 'schema'].map((column) => sql.ref(`${alias}.${column}`)))
const SET_PLACE = sql`title_full = w.title_full, cluster = w.cluster, database = w.database, schema = w.schema`

interface Pass {
  /** Rows with an old path. */
  readonly found: number
  /** Those of them that nobody else was writing. */
  readonly written: number
}

/** One pass over everything below, in one statement. */
const updateBelow = async (db: Db, id: string): Promise<Pass> => {
  const { rows } = await sql<Pass>`
    with recursive below as (
      select r.id, ${PLACE('r')} from resources r where r.id = ${id}
      union all
      select c.id, ${placeSql('b')} from below b join resources c on c.parent = b.id
    ), wanted as materialized (
      select b.* from below b join resources r on r.id = b.id
      where r.id <> ${id} and (${PLACE('r')}) is distinct from (${PLACE('b')})
    ), locked as materialized (
      select r.id from resources r where r.id = any(array(select w.id from wanted w)) order by r.id for no key update skip locked
    ), written as (
      update resources r set ${SET_PLACE} from wanted w join locked l on l.id = w.id where r.id = w.id returning r.id
    )
    select (select count(*) from wanted) as found, (select count(*) from written) as written
  `.execute(db)
  return rows[0]!
}

/** Everything below, in the caller's transaction and whoever else is writing it: of rows that are the caller's own. */
export const updateAllBelow = async (db: Db, id: string): Promise<void> => {
  while ((await updateBelow(db, id)).written > 0) {}
}

const PARENTS_AT_ONCE = 200
const ROWS_AT_ONCE = 2_000
const TRY_AGAIN_MS = 5_000

/**
 * The same for a tree of any size: from the top down, some rows in each transaction. Run again after a crash it finds what is left.
 * Returns whether all rows were written.
 */
const walkPaths = async (ctx: Context, id: string, progress: (written: number) => Promise<void>): Promise<boolean> => {
  const waiting = [id]
  let [all, written] = [true, 0]
  while (waiting.length > 0) {
    const parents = waiting.splice(0, PARENTS_AT_ONCE)
    for (;;) {
      const pass = await inTransaction(ctx, ({ db }) => updateChildren(db, parents))
      written += pass.written
      if (pass.written > 0) await progress(written)
      if (pass.written > 0) continue
      all &&= pass.found === 0
      break
    }
    // One by one: a call takes some 125,000 arguments at most.
    for (const parent of await findParentsAmong(ctx.db, parents)) waiting.push(parent)
  }
  return all
}

const updateChildren = async (db: Db, parents: readonly string[]): Promise<Pass> => {
  const outdated = sql`
    from resources p join resources c on c.parent = p.id cross join lateral (select ${placeSql('p')}) w
    where p.id = any(${parents}::uuid[]) and (${PLACE('c')}) is distinct from (${PLACE('w')})`
  const { rows } = await sql<Pass>`
    with wanted as materialized (
      select c.id, ${PLACE('w')} ${outdated} limit ${sql.lit(ROWS_AT_ONCE)} for no key update of c skip locked
    ), written as (
      update resources r set ${SET_PLACE} from wanted w where r.id = w.id returning r.id
    )
    select (select count(*) from written) as written, (select count(*) from (select ${outdated} limit 1) f) as found
  `.execute(db)
  return rows[0]!
}

/** The children of these that have children themselves. */
const findParentsAmong = async (db: Db, parents: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select c.id from resources c where c.parent = any(${parents}::uuid[]) and c.children_count > 0
  `.execute(db)
  return rows.map((row) => row.id)
}

export const workPaths: JobWork = async (ctx, payload, report) => {
  const { id } = payload as { id: string }
  const total = await countBelow(ctx.db, id, Number.MAX_SAFE_INTEGER)
  await report(0, `${total.toLocaleString('en')} resources below.`)
  const all = await walkPaths(ctx, id, (written) => report((100 * written) / Math.max(total, written)))
  if (!all) await tryAgain(ctx, id)
}

/** What a request or a job left because somebody was writing it: tried until nothing is left. */
export const finishPaths = async (ctx: Context, { id }: { id: string }): Promise<void> => {
  if (!(await walkPaths(ctx, id, async () => {}))) await tryAgain(ctx, id)
}

const tryAgain = (ctx: Context, id: string): Promise<void> =>
  addTask(ctx.db, PATHS_TASK, { id }, { runAt: new Date(ctx.now.getTime() + TRY_AGAIN_MS), maxAttempts: PATHS_ATTEMPTS })
