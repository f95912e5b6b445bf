import { type Static, Type } from 'typebox'
import { Id, IdInput, Nullable, NullableId, NullableString, NullableTimestamp, OneOf, Timestamp } from '../../platform/core/schema-types.ts'
import { PageQuery } from '../../platform/lists/page.ts'
import { PII_CLASSES } from './detectors.ts'

/** Wire types of PII suggestions and rules. */
const STATUSES = ['open', 'accepted', 'rejected'] as const

const Class = OneOf(PII_CLASSES, 'The kind of personal data.')
const Confidence = (description?: string) => Type.Number({ minimum: 0, maximum: 1, ...(description ? { description } : {}) })

const Evidence = Type.Object(
  {
    name: NullableString('The matching words in the column name.'),
    checked: Type.Integer({ description: 'Number of distinct values checked.' }),
    matched: Type.Integer({ description: 'Number of them that match.' }),
    shapes: Type.Array(Type.Object({ shape: Type.String(), count: Type.Integer() }), {
      description: 'Patterns of the matching values, with letters and digits replaced.',
    }),
    kinds: Type.Optional(Type.Array(Type.String(), { description: 'The national ID formats they match.' })),
  },
  { title: 'PiiEvidence' },
)

export const PiiSuggestion = Type.Object(
  {
    id: Id(),
    created_at: Timestamp,
    updated_at: Timestamp,
    resource_id: Id('The column.'),
    resource_title: Type.String(),
    resource_title_full: Type.String(),
    table_id: NullableId('The table of the column.'),
    integration_id: Id(),
    pii: Type.Boolean({ description: 'Whether the column is currently marked as PII.' }),
    class: Class,
    confidence: Confidence('Confidence from 0 to 1.'),
    evidence: Evidence,
    status: OneOf(STATUSES),
    decided_at: NullableTimestamp,
    decided_by: NullableId('The user who decided. Null if accepted by rule.'),
  },
  {
    title: 'PiiSuggestion',
  },
)
export type PiiSuggestion = Static<typeof PiiSuggestion>

export const SuggestionQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(STATUSES)),
  class: Type.Optional(Class),
  min_confidence: Type.Optional(Confidence('Minimum confidence.')),
  integration_id: Type.Optional(IdInput),
  resource_id: Type.Optional({ ...IdInput, description: 'A column, or a table for all its columns.' }),
})
export type SuggestionQuery = Static<typeof SuggestionQuery>

export const PiiRule = Type.Object(
  {
    integration_id: Id(),
    accept_from: Nullable(Confidence('Suggestions with at least this confidence are accepted automatically. Null: users decide.')),
    scan_after_sync: Type.Boolean({
      description: 'Scan for PII after each sync: all tables the first time, then tables with new columns.',
    }),
    scanned_at: NullableTimestamp,
    updated_at: NullableTimestamp,
  },
  {
    title: 'PiiRule',
    examples: [
      {
        integration_id: '01980000-0000-7000-8000-000000000004',
        accept_from: 0.95,
        scan_after_sync: true,
        scanned_at: null,
        updated_at: '2026-11-15T20:00:00.000Z',
      },
    ],
  },
)
export type PiiRule = Static<typeof PiiRule>

export const PiiRuleEdit = Type.Object(
  {
    accept_from: Type.Optional(Nullable(Confidence())),
    scan_after_sync: Type.Optional(Type.Boolean()),
  },
  { title: 'PiiRuleEdit', examples: [{ accept_from: 0.95, scan_after_sync: true }] },
)
export type PiiRuleEdit = Static<typeof PiiRuleEdit>
