import { type RawBuilder, sql } from 'kysely'

/** The ID of the table that a resource is in, of a column however deep it is nested; otherwise its own. `resource` is not an `own`, `up` or `above`. */
export const tableIdSql = (resource: RawBuilder<unknown>): RawBuilder<string> => sql<string>`
  (with recursive above as (
    select own.id, own.parent, own.entity_type from resources own where own.id = ${resource}
    union all
    select up.id, up.parent, up.entity_type from above join resources up on up.id = above.parent where above.entity_type = 'column'
  ) select coalesce((select above.id from above where above.entity_type <> 'column'), ${resource}))`

/** The title of a resource (`r`), of a column with its table (`t`) and the columns it is nested in: `orders.address.street`. */
export const pathTitleSql: RawBuilder<string> = sql<string>`
  case when t.id <> r.id and starts_with(r.title_full, t.title_full || '.')
    then t.title || substr(r.title_full, length(t.title_full) + 1)
    when t.id <> r.id then t.title || '.' || r.title else r.title end`
