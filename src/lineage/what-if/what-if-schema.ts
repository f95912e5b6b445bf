import { type Static, Type } from 'typebox'
import { DeprecationWarning } from '../../catalog/listing/deprecations.ts'
import { Id, IdInput, Nullable, OneOf } from '../../platform/core/schema-types.ts'
import { Translatable } from '../../platform/core/translatable.ts'
import { Affected, Owner } from '../graph/graph-schema.ts'

/** Request and response schemas of the what-if simulation. */

const Name = Type.String({ minLength: 1, maxLength: 1_000 })

export const WhatIf = Type.Object(
  {
    sql: Type.Optional(Type.String({ minLength: 1, description: 'The changed query of `table_id`, or of the table the SQL writes.' })),
    dialect: Type.Optional(Nullable(Type.String({ maxLength: 100, default: 'postgres' }))),
    default_database: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
    default_schema: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
    table_id: Type.Optional(
      Nullable(Type.String({ maxLength: 100, description: 'The table that `sql` writes, and whose columns can be referenced by title.' })),
    ),
    dropped_columns: Type.Optional(Type.Array(Name, { maxItems: 1_000, description: 'Column IDs, or titles of columns of `table_id`.' })),
    renamed_columns: Type.Optional(
      Type.Array(Type.Object({ column: Name, to: Name }), { maxItems: 1_000, description: '`column` as in `dropped_columns`.' }),
    ),
    dropped_tables: Type.Optional(Type.Array(IdInput, { maxItems: 1_000 })),
    manifest: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description: 'The `manifest.json` of a dbt project, version 10 or later, with compiled models.',
      }),
    ),
  },
  {
    title: 'WhatIf',
    examples: [{ table_id: '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f', dropped_columns: ['price'] }],
  },
)
export type WhatIf = Static<typeof WhatIf>

const CHANGES = ['table_dropped', 'column_dropped', 'column_renamed', 'column_lost', 'column_rewired'] as const

const Change = Type.Object({
  id: Id(),
  title_full: Type.String(),
  entity_type: Type.String(),
  change: OneOf(CHANGES, '`column_lost`: the changed query no longer returns it. `column_rewired`: its values come from other columns.'),
  detail: Type.String(),
  detail_translatable: Translatable,
})
export type Change = Static<typeof Change>

export const Break = Type.Object(
  {
    ...Affected.properties,
    reason: Type.String({ description: 'Why it breaks, as a sentence.' }),
    reason_translatable: Translatable,
    cause: Id('The changed resource that causes the break.'),
  },
  { title: 'Break' },
)
export type Break = Static<typeof Break>

const Unresolved = Type.Object({
  table: Type.String({ description: 'The table whose query contains the name.' }),
  name: Type.String(),
  reason: Type.String({ description: '`not_in_catalog`, `ambiguous`, or why the SQL does not determine the source.' }),
})
export type Unresolved = Static<typeof Unresolved>

export const WhatIfAnswer = Type.Object(
  {
    changes: Type.Array(Change),
    breaks: Type.Array(Break, { description: 'Resources that lose their source, nearest first, at most 1,000.' }),
    owners: Type.Array(Type.Object({ ...Owner.properties, count: Type.Integer() })),
    totals: Type.Object({
      breaks: Type.Integer(),
      certain: Type.Integer({ description: 'How many of the listed breaks are known at column level.' }),
      by_entity_type: Type.Record(Type.String(), Type.Integer()),
      unowned: Type.Integer(),
    }),
    unresolved: Type.Array(Unresolved, { description: 'Names in the changed queries that do not resolve to one resource of the catalog.' }),
    warnings: Type.Array(DeprecationWarning, {
      description: 'What is changed and deprecated, and deprecated tables that the changed queries read or write.',
    }),
    notes: Type.Array(Type.String(), { description: 'What could not be compared, and why.' }),
    truncated: Type.Boolean(),
    comment: Type.String({ description: 'The result as a Markdown comment for a pull request.' }),
  },
  { title: 'WhatIfAnswer' },
)
export type WhatIfAnswer = Static<typeof WhatIfAnswer>
