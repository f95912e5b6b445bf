import { type Static, Type } from 'typebox'
import { CatalogQuery } from '../../catalog/listing/query.ts'
import { NullableId, NullableString, OneOf } from '../../platform/core/schema-types.ts'
import { AuditLogQuery } from '../../platform/history/schema.ts'
import { ACTIVITY_COLUMNS } from './activity-columns.ts'
import { FORMATS } from './column.ts'
import { RESOURCE_COLUMNS } from './resource-columns.ts'

const exportParams = (columns: readonly string[]) => ({
  format: Type.Optional(OneOf(FORMATS)),
  fields: Type.Optional(
    Type.String({ maxLength: 4000, description: `The columns to export, separated by commas: ${columns.join(', ')}.` }),
  ),
})

const { page: _, page_size: __, cursor: ___, ...catalog } = CatalogQuery.properties
export const ResourceExportQuery = Type.Object({
  ...exportParams([...RESOURCE_COLUMNS, 'property:<ID or name of a custom property>']),
  properties: Type.Optional(
    Type.Boolean({ description: 'Adds a last column with custom property values by name, as JSON. Imports ignore it.' }),
  ),
  property_columns: Type.Optional(
    Type.Boolean({ description: 'Adds a column `property:<name>` for every custom property. An import reads these columns.' }),
  ),
  ...catalog,
})
export type ResourceExportQuery = Static<typeof ResourceExportQuery>

const { filter, sort } = AuditLogQuery.properties
export const ActivityExportQuery = Type.Object({ ...exportParams(ACTIVITY_COLUMNS), filter, sort })
export type ActivityExportQuery = Static<typeof ActivityExportQuery>

export const ImportQuery = Type.Object({
  dry_run: Type.Optional(Type.Boolean({ default: false, description: 'Reports what would change without changing it.' })),
  file_name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'The name of the file in the list of imports. Default: that of the form.' }),
  ),
  background: Type.Optional(
    Type.Boolean({ default: false, description: 'Returns a job as soon as the file is read. The log of the job contains the result.' }),
  ),
})

export type ImportQuery = Static<typeof ImportQuery>

export const ImportResult = Type.Object(
  {
    dry_run: Type.Boolean(),
    lines: Type.Integer({ description: 'Number of non-empty lines.' }),
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
    containers_published: Type.Integer({
      description: 'Existing databases, schemas and other containers that are published because something in them is.',
    }),
    lineage_created: Type.Integer(),
    lineage_unchanged: Type.Integer(),
    ignored_fields: Type.Array(Type.String(), { description: 'Unknown fields that were ignored.' }),
    differences: Type.Array(
      Type.Object({
        line: Type.Integer(),
        change: OneOf(['created', 'updated'] as const),
        id: NullableId(),
        databuilder_id: NullableString(),
        title: NullableString(),
        changes: Type.Array(Type.Object({ field: Type.String(), from: Type.Unknown(), to: Type.Unknown() })),
      }),
      { description: 'Only for a dry run: the first 100 resources that would change.' },
    ),
  },
  { title: 'ImportResult' },
)
export type ImportResult = Static<typeof ImportResult>
