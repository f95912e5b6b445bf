import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import type { Db } from '../../platform/db/connect.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import { recordActivitiesSql } from '../../platform/history/record.ts'
import { type Actor, visibleTo } from '../../platform/permissions/permissions.ts'
import { PROPERTY_FIELD_PREFIX, type PropertyRow } from './property-rows.ts'
import type { ValueType } from './value-types.ts'

/** SQL of property values. */

/** Locks the visible resources like an edit, so that values of a resource are written one after the other. */
export const lockValueTargets = async (
  db: Db,
  actor: Actor,
  ids: readonly string[],
): Promise<{ count: number; entity_types: string[] }> => {
  const { rows } = await sql<{ count: number; entity_types: string[] | null }>`
    with locked as materialized (
      select r.entity_type from resources r where r.id = any(${ids}::uuid[]) and ${visibleTo(actor)} order by r.id for no key update
    )
    select count(*) as count, array_agg(distinct entity_type) as entity_types from locked
  `.execute(db)
  return { count: rows[0]!.count, entity_types: rows[0]!.entity_types ?? [] }
}

/** The first resource that does not exist or is not visible to the actor. */
export const findMissingTarget = async (db: Db, actor: Actor, ids: readonly string[]): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    select e.id from unnest(${ids}::uuid[]) with ordinality e (id, n)
    where not exists (select from resources r where r.id = e.id and ${visibleTo(actor)}) order by e.n limit 1
  `.execute(db)
  return rows[0]?.id
}

export interface NewValue {
  readonly property_id: string
  readonly value_type: ValueType
  /** In normal form; '' means no value. */
  readonly value: string
}

/** The values of all columns that store a value. */
const valueColumnsSql = (value: RawBuilder<unknown>, value_type: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  ${value}, case when ${value_type} = 'number' then ${value}::numeric end,
  case when ${value_type} = 'multi_select' then array(select jsonb_array_elements_text(${value}::jsonb)) end`

/** A value change as stored in activities: with the property name for display, and the ID, which survives a rename. */
export const changeSql = (from: RawBuilder<unknown>, to: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  jsonb_build_object('field', ${PROPERTY_FIELD_PREFIX} || p.name, 'from', ${from}, 'to', ${to}, 'custom_property', p.id, 'value_type', p.value_type)`

/**
 * One activity per resource, from the CTE `changed (entry, resource_id, property_id, before, after)` of the same statement. `offset 0`
 * forces lookups one by one: Postgres cannot know how few rows there are and would scan all resources.
 */
const recordValueChangesSql = (ctx: Context, parent_id: string | null): RawBuilder<unknown> =>
  recordActivitiesSql(
    ctx,
    sql`
      select n.entry as id, ${parent_id}::uuid as parent_id,
        case when n.set then 'property_set' else 'property_cleared' end as activity_type,
        r.id as resource_id, r.entity_type as resource_type, r.title as resource_title, r.icon as resource_icon, r.integration as integration_id,
        n.changes
      from (
        select c.entry, c.resource_id, count(c.after) > 0 as set, jsonb_agg(${changeSql(sql`c.before`, sql`c.after`)} order by lower(p.name)) as changes
        from changed c join custom_properties p on p.id = c.property_id group by c.entry, c.resource_id
      ) n
      cross join lateral (select r.* from resources r where r.id = n.resource_id offset 0) r`,
  )

/**
 * Sets these values on each resource and records one activity per changed resource, in a single statement. It reads the previous values
 * after locking the resources, so they are current.
 */
export const writeValues = async (ctx: Context, entities: readonly string[], values: readonly NewValue[]): Promise<void> => {
  if (entities.length === 0 || values.length === 0) return
  const [properties, types, texts] = [
    values.map(({ property_id }) => property_id),
    values.map(({ value_type }) => value_type),
    values.map(({ value }) => value),
  ]
  await applyValues(
    ctx,
    sql`unnest(${entities}::uuid[], ${entities.map(() => newId())}::uuid[]) e (resource_id, entry)
      cross join unnest(${properties}::uuid[], ${types}::text[], ${texts}::text[]) w (property_id, value_type, value)`,
  )
}

/** The same with other values for each resource. The caller has locked the resources and the properties. */
export const writeValuesByResource = async (ctx: Context, values: readonly (NewValue & { resource_id: string })[]): Promise<void> => {
  if (values.length === 0) return
  const entries = new Map(values.map(({ resource_id }) => [resource_id, newId()]))
  const rows = values.map((value) => ({ ...value, entry: entries.get(value.resource_id)! }))
  await applyValues(
    ctx,
    sql`json_to_recordset(${JSON.stringify(rows)}::text::json) as w(resource_id uuid, entry uuid, property_id uuid, value_type text, value text)`,
  )
}

/** Writes the rows `(resource_id, entry, property_id, value_type, value)` that differ from the current values. */
const applyValues = async (ctx: Context, values: RawBuilder<unknown>): Promise<void> => {
  await sql`
    with changed as materialized (
      select entry, resource_id, property_id, value_type, v.value as before, nullif(n.value, '') as after
      from (select entry, resource_id, property_id, value_type, value from ${values}) n
      left join lateral (
        select v.value from property_values v where v.resource_id = n.resource_id and v.property_id = n.property_id offset 0
      ) v on true
      where coalesce(v.value, '') <> n.value
    ), cleared as (
      delete from property_values v using changed c where c.after is null and v.resource_id = c.resource_id and v.property_id = c.property_id
    ), set as (
      insert into property_values (resource_id, property_id, updated_at, value, number, items)
      select c.resource_id, c.property_id, ${ctx.now}::timestamptz, ${valueColumnsSql(sql`c.after`, sql`c.value_type`)} from changed c where c.after is not null
      on conflict (resource_id, property_id) do update set value = excluded.value, number = excluded.number, items = excluded.items,
        updated_at = ${nextUpdatedAtSql(ctx.now, 'property_values.updated_at')}
    )
    ${recordValueChangesSql(ctx, null)}
  `.execute(ctx.db)
}

/** The values of these resources and properties. */
export const findValuesOf = async (
  db: Db,
  resources: readonly string[],
  properties: readonly string[],
): Promise<readonly { readonly resource_id: string; readonly property_id: string; readonly value: string }[]> => {
  if (resources.length === 0 || properties.length === 0) return []
  const { rows } = await sql<{ resource_id: string; property_id: string; value: string }>`
    select v.resource_id, v.property_id, v.value from property_values v
    where v.resource_id = any(${resources}::uuid[]) and v.property_id = any(${properties}::uuid[])
  `.execute(db)
  return rows
}

/** Inserts the values of restored resources. The activity of the restore contains them. */
export const insertValues = async (ctx: Context, values: readonly (NewValue & { resource_id: string })[]): Promise<void> => {
  await sql`
    insert into property_values (resource_id, property_id, updated_at, value, number, items)
    select w.resource_id, w.property_id, ${ctx.now}::timestamptz, ${valueColumnsSql(sql`w.value`, sql`w.value_type`)}
    from json_to_recordset(${JSON.stringify(values)}::text::json) as w(resource_id uuid, property_id uuid, value_type text, value text)
  `.execute(ctx.db)
}

export interface ValueRow {
  readonly custom_property: string
  readonly entity_id: string
  readonly name: string
  readonly value_type: ValueType
  readonly value: string
  readonly updated_at: string
}

/** The values of a visible resource, ordered by property name. Undefined if the resource does not exist. */
export const findValues = async (db: Db, actor: Actor, entity_id: string, property_id?: string): Promise<ValueRow[] | undefined> => {
  const { rows } = await sql<{ [column in keyof ValueRow]: ValueRow[column] | null }>`
    select p.id as custom_property, r.id as entity_id, p.name, p.value_type, v.value, v.updated_at
    from resources r left join property_values v on v.resource_id = r.id ${property_id ? sql`and v.property_id = ${property_id}` : sql``}
    left join custom_properties p on p.id = v.property_id
    where r.id = ${entity_id} and ${visibleTo(actor)} order by lower(p.name), p.id
  `.execute(db)
  return rows.length === 0 ? undefined : rows.filter((row): row is ValueRow => row.value !== null)
}

/** The next distinct values after this one, in order. */
export const listDistinctValues = async (db: Db, property_id: string, after: string, limit: number): Promise<string[]> => {
  const { rows } = await sql<{ value: string }>`
    select distinct v.value from property_values v where v.property_id = ${property_id} and v.value > ${after} order by v.value limit ${limit}
  `.execute(db)
  return rows.map(({ value }) => value)
}

/** Whether resources of other types have a value of this property. */
export const isUsedByOtherTypes = async (db: Db, property_id: string, entity_types: readonly string[]): Promise<boolean> => {
  const { rows } = await sql<{ used: boolean }>`
    select exists (
      select from property_values v join resources r on r.id = v.resource_id
      where v.property_id = ${property_id} and r.entity_type <> all(${entity_types}::text[])
    ) as used
  `.execute(db)
  return rows[0]!.used
}

/** Converts values to a new type. Values whose normal form changes are rewritten, with an activity for each resource. */
export const retypeValues = async (
  ctx: Context,
  { id, value_type }: Pick<PropertyRow, 'id' | 'value_type'>,
  normalized: ReadonlyMap<string, string>,
  parent_id: string,
): Promise<void> => {
  const pairs = [...normalized].map(([before, after]) => ({ before, after }))
  if (pairs.length > 0)
    await sql`
      with changed as (
        update property_values v set value = s.after, updated_at = ${nextUpdatedAtSql(ctx.now, 'v.updated_at')}
        from json_to_recordset(${JSON.stringify(pairs)}::text::json) as s(before text, after text)
        where v.property_id = ${id} and v.value = s.before
        returning gen_random_uuid() as entry, v.resource_id, v.property_id, s.before, s.after
      )
      ${recordValueChangesSql(ctx, parent_id)}
    `.execute(ctx.db)
  await sql`
    update property_values v set (value, number, items) = (select ${valueColumnsSql(sql`v.value`, sql`${value_type}::text`)})
    where v.property_id = ${id} and (v.number is not null or v.items is not null or ${value_type}::text in ('number', 'multi_select'))
  `.execute(ctx.db)
}

/** Number of values of a property, counted up to `most`. */
export const countValues = async (db: Db, property_id: string, limit: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select from property_values v where v.property_id = ${property_id} limit ${sql.lit(limit)}) v
  `.execute(db)
  return rows[0]!.count
}

/** Deletes up to `most` values of a property and records an activity for each resource. Returns the number deleted. */
export const deletePropertyValues = async (ctx: Context, property_id: string, parent_id: string, limit: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with changed as (
      delete from property_values v using (
        select w.resource_id from property_values w where w.property_id = ${property_id} limit ${sql.lit(limit)} for update
      ) w
      where v.property_id = ${property_id} and v.resource_id = w.resource_id
      returning gen_random_uuid() as entry, v.resource_id, v.property_id, v.value as before, null::text as after
    ), noted as (${recordValueChangesSql(ctx, parent_id)})
    select count(*) as count from changed
  `.execute(ctx.db)
  return rows[0]!.count
}
