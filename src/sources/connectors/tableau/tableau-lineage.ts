import type { LineageSource } from '../../../../connector/src/protocol.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { findEngineDialect } from '../bi/engines.ts'
import { childKey, toTableSource } from '../bi/item-parts.ts'
import { splitIntoBatches } from '../bi/listing.ts'
import type { TableauApi } from './tableau-api.ts'

const FIELD_BATCH = 100
const MAX_DEPTH = 10
const FIELD_NODES = 'id upstreamFields { id name datasource { id } } upstreamColumns { name table { __typename id } }'

/** A table of a database, as Tableau knows it. */
export interface DatabaseTable {
  readonly path: readonly string[]
  readonly dialect?: string | undefined
}

interface FieldUpstream {
  readonly fields: readonly {
    readonly id?: string | undefined
    readonly name?: string | undefined
    readonly datasource?: string | undefined
  }[]
  readonly columns: readonly { readonly name: string; readonly table: string }[]
}

/** Tableau has null in place of what the user may not see. */
export const listVisible = (object: Shape, name: string): Shape[] => object.optionalList(name).filter((each) => !each.missing)

export const datasourceKey = (id: string): string => `datasource/${id}`
export const customSqlKey = (id: string): string => `custom_sql/${id}`

/** What fields of data sources come from: columns of tables, of custom SQL, and fields of published data sources. */
export class TableauLineage {
  readonly #api: TableauApi
  readonly #tables = new Map<string, DatabaseTable>()
  readonly #fields = new Map<string, FieldUpstream>()
  readonly #published = new Set<string>()
  readonly #customSql = new Set<string>()

  constructor(api: TableauApi) {
    this.#api = api
  }

  addTable(id: string, table: DatabaseTable): void {
    this.#tables.set(id, table)
  }

  addPublished(id: string): void {
    this.#published.add(id)
  }

  addCustomSql(id: string): void {
    this.#customSql.add(id)
  }

  /** Loads what these fields, and those they are calculated from, come from. */
  async load(ids: readonly string[]): Promise<void> {
    let wanted = ids
    for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
      wanted = [...new Set(wanted)].filter((id) => !this.#fields.has(id))
      if (wanted.length === 0) return
      for (const batch of splitIntoBatches(wanted, FIELD_BATCH))
        for await (const field of this.#api.list({ name: 'fieldsConnection', nodes: FIELD_NODES, filter: { idWithin: batch } }))
          this.#fields.set(field.text('id'), readUpstream(field))
      wanted = wanted.flatMap((id) => this.#fields.get(id)?.fields.flatMap((each) => each.id ?? []) ?? [])
    }
  }

  /** The sources of a field; `into` is the column it becomes. */
  findSources(field: string, into?: string): LineageSource[] {
    const target = into === undefined ? {} : { into }
    const visited = new Set<string>()
    const visit = (id: string): LineageSource[] => {
      const upstream = this.#fields.get(id)
      if (!upstream || visited.has(id)) return []
      visited.add(id)
      const columns = upstream.columns.flatMap(({ name, table }): LineageSource[] => {
        const found = this.#tables.get(table)
        if (found) return [toTableSource(found.path, [name], { dialect: found.dialect, ...target })]
        if (!this.#customSql.has(table)) return []
        const item = customSqlKey(table)
        return [{ item, columns: [childKey(item, name)], ...target }]
      })
      const fields = upstream.fields.flatMap(({ id, name, datasource }) => {
        // A data source that calculates a field from its own is described by those.
        const item = datasource !== undefined && datasourceKey(datasource)
        const isPublished = datasource !== undefined && this.#published.has(datasource) && !into?.startsWith(`${item}.`)
        if (isPublished && item && name) return [{ item, columns: [childKey(item, name)], ...target }]
        return id === undefined ? [] : visit(id)
      })
      return [...columns, ...fields]
    }
    return visit(field)
  }
}

const readUpstream = (field: Shape): FieldUpstream => ({
  fields: listVisible(field, 'upstreamFields').map((each) => ({
    id: each.optionalText('id'),
    name: each.optionalText('name'),
    datasource: each.optionalObject('datasource')?.optionalText('id'),
  })),
  columns: listVisible(field, 'upstreamColumns').flatMap((column) => {
    const [name, table] = [column.optionalText('name'), column.optionalObject('table')?.optionalText('id')]
    return name && table ? [{ name, table }] : []
  }),
})

/** Files and web services are in no catalog. */
const FILES = /^(webdata|excel|textscan|google-sheets|google-drive|hyper|dataengine|ogrdirect|semistructpassive|pdf|stat-direct|onedrive)/

/** Undefined if it is no table of a database. */
export const readDatabaseTable = (table: Shape): DatabaseTable | undefined => {
  const type = table.optionalText('connectionType') ?? ''
  const name = table.optionalText('name')
  if (!name || FILES.test(type)) return undefined
  // `[public].[orders]`; before the table was loaded completely, only the full name has the schema.
  const full = [...(table.optionalText('fullName') ?? '').matchAll(/\[((?:[^\]]|\]\])+)\]/g)].map(([, part]) => part!)
  const schema = table.optionalText('schema') || (full.length > 1 ? full.at(-2) : undefined)
  const path = [table.optionalObject('database')?.optionalText('name'), schema, name]
  return { path: path.filter((part): part is string => part !== undefined && part !== ''), dialect: findEngineDialect(type) }
}

/** Parameters are written as `<[Parameters].[Name]>`, for which `<` and `>` are doubled elsewhere. */
export const cleanCustomSql = (sql: string): string =>
  sql
    .replace(/<\[Parameters\]\.\[[^\]]*\]>/g, 'null')
    .replaceAll('<<', '<')
    .replaceAll('>>', '>')
