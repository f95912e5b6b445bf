import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../context.ts'
import { asc, byName } from '../lists/order.ts'
import type { PageRequest } from '../lists/page.ts'
import { readPage } from '../lists/read-page.ts'
import type { CircleKind } from './circle-kinds.ts'
import type { Circle } from './schema.ts'
import { all, contains, writtenAt } from './store.ts'

/** The SQL of teams and groups. Private to this module. */

/** `member` narrows the list to the groups of that user; null belongs to none. */
export const listRows = (ctx: Context, kind: CircleKind, { name, member }: { name?: string; member?: string | null }, page: PageRequest) =>
  readPage<Circle>(ctx, page, {
    select: record(kind),
    from: sql`${sql.table(kind.table)} c`,
    where: all(contains(sql`c.name`, name), withMember(kind, member)),
    order: [byName('c.name'), asc('id', 'c.id')],
  })

export const findCircle = async (ctx: Context, kind: CircleKind, id: string, member?: string | null): Promise<Circle | undefined> => {
  const { rows } = await sql<Circle>`
    select ${record(kind)} from ${sql.table(kind.table)} c where ${all(sql`c.id = ${id}`, withMember(kind, member))}
  `.execute(ctx.db)
  return rows[0]
}

/** Two statements: a single one that waits for the lock would return the current row, but the members from before the wait. */
export const lockCircle = async (ctx: Context, kind: CircleKind, id: string): Promise<Circle | undefined> => {
  await sql`select from ${sql.table(kind.table)} c where c.id = ${id} for update`.execute(ctx.db)
  return findCircle(ctx, kind, id)
}

export const insertCircle = (ctx: Context, kind: CircleKind, circle: Pick<Circle, 'id'> & CircleKind['blank']) =>
  ctx.db
    .insertInto(tableOf(kind))
    .values({ ...written(kind, circle), id: circle.id, created_at: ctx.now, updated_at: ctx.now })
    .execute()

export const updateCircle = (ctx: Context, kind: CircleKind, circle: Circle) =>
  ctx.db
    .updateTable(tableOf(kind))
    .set({ ...written(kind, circle), updated_at: writtenAt(ctx.now) })
    .where('id', '=', circle.id)
    .execute()

export const removeRow = (ctx: Context, kind: CircleKind, id: string) => ctx.db.deleteFrom(tableOf(kind)).where('id', '=', id).execute()

export const setMembers = async (
  ctx: Context,
  { members, key }: CircleKind,
  id: string,
  before: readonly string[],
  after: readonly string[],
): Promise<void> => {
  const gone = before.filter((member) => !after.includes(member))
  const come = after.filter((member) => !before.includes(member))
  if (gone.length > 0)
    await sql`delete from ${sql.table(members)} where ${sql.ref(key)} = ${id} and user_id = any(${gone}::uuid[])`.execute(ctx.db)
  if (come.length > 0)
    await sql`
      insert into ${sql.table(members)} (${sql.ref(key)}, user_id) select ${id}::uuid, unnest(${come}::uuid[])
    `.execute(ctx.db)
}

// The query builder treats both as teams; a group's `blank` has only the columns groups have.
const tableOf = ({ table }: CircleKind) => table as 'teams'
const columns = ({ blank }: CircleKind) => Object.keys(blank) as (keyof CircleKind['blank'])[]
const written = (kind: CircleKind, circle: CircleKind['blank']) =>
  Object.fromEntries(columns(kind).map((column) => [column, circle[column]])) as CircleKind['blank']

const record = (kind: CircleKind): RawBuilder<unknown> =>
  sql`${sql.join(['id', 'created_at', 'updated_at', ...columns(kind)].map((column) => sql.ref(`c.${column}`)))},
    array(select m.user_id from ${sql.table(kind.members)} m where m.${sql.ref(kind.key)} = c.id order by 1) as members`

const withMember = ({ members, key }: CircleKind, member: string | null | undefined): RawBuilder<unknown> | undefined =>
  member === undefined
    ? undefined
    : sql`exists (select from ${sql.table(members)} m where m.${sql.ref(key)} = c.id and m.user_id = ${member}::uuid)`
