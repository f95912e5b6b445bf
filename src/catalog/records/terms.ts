import { type RawBuilder, sql } from 'kysely'
import type { ListField } from '../../platform/lists/field.ts'
import { type Actor, SYSTEM, visibleTo } from '../../platform/permissions/permissions.ts'

/** A resource has a glossary term if the term is in its collections or the value of a custom property. */

/** The row `r` has one of these terms, as far as the actor can see them. */
export const hasTermSql = (actor: Actor, ids: readonly string[]): RawBuilder<boolean> => {
  const visible = sql`select g.id from resources g where g.id = any(${ids}::uuid[]) and g.entity_type = 'glossary' and ${visibleTo(actor, 'g')}`
  return sql<boolean>`r.id in (
    select f.resource_id from resource_refs f where f.field = 'collections' and f.target in (${visible})
    union all
    select v.resource_id from custom_properties p join property_values v on v.property_id = p.id
    where p.value_type = 'resource' and v.value in (select g.id::text from (${visible}) g)
  )`
}

const termIdsSql = (actor: Actor, alias: string): RawBuilder<unknown> => sql`nullif(array(
  select g.id from resources g where g.entity_type = 'glossary' and ${visibleTo(actor, 'g')} and g.id in (
    select unnest(${sql.ref(`${alias}.collections`)})
    union all
    select case when p.value_type = 'resource' then v.value::uuid end from property_values v join custom_properties p on p.id = v.property_id
    where v.resource_id = ${sql.ref(`${alias}.id`)} and p.value_type = 'resource'
  )
), '{}')`

/** The glossary terms as a field for filters. */
export const termsField = (actor: Actor = SYSTEM): ListField => ({
  name: 'terms',
  type: 'ids',
  required: false,
  from_others: true,
  value: (alias) => termIdsSql(actor, alias),
  has: (alias, ids) => (alias === 'r' ? hasTermSql(actor, ids as string[]) : undefined),
})
