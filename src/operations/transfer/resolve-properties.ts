import { sql } from 'kysely'
import { findProperties, type PropertyRow } from '../../catalog/properties/property-rows.ts'
import { describeExpectedValue, normalizeValue, type ValueType } from '../../catalog/properties/value-types.ts'
import { findTagIdsByName } from '../../catalog/tags/tag-rows.ts'
import type { Context } from '../../platform/context/context.ts'
import type { FieldErrors } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { findUsersByEmail } from '../../sources/sync/find-users.ts'
import type { LineData, StagedLine } from './line.ts'
import { getPropertyKey } from './property-columns.ts'

/** The values of the `property:` columns of a batch, checked against their types, and the errors of those that do not fit. */
export const resolveProperties = async (
  ctx: Context,
  lines: readonly StagedLine[],
): Promise<{
  readonly lines: readonly StagedLine[]
  readonly property_ids: readonly string[]
  readonly errors: readonly { readonly line: number; readonly errors: FieldErrors }[]
}> => {
  const columns = new Set(lines.flatMap(({ data }) => Object.keys(data?.properties ?? {})))
  if (columns.size === 0) return { lines, property_ids: [], errors: [] }
  const properties = await findColumnProperties(ctx, [...columns])
  const references = await findReferences(ctx, lines, properties)
  const errors: { line: number; errors: FieldErrors }[] = []
  const resolved = lines.map((line) => {
    if (!line.data?.properties) return line
    const values: Record<string, string> = {}
    for (const [column, text] of Object.entries(line.data.properties)) {
      const checked = checkValue(column, text, line.data, properties.get(column), references)
      if ('problem' in checked) errors.push({ line: line.line, errors: { [column]: [checked.problem] } })
      else if (checked.property_id in values)
        errors.push({ line: line.line, errors: { [column]: ['names the same property as another column.'] } })
      else values[checked.property_id] = checked.value
    }
    return { ...line, data: { ...line.data, properties: values } }
  })
  return { lines: resolved, property_ids: [...new Set([...properties.values()].map(({ id }) => id))], errors }
}

type Checked = { readonly property_id: string; readonly value: string } | { readonly problem: string }

const checkValue = (
  column: string,
  text: string,
  { fields }: LineData,
  property: PropertyRow | undefined,
  references: References,
): Checked => {
  if (!property) return { problem: `no custom property is named ${getPropertyKey(column).slice(0, 100)}.` }
  const problem = findUnsupportedType(property, fields.entity_type as string | undefined, text)
  if (problem) return { problem }
  const value = normalizeValue(property, references.toId(property.value_type, toItems(property.value_type, text)))
  if (value === undefined) return { problem: `must be ${describeFileValue(property)}.` }
  if (value !== '' && references.isMissing(property.value_type, value))
    return { problem: `The ${property.value_type} ${value} does not exist.` }
  return { property_id: property.id, value }
}

/** A property that does not apply to an entity type. Its value can still be cleared. */
export const findUnsupportedType = ({ name, entity_types }: PropertyRow, type: string | undefined, value: string): string | undefined =>
  type && entity_types && !entity_types.includes(type) && value.trim() !== ''
    ? `${name} does not apply to resources of type ${type}.`
    : undefined

/** Spreadsheets hold several options as `a;b`. */
const toItems = (value_type: ValueType, text: string): string => {
  if (value_type !== 'multi_select' || text.trim() === '' || text.trim().startsWith('[')) return text
  return JSON.stringify(text.split(';').flatMap((item) => item.trim() || []))
}

const describeFileValue = (property: PropertyRow): string => {
  if (property.value_type === 'user') return 'the e-mail address or the UUID of a user'
  if (property.value_type === 'tag') return 'the name or the UUID of a tag'
  return describeExpectedValue(property).replace('a JSON array', 'a list (a;b or a JSON array)')
}

const findColumnProperties = async (ctx: Context, columns: readonly string[]): Promise<Map<string, PropertyRow>> => {
  const found = await findProperties(ctx.db, columns.map(getPropertyKey))
  return new Map(
    columns.flatMap((column) => {
      const property = found.get(getPropertyKey(column))
      return property ? [[column, property] as const] : []
    }),
  )
}

interface References {
  /** The ID of a user named by e-mail address and of a tag named by name; other texts as they are. */
  toId(type: ValueType, text: string): string
  isMissing(type: ValueType, id: string): boolean
}

const findReferences = async (
  ctx: Context,
  lines: readonly StagedLine[],
  properties: ReadonlyMap<string, PropertyRow>,
): Promise<References> => {
  const texts = (type: ValueType) => [
    ...new Set(
      lines.flatMap(({ data }) =>
        Object.entries(data?.properties ?? {}).flatMap(([column, text]) =>
          properties.get(column)?.value_type === type && text.trim() !== '' ? toKey(type, text) : [],
        ),
      ),
    ),
  ]
  const [users, tags, resources] = [texts('user'), texts('tag'), texts('resource')]
  const byName: Partial<Record<ValueType, ReadonlyMap<string, string>>> = {
    user: await findUsersByEmail(
      ctx.db,
      users.filter((text) => !parseId(text)),
    ),
    tag: await findTagIdsByName(
      ctx.db,
      tags.filter((text) => !parseId(text)),
    ),
  }
  const known: Partial<Record<ValueType, ReadonlySet<string>>> = {
    user: await findIds(ctx, 'user', toIds(users)),
    resource: await findIds(ctx, 'resource', toIds(resources)),
  }
  return {
    toId: (type, text) => byName[type]?.get(toKey(type, text)) ?? text,
    isMissing: (type, id) => known[type] !== undefined && !known[type].has(id) && ![...(byName[type]?.values() ?? [])].includes(id),
  }
}

/** E-mail addresses and IDs in lower case; the names of tags are folded by the database. */
const toKey = (type: ValueType, text: string): string => (type === 'tag' ? text.trim() : text.trim().toLowerCase())

const toIds = (texts: readonly string[]): string[] => texts.flatMap((text) => parseId(text) ?? [])

const findIds = async (ctx: Context, type: 'user' | 'resource', ids: readonly string[]): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set()
  const from = type === 'user' ? sql`users u where u.deleted_at is null and u.id` : sql`resources r where ${visibleTo(ctx.actor)} and r.id`
  const { rows } = await sql<{
    id: string
  }>`select ${sql.ref(type === 'user' ? 'u.id' : 'r.id')} as id from ${from} = any(${ids}::uuid[])`.execute(ctx.db)
  return new Set(rows.map(({ id }) => id))
}
