import type { LineageSource } from '../../../../connector/src/protocol.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { type QueryDatabase, toTableSource } from '../bi/item-parts.ts'

/** An explore: the fields of a base view and of the views joined to it. Pure, like all functions here. */
export interface Explore {
  readonly label?: string | undefined
  readonly description?: string | undefined
  /** False if Looker lists no fields, not even none. */
  readonly hasFields: boolean
  readonly fields: ReadonlyMap<string, ExploreField>
  /** The tables of views by the names of the views; a view that is derived from SQL has none. */
  readonly tables: ReadonlyMap<string, readonly string[]>
  readonly database: QueryDatabase
}

export interface ExploreField {
  /** `orders.price`. */
  readonly name: string
  readonly view: string
  readonly sql: string
  readonly kind: 'dimension' | 'measure'
  readonly type?: string | undefined
  readonly label?: string | undefined
  readonly description?: string | undefined
}

export const readExplore = (explore: Shape, database: QueryDatabase): Explore => {
  const base = explore.optionalText('view_name') ?? explore.text('name')
  const views = [
    [base, explore.optionalText('sql_table_name')] as const,
    ...explore.optionalList('joins').map((join) => [join.text('name'), join.optionalText('sql_table_name')] as const),
  ]
  const tables = new Map(
    views.flatMap(([view, name]) => {
      const path = name === undefined ? undefined : parseTableName(name, database)
      return path ? [[view, path] as const] : []
    }),
  )
  // The base view is known by the name of the explore if it has another alias.
  const own = tables.get(base)
  if (own) tables.set(explore.text('name'), own)
  const hasFields = explore.at('fields').value !== null
  const lists = hasFields ? explore.object('fields') : undefined
  const fields = new Map(
    (['dimension', 'measure'] as const).flatMap((kind) =>
      (lists?.optionalList(`${kind}s`) ?? []).map((field) => {
        const name = field.text('name')
        const view = field.optionalText('view') ?? name.split('.')[0]!
        return [
          name,
          {
            ...{ name, view, kind, sql: field.optionalText('sql') ?? '', type: field.optionalText('type') },
            ...{ label: field.optionalText('label_short') ?? field.optionalText('label'), description: field.optionalText('description') },
          },
        ] as const
      }),
    ),
  )
  return { label: explore.optionalText('label'), description: explore.optionalText('description'), hasFields, fields, tables, database }
}

/** `"shop"."orders" AS orders`, `project.data.orders`. Undefined for anything that is no plain name. */
export const parseTableName = (text: string, { dialect, database, schema }: QueryDatabase): string[] | undefined => {
  const name = text.trim().replace(/\s+as\s+\S+$/i, '')
  if (!/^[^\s{}()$;]+$/.test(name.replace(/"[^"]*"|`[^`]*`|\[[^\]]*\]/g, 'x'))) return undefined
  const parts = [...name.matchAll(/"([^"]+)"|`([^`]+)`|\[([^\]]+)\]|([^."`[\]]+)/g)].flatMap(([, quoted, ticked, bracketed, plain]) =>
    ticked === undefined ? [quoted ?? bracketed ?? plain!] : ticked.split('.'),
  )
  if (parts.length === 0) return undefined
  // MySQL and ClickHouse have databases in place of schemas.
  const defaults = dialect === 'mysql' || dialect === 'clickhouse' ? [database] : [database, schema]
  const missing = defaults.length + 1 - parts.length
  return [...defaults.slice(0, Math.max(0, missing)).filter((part): part is string => !!part), ...parts]
}

type Traced = Pick<Explore, 'fields' | 'tables'>
/** Fields that a field is made of, through each other. */
const MAX_REFERENCES = 300

/** The columns of tables that a field is made of, also through other fields. Undefined if a part of it is in no known table. */
export const traceField = ({ fields, tables }: Traced, name: string, visited = new Set<string>()): Map<string, string[]> | undefined => {
  const field = fields.get(name)
  if (!field) return undefined
  if (visited.has(name) || visited.size > MAX_REFERENCES) return new Map()
  visited.add(name)
  const found = new Map<string, string[]>()
  const add = (view: string, columns: readonly string[]) => found.set(view, [...new Set([...(found.get(view) ?? []), ...columns])])
  if (!tables.has(field.view)) return undefined
  add(field.view, [])
  for (const [, quoted, plain] of field.sql.matchAll(/\$\{TABLE\}\s*\.\s*(?:["`[]([^"`\]]+)["`\]]|(\w+))/g))
    add(field.view, [quoted ?? plain!])
  for (const [, reference] of field.sql.matchAll(/\$\{\s*([\w.]+)\s*\}/g)) {
    if (reference === 'TABLE' || reference!.endsWith('.SQL_TABLE_NAME')) continue
    const inner = traceField({ fields, tables }, reference!.includes('.') ? reference! : `${field.view}.${reference}`, visited)
    if (!inner) return undefined
    for (const [view, columns] of inner) add(view, columns)
  }
  return found
}

/** What flows from tables into the fields of an explore. Those in `covered` are known to come from elsewhere. */
export const listExploreSources = (
  explore: Explore,
  toKey: (field: string) => string,
  covered: ReadonlySet<string> = new Set(),
): LineageSource[] => {
  const { dialect } = explore.database
  const names = [...explore.fields.keys()].filter((name) => !covered.has(name))
  const sources = names.flatMap((name) =>
    [...(traceField(explore, name) ?? [])].flatMap(([view, columns]) =>
      columns.length === 0 ? [] : [toTableSource(explore.tables.get(view)!, columns, { dialect, into: toKey(name) })],
    ),
  )
  const elsewhere = new Set([...covered].map((name) => explore.fields.get(name)?.view))
  const tables = [...explore.tables].flatMap(([view, path]) => (elsewhere.has(view) ? [] : [toTableSource(path, [], { dialect })]))
  return [...tables, ...sources]
}
