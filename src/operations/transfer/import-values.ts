import { lockProperties, type PropertyRow } from '../../catalog/properties/property-rows.ts'
import { findValuesOf, writeValuesByResource } from '../../catalog/properties/value-store.ts'
import { describeExpectedValue, normalizeValue } from '../../catalog/properties/value-types.ts'
import type { ResourceRow } from '../../catalog/records/record.ts'
import { lockVisibleRows } from '../../catalog/records/visible-rows.ts'
import type { Context } from '../../platform/context/context.ts'
import { conflict, notFound } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import type { Change } from '../../platform/history/record.ts'
import type { LineProblem, PlannedLine } from './import-line-rows.ts'
import { toPropertyColumn } from './property-columns.ts'
import { findUnsupportedType } from './resolve-properties.ts'

/** The custom properties of an import by ID, locked so that their types and options stay as they are until it ends. */
export type ImportProperties = ReadonlyMap<string, PropertyRow>

export const lockImportProperties = async (ctx: Context, ids: readonly string[]): Promise<ImportProperties> => {
  const found = ids.length === 0 ? new Map<string, PropertyRow>() : await lockProperties(ctx.db, ids, 'share')
  if (found.size < ids.length)
    throw conflict(translatable('A custom property of this file was deleted in the meantime. Remove its column and upload the file again.'))
  return found
}

/** A value that no longer fits because the property was changed after the file was read. */
const findProblem = (line: number, property: PropertyRow, entity_type: string | undefined, value: string): LineProblem | undefined => {
  const problem =
    findUnsupportedType(property, entity_type, value) ??
    (normalizeValue(property, value) === undefined ? `must be ${describeExpectedValue(property)}.` : undefined)
  return problem === undefined ? undefined : { line, field: toPropertyColumn(property.name), problem }
}

type LineWithValues = PlannedLine & { readonly data: { readonly properties: Readonly<Record<string, string>> } }
const hasValues = (line: PlannedLine): line is LineWithValues => line.data.properties !== undefined

/** What the values of these lines would change, by line. */
export const compareValues = async (
  ctx: Context,
  properties: ImportProperties,
  lines: readonly PlannedLine[],
  rows: ReadonlyMap<string, ResourceRow>,
): Promise<{ readonly changes: ReadonlyMap<number, readonly Change[]>; readonly problems: readonly LineProblem[] }> => {
  const changes = new Map<number, Change[]>()
  const problems: LineProblem[] = []
  const found = properties.size === 0 ? [] : lines.filter(hasValues)
  const stored = await findValuesOf(
    ctx.db,
    found.map(({ id }) => id),
    [...properties.keys()],
  )
  const current = new Map(stored.map(({ resource_id, property_id, value }) => [`${resource_id} ${property_id}`, value]))
  for (const { line, id, data } of found)
    for (const [property_id, value] of Object.entries(data.properties)) {
      const property = properties.get(property_id)!
      const from = current.get(`${id} ${property_id}`) ?? ''
      if (from === value) continue
      const problem = findProblem(line, property, (data.fields.entity_type as string | undefined) ?? rows.get(id)?.entity_type, value)
      if (problem) problems.push(problem)
      changes.set(line, [...(changes.get(line) ?? []), { field: toPropertyColumn(property.name), from: from || null, to: value || null }])
    }
  return { changes, problems }
}

/** Writes the values of these lines. Their resources exist by now. */
export const writeImportValues = async (ctx: Context, properties: ImportProperties, lines: readonly PlannedLine[]): Promise<void> => {
  const found = properties.size === 0 ? [] : lines.filter(hasValues)
  if (found.length === 0) return
  const rows = await lockVisibleRows(
    ctx,
    found.map(({ id }) => id),
  )
  const values = found.flatMap(({ id, data }) => {
    if (!rows.has(id)) throw notFound('resource', id)
    return Object.entries(data.properties).map(([property_id, value]) => {
      const { value_type } = properties.get(property_id)!
      return { resource_id: id, property_id, value_type, value }
    })
  })
  await writeValuesByResource(ctx, values)
}
