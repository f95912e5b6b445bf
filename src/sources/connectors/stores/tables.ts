import type { ItemMessage } from '../../../../connector/src/protocol.ts'
import { childKey } from '../bi/item-parts.ts'
import { type SchemaField, toColumnItems } from './fields.ts'

/** Items of sources that contain tables, at any depth: cluster, catalog, database, schema. Pure. */

type Facts = Readonly<Record<string, unknown>>

/** What contains tables. */
export interface Container {
  readonly entity_type: 'cluster' | 'database' | 'schema'
  readonly native_type: string
  readonly title: string
  readonly parent?: string | undefined
  readonly description?: string | undefined
  readonly url?: string | undefined
  readonly owners?: readonly string[] | undefined
  readonly facts?: Facts
}

/** Keys are the names from the top, separated by dots: what cannot be read of a container is not treated as missing with it. */
export const nameKey = (first: string, ...names: readonly string[]): string =>
  names.reduce(childKey, first.replace(/[.\\]/g, '\\$&').slice(0, 200))

export const toContainerItem = (key: string, container: Container): ItemMessage => ({
  type: 'item',
  key,
  ...(container.parent === undefined ? {} : { parent: container.parent }),
  entity_type: container.entity_type,
  native_type: container.native_type,
  title: container.title.slice(0, 500) || '(no name)',
  ...describe(container.description),
  ...(container.url ? { url: container.url } : {}),
  ...listOwners(container.owners),
  ...toFacts(container.facts),
})

export interface StoredTable {
  readonly native_type: string
  readonly title: string
  readonly parent: string
  readonly description?: string | undefined
  readonly fields: readonly SchemaField[]
  readonly url?: string | undefined
  readonly owners?: readonly string[] | undefined
  readonly tags?: readonly string[] | undefined
  readonly updated_at?: string | undefined
  readonly row_count?: number | undefined
  readonly byte_size?: number | undefined
  readonly facts?: Facts
  readonly query?: ItemMessage['query'] | undefined
}

/** The table and its columns. */
export const toTableItems = (key: string, table: StoredTable): ItemMessage[] => [
  {
    type: 'item',
    key,
    parent: table.parent,
    entity_type: 'table',
    native_type: table.native_type,
    title: table.title.slice(0, 500) || '(no name)',
    ...describe(table.description),
    ...(table.url ? { url: table.url } : {}),
    ...listOwners(table.owners),
    ...(table.tags && table.tags.length > 0 ? { tags: table.tags } : {}),
    ...(table.updated_at === undefined ? {} : { updated_at: table.updated_at }),
    ...(table.row_count === undefined ? {} : { row_count: table.row_count }),
    ...(table.byte_size === undefined ? {} : { byte_size: table.byte_size }),
    ...toFacts(table.facts),
    ...(table.query ? { query: table.query } : {}),
  },
  ...toColumnItems(key, table.fields),
]

const MAX_DESCRIPTION = 100_000

/** A source that has no descriptions reports none; one that has them reports an empty one as such. */
const describe = (text: string | undefined) => (text === undefined ? {} : { description: text.trim().slice(0, MAX_DESCRIPTION) || null })

const listOwners = (owners: readonly string[] = []) => {
  const emails = [...new Set(owners.filter((owner) => owner.includes('@') && owner.length <= 320))]
  return emails.length > 0 ? { owners: emails } : {}
}

const toFacts = (facts: Facts = {}): { facts?: Facts } => {
  const set = Object.entries(facts).filter(([, value]) => value !== undefined && value !== null && !isEmpty(value))
  return set.length > 0 ? { facts: Object.fromEntries(set) } : {}
}

const isEmpty = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0
