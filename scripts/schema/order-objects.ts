import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/connect.ts'
import type { SchemaObject } from './schema-object.ts'

/** The objects in their order, except that what one needs stands before it. */
export const orderObjects = async (db: Db, objects: readonly SchemaObject[]): Promise<SchemaObject[]> => {
  const byId = new Map(objects.map((each) => [each.id, each]))
  const needs = await readDependencies(db)
  const ordered = new Set<SchemaObject>()
  const add = (object: SchemaObject, path: readonly SchemaObject[]): void => {
    if (ordered.has(object)) return
    if (path.includes(object)) throw new Error(`These need each other: ${path.map(({ name }) => name).join(', ')}.`)
    const needed = (needs.get(object.id) ?? []).flatMap((id) => byId.get(id) ?? [])
    for (const each of needed.sort((a, b) => objects.indexOf(a) - objects.indexOf(b))) add(each, [...path, object])
    ordered.add(object)
  }
  for (const each of objects) add(each, [])
  return [...ordered]
}

/** What tables (with their indexes, defaults, constraints and row types) and functions need of each other. */
const readDependencies = async (db: Db): Promise<Map<string, string[]>> => {
  const { rows } = await sql<{ id: string; needs: string[] }>`
    with parts (classid, objid, id) as (
      select 'pg_class'::regclass::oid, oid, 'table ' || oid from pg_class where relkind = 'r'
      union all select 'pg_class'::regclass::oid, indexrelid, 'table ' || indrelid from pg_index
      union all select 'pg_attrdef'::regclass::oid, oid, 'table ' || adrelid from pg_attrdef
      union all select 'pg_constraint'::regclass::oid, oid, 'table ' || conrelid from pg_constraint
      union all select 'pg_type'::regclass::oid, t.oid, 'table ' || r.typrelid from pg_type t join pg_type r on r.oid in (t.oid, t.typelem) where r.typrelid <> 0
      union all select 'pg_proc'::regclass::oid, oid, 'function ' || oid from pg_proc
    )
    select p.id, array_agg(distinct n.id) as needs
    from pg_depend d join parts p on p.classid = d.classid and p.objid = d.objid join parts n on n.classid = d.refclassid and n.objid = d.refobjid
    where p.id <> n.id and d.objid >= 16384
    group by p.id`.execute(db)
  return new Map(rows.map(({ id, needs }) => [id, needs]))
}
