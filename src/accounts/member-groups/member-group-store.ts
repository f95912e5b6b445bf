import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import { asc, orderByName } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import type { MemberGroup } from '../shared/schema.ts'
import { andSql, containsSql } from '../shared/sql.ts'
import type { MemberGroupType } from './member-group-types.ts'

/** The SQL of teams and groups. Private to this module. */

/** `member` narrows the list to the groups of that user; null belongs to none. */
export const listMemberGroupRows = (
  ctx: Context,
  kind: MemberGroupType,
  { name, member }: { name?: string; member?: string | null },
  page: PageRequest,
) =>
  readPage<MemberGroup>(ctx, page, {
    select: recordSql(kind),
    from: sql`${sql.table(kind.table)} c`,
    where: andSql(containsSql(sql`c.name`, name), hasMemberSql(kind, member)),
    order: [orderByName('c.name'), asc('id', 'c.id')],
  })

export const findMemberGroupRow = async (
  ctx: Context,
  kind: MemberGroupType,
  id: string,
  member?: string | null,
): Promise<MemberGroup | undefined> => {
  const { rows } = await sql<MemberGroup>`
    select ${recordSql(kind)} from ${sql.table(kind.table)} c where ${andSql(sql`c.id = ${id}`, hasMemberSql(kind, member))}
  `.execute(ctx.db)
  return rows[0]
}

/** Two statements: a single one that waits for the lock would return the current row, but the members from before the wait. */
export const lockMemberGroupRow = async (ctx: Context, kind: MemberGroupType, id: string): Promise<MemberGroup | undefined> => {
  await sql`select from ${sql.table(kind.table)} c where c.id = ${id} for update`.execute(ctx.db)
  return findMemberGroupRow(ctx, kind, id)
}

export const insertMemberGroupRow = (ctx: Context, kind: MemberGroupType, group: Pick<MemberGroup, 'id'> & MemberGroupType['defaults']) =>
  ctx.db
    .insertInto(tableOf(kind))
    .values({ ...toColumns(kind, group), id: group.id, created_at: ctx.now, updated_at: ctx.now })
    .execute()

export const updateMemberGroupRow = (ctx: Context, kind: MemberGroupType, group: MemberGroup) =>
  ctx.db
    .updateTable(tableOf(kind))
    .set({ ...toColumns(kind, group), updated_at: nextUpdatedAtSql(ctx.now) })
    .where('id', '=', group.id)
    .execute()

export const deleteMemberGroupRow = (ctx: Context, kind: MemberGroupType, id: string) =>
  ctx.db.deleteFrom(tableOf(kind)).where('id', '=', id).execute()

export const setMembers = async (
  ctx: Context,
  { members, key }: MemberGroupType,
  id: string,
  before: readonly string[],
  after: readonly string[],
): Promise<void> => {
  const removed = before.filter((member) => !after.includes(member))
  const added = after.filter((member) => !before.includes(member))
  if (removed.length > 0)
    await sql`delete from ${sql.table(members)} where ${sql.ref(key)} = ${id} and user_id = any(${removed}::uuid[])`.execute(ctx.db)
  if (added.length > 0)
    await sql`
      insert into ${sql.table(members)} (${sql.ref(key)}, user_id) select ${id}::uuid, unnest(${added}::uuid[])
    `.execute(ctx.db)
}

// The query builder treats both as teams; a group's `blank` has only the columns groups have.
const tableOf = ({ table }: MemberGroupType) => table as 'teams'
const columnNames = ({ defaults: blank }: MemberGroupType) => Object.keys(blank) as (keyof MemberGroupType['defaults'])[]
const toColumns = (kind: MemberGroupType, group: MemberGroupType['defaults']) =>
  Object.fromEntries(columnNames(kind).map((column) => [column, group[column]])) as MemberGroupType['defaults']

const recordSql = (kind: MemberGroupType): RawBuilder<unknown> =>
  sql`${sql.join(['id', 'created_at', 'updated_at', ...columnNames(kind)].map((column) => sql.ref(`c.${column}`)))},
    array(select m.user_id from ${sql.table(kind.members)} m where m.${sql.ref(kind.key)} = c.id order by 1) as members`

const hasMemberSql = ({ members, key }: MemberGroupType, member: string | null | undefined): RawBuilder<unknown> | undefined =>
  member === undefined
    ? undefined
    : sql`exists (select from ${sql.table(members)} m where m.${sql.ref(key)} = c.id and m.user_id = ${member}::uuid)`
