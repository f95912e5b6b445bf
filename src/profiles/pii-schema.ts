import { type Static, Type } from 'typebox'
import { PageQuery } from '../lists/page.ts'
import { Id, IdIn, Nullable, NullableId, NullableString, NullableTimestamp, OneOf, Timestamp } from '../wire.ts'
import { PII_CLASSES } from './detectors.ts'

/** What travels on the wire about what may be personal. */
const STATUSES = ['open', 'accepted', 'rejected'] as const

const Class = OneOf(PII_CLASSES, 'What it looks like.')
const Confidence = (description?: string) => Type.Number({ minimum: 0, maximum: 1, ...(description ? { description } : {}) })

const Evidence = Type.Object(
  {
    name: NullableString('The words of the column’s name that say so.'),
    checked: Type.Integer({ description: 'How many different values were looked at.' }),
    matched: Type.Integer({ description: 'How many of them look like it.' }),
    shapes: Type.Array(Type.Object({ shape: Type.String(), count: Type.Integer() }), {
      description: 'What those look like, without what they are: letters and digits are replaced.',
    }),
    kinds: Type.Optional(Type.Array(Type.String(), { description: 'Which states’ numbers they can be.' })),
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
    table_id: NullableId('The table it stands in.'),
    integration_id: Id(),
    pii: Type.Boolean({ description: 'Whether the column is marked now.' }),
    class: Class,
    confidence: Confidence('How sure.'),
    evidence: Evidence,
    status: OneOf(STATUSES),
    decided_at: NullableTimestamp,
    decided_by: NullableId('Who decided. Null for one that was accepted by rule.'),
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
  min_confidence: Type.Optional(Confidence('Only those at least so sure.')),
  integration_id: Type.Optional(IdIn),
  resource_id: Type.Optional({ ...IdIn, description: 'Of this column, or of the columns of this table.' }),
})
export type SuggestionQuery = Static<typeof SuggestionQuery>

export const PiiRule = Type.Object(
  {
    integration_id: Id(),
    accept_from: Nullable(Confidence('Suggestions at least so sure are accepted by themselves. Null: people decide.')),
    scan_after_sync: Type.Boolean({
      description: 'Look for what is personal after each sync: the first time in all tables, then in those with new columns.',
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
