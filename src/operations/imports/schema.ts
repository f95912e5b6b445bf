import { type Static, Type } from 'typebox'
import { Id, Nullable, NullableId, NullableString, NullableTimestamp, OneOf, Timestamp } from '../../platform/core/schema-types.ts'

const IMPORT_FORMATS = ['csv', 'jsonl', 'xlsx'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

const KEPT_REASONS = ['changed', 'used', 'contains', 'part', 'reported', 'published', 'invalid'] as const
export type KeptReason = (typeof KEPT_REASONS)[number]

const counts = {
  resources_restored: Type.Integer({ description: 'Resources with fields or custom property values that are restored.' }),
  resources_deleted: Type.Integer({ description: 'Created resources that are moved to the trash.' }),
  lineage_deleted: Type.Integer({
    description: 'Created lineage edges that are deleted. Those of deleted resources are in the trash with them.',
  }),
  changes_kept: Type.Integer({ description: 'Changes that are not undone, and created resources that are not moved to the trash.' }),
}

export const ImportUndoCounts = Type.Object(counts, { title: 'ImportUndoCounts' })
export type ImportUndoCounts = Static<typeof ImportUndoCounts>

export const ImportRecord = Type.Object(
  {
    id: Id(),
    imported_at: Timestamp,
    user: NullableId('Who imported the file.'),
    integration: Id('The integration it was imported into.'),
    file_name: NullableString('The name of the file, if the request had one.'),
    format: OneOf(IMPORT_FORMATS),
    lines: Type.Integer(),
    created: Type.Integer({ description: 'Resources created.' }),
    updated: Type.Integer({ description: 'Resources changed.' }),
    lineage_created: Type.Integer(),
    containers_published: Type.Integer(),
    undo_until: Type.String({ format: 'date-time', description: 'Until when it can be undone.' }),
    undo_job: NullableId('The job of its undo, while it is queued or running.'),
    undone_at: NullableTimestamp,
    undone_by: NullableId('Who undid it.'),
    undone: Nullable(ImportUndoCounts),
  },
  { title: 'Import' },
)
export type ImportRecord = Static<typeof ImportRecord>

const ResourceName = { resource_id: Id(), title: Type.String(), entity_type: Type.String() }

const Kept = Type.Object({
  ...ResourceName,
  field: NullableString('Null: a created resource that is not moved to the trash.'),
  reason: OneOf(
    KEPT_REASONS,
    'changed: it has another value by now. used: someone changed or used the created resource since. contains: something in it is kept. part: it is a column or property of something that is kept. reported: a source reports it. published: something in it is published. invalid: the value before is no longer possible.',
  ),
})
export type Kept = Static<typeof Kept>

export const ImportDetails = Type.Object(
  {
    ...ImportRecord.properties,
    kept: Type.Array(Kept, {
      description: 'What its undo has kept, as far as you can see it and it was among the first 100. Empty until it is undone.',
    }),
  },
  { title: 'ImportDetails' },
)
export type ImportDetails = Static<typeof ImportDetails>

export const ImportUndo = Type.Object(
  {
    dry_run: Type.Boolean(),
    complete: Type.Boolean({
      description: 'False: the import is large, and the counts and lists are of what was found within 2,000 changes or 10 seconds.',
    }),
    ...counts,
    restored: Type.Array(
      Type.Object({
        ...ResourceName,
        change: OneOf(['deleted', 'restored'] as const),
        changes: Type.Array(Type.Object({ field: Type.String(), from: Type.Unknown(), to: Type.Unknown() }), {
          description: 'The values now and after the undo.',
        }),
      }),
      { description: 'The first 100 resources that are restored or moved to the trash. For a deleted one, those in it are not listed.' },
    ),
    kept: Type.Array(
      Type.Object({
        ...Kept.properties,
        imported: Type.Unknown({ description: 'The value that the import wrote.' }),
        now: Type.Unknown(),
      }),
      { description: 'The first 100 changes and created resources that are kept as they are.' },
    ),
  },
  { title: 'ImportUndo' },
)
export type ImportUndo = Static<typeof ImportUndo>
