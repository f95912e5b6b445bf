import { type Static, Type } from 'typebox'
import { ResourceBrief } from '../../catalog/listing/brief.ts'
import { Id, NullableId, NullableString, OneOf, Timestamp } from '../../platform/core/schema-types.ts'
import { PageSchema } from '../../platform/lists/page.ts'
import { COLUMN_CHANGE_KINDS } from './column-changes.ts'

/** Wire types. */
export const Provenance = Type.Object(
  {
    field: Type.String(),
    by: OneOf(['source', 'person'], 'Whether the value comes from a source or was edited by a user. Edits by users are never overwritten.'),
    value: Type.Unknown({ description: 'The current value.' }),
    source: Type.String({ description: 'The type of the source that reports the field. There can be several, e.g. a warehouse and dbt.' }),
    source_value: Type.Unknown({ description: 'The value the source last reported.' }),
  },
  { title: 'Provenance' },
)
export type Provenance = Static<typeof Provenance>

export const TakeBack = Type.Object(
  {
    field: Type.String({ minLength: 1, maxLength: 100 }),
    source: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'The type of the source. Default: the source the resource belongs to.' }),
    ),
  },
  { title: 'TakeBack', examples: [{ field: 'description' }] },
)

const SchemaHistoryEntry = Type.Object(
  {
    id: Id(),
    at: Timestamp,
    sync_id: NullableId('The sync that found the change; null if the source pushed it.'),
    changes: Type.Array(
      Type.Object({
        kind: OneOf(COLUMN_CHANGE_KINDS),
        column: Type.String({ description: 'Name of the column after the change.' }),
        from: NullableString(
          '`retyped` and `dropped`: the former type. `renamed`: the former name. `reordered`: the former position. `nullability`: `nullable` or `not null`.',
        ),
        to: NullableString('The same after the change. `added`: the type.'),
      }),
    ),
    breaks: Type.Array(ResourceBrief, {
      description:
        'What depends on columns that were dropped, renamed or given another type, as it was then, nearest first. Columns are listed as their table.',
    }),
  },
  {
    title: 'SchemaHistoryEntry',
    examples: [
      {
        id: '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f',
        at: '2026-01-15T08:30:00.000Z',
        sync_id: '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e60',
        changes: [{ kind: 'retyped', column: 'tax', from: 'numeric', to: 'text' }],
        breaks: [],
      },
    ],
  },
)
export type SchemaHistoryEntry = Static<typeof SchemaHistoryEntry>
export const SchemaHistoryPage = PageSchema(SchemaHistoryEntry, 'SchemaHistoryPage')
