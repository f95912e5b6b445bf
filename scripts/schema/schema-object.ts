import { sql } from 'kysely'

/** A table or function with the statements that create it. */
export interface SchemaObject {
  readonly id: string
  readonly name: string
  readonly text: string
}

/** What an extension brought belongs to the extension, and is not written. `o` is the row of the catalog. */
export const notOfExtension = (catalog: string) =>
  sql`not exists (select from pg_depend d where d.classid = ${sql.lit(catalog)}::regclass and d.objid = o.oid and d.deptype = 'e')`
