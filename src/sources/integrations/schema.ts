import { type Static, type TSchema, Type } from 'typebox'
import {
  Id,
  Ids,
  IdsInput,
  Nullable,
  NullableId,
  NullableString,
  NullableTimestamp,
  OneOf,
  Timestamp,
} from '../../platform/core/schema-types.ts'
import { JOB_STATUSES } from '../../platform/jobs/schema.ts'
import { PageQuery } from '../../platform/lists/page.ts'
import { INTEGRATION_TYPES, TYPE_NAMES } from '../credentials/types.ts'
import { SYNC_OUTCOMES } from '../sync/report.ts'

/** Wire types. */
const optional = <T extends TSchema>(type: T) => Type.Optional(Nullable(type))
const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()])

const Schedule = Type.Object(
  {
    interval_minutes: Type.Optional(Type.Integer({ minimum: 5, maximum: 43_200, description: 'Minutes between syncs.' })),
    cron: Type.Optional(
      Type.String({ maxLength: 200, description: '`minute hour day month weekday`, in `timezone`.', examples: ['0 3 * * *'] }),
    ),
    timezone: Type.Optional(
      Type.String({ maxLength: 100, description: 'IANA time zone of the cron expression; absent: UTC.', examples: ['Europe/Berlin'] }),
    ),
  },
  { description: 'When the integration syncs: either an interval or a cron expression.' },
)
export type Schedule = Static<typeof Schedule>

export const Integration = Type.Object(
  {
    id: Id(),
    created_at: Timestamp,
    updated_at: Timestamp,
    name: Type.String(),
    title: Type.String({ description: 'The same as `name`.' }),
    type: OneOf(TYPE_NAMES),
    icon: Type.String(),
    workspace_id: Id(),
    teams: Ids('Team IDs. With a closed team among them, only its members and admins see the integration.'),
    connection: Nullable(
      Type.Record(Type.String(), Scalar, {
        description: 'The credentials that are not secret; null without the permission to manage integrations.',
      }),
    ),
    secrets_set: Type.Array(Type.String(), { description: 'The names of the secrets that are set. Their values are never returned.' }),
    schedule: Nullable(Schedule),
    preview_enabled: Type.Boolean({ description: 'Whether users can preview the first rows of its tables.' }),
    last_synced_at: NullableTimestamp,
    last_sync_status: Nullable(OneOf(JOB_STATUSES)),
    last_sync_error: NullableString(),
    next_sync_at: NullableTimestamp,
    resource_count: Type.Integer({ description: 'Number of its resources that you can see; exact.' }),
    removal_job: NullableId('The background job that is deleting it.'),
  },
  { title: 'Integration' },
)
export type Integration = Static<typeof Integration>

export const IntegrationTypeRecord = Type.Object(
  {
    type: Type.String(),
    label: Type.String(),
    icon: Type.String(),
    category: OneOf(['push', 'database', 'warehouse', 'transformation', 'bi', 'orchestration', 'connector']),
    pushes_only: Type.Boolean({ description: 'A push integration: it sends metadata through the API and has no connection.' }),
    connects: Type.Boolean({ description: 'Whether this version can test and sync it.' }),
    grants: NullableString('What its user needs to be allowed to do in the source, at the least.'),
    missing_package: Nullable(Type.String({ description: 'The npm package of its driver, if it has to be installed first.' })),
    fields: Type.Array(
      Type.Object({
        name: Type.String(),
        label: Type.String(),
        kind: OneOf(['text', 'number', 'boolean']),
        required: Type.Boolean({ description: 'Required to connect to the source.' }),
        secret: Type.Boolean({ description: 'Write-only: never returned.' }),
        destination: Type.Boolean({
          description: 'Affects where secrets are sent or how they are protected: when it changes, secrets must be entered again.',
        }),
        multiline: Type.Boolean(),
        default: Nullable(Scalar),
        help: NullableString(),
      }),
      { description: 'The fields of its `credentials`, in form order.' },
    ),
  },
  { title: 'IntegrationType' },
)
export type IntegrationTypeRecord = Static<typeof IntegrationTypeRecord>

export const PatternQuery = Type.Object(
  {
    include: Type.Optional(Nullable(Type.String({ maxLength: 10_000, description: 'Absent: that of the integration.' }))),
    exclude: Type.Optional(Nullable(Type.String({ maxLength: 10_000, description: 'Absent: that of the integration.' }))),
  },
  { title: 'PatternQuery', additionalProperties: false, examples: [{ include: 'public.*', exclude: '*.tmp_*' }] },
)
export type PatternQuery = Static<typeof PatternQuery>

export const PatternMatches = Type.Object(
  {
    included: Type.Integer(),
    excluded: Type.Integer(),
    complete: Type.Boolean({ description: 'Whether everything the source has was listed. False after 5,000 names or 30 seconds.' }),
    names: Type.Array(
      Type.Object({
        name: Type.String(),
        path: Type.Array(Type.String(), { description: 'From the outermost container down.' }),
        entity_type: Type.String(),
        included: Type.Boolean(),
      }),
    ),
  },
  { title: 'PatternMatches' },
)
export type PatternMatches = Static<typeof PatternMatches>

const Counts = Type.Record(Type.String(), Type.Integer(), { description: 'Counts by entity type.' })
export const Loss = Type.Object(
  { number: Type.Integer(), line: Type.String({ description: 'What is missing, and why.' }) },
  { title: 'Loss' },
)
export type Loss = Static<typeof Loss>

export const Sync = Type.Object(
  {
    id: Id('The background job of the sync.'),
    integration: Id(),
    status: OneOf(JOB_STATUSES),
    created_at: Timestamp,
    started_at: NullableTimestamp,
    finished_at: NullableTimestamp,
    error: NullableString(),
    report: Nullable(
      Type.Object({
        ...Object.fromEntries(SYNC_OUTCOMES.map((outcome) => [outcome, Counts])),
        lineage: Type.Object({ read: Type.Integer(), unreadable: Type.Integer() }),
        schema_changes: Type.Optional(
          Type.Array(
            Type.Object({
              table_id: Id(),
              table: Type.String({ description: 'Full title of the table.' }),
              added: Type.Array(Type.String()),
              removed: Type.Array(Type.String()),
              retyped: Type.Array(Type.Object({ name: Type.String(), from: NullableString(), to: NullableString() })),
              renamed: Type.Array(Type.Object({ from: Type.String(), to: Type.String() })),
              reordered: Type.Optional(Type.Array(Type.String())),
              nullability: Type.Optional(Type.Array(Type.Object({ name: Type.String(), nullable: Type.Boolean() }))),
              columns: Type.Integer({ description: 'Total number of changed columns. Each list names at most 50.' }),
            }),
            { description: 'Added, removed and changed columns of tables that existed before; at most 100 tables.' },
          ),
        ),
      }),
    ),
    needs_confirmation: Nullable(
      Type.Object(
        {
          known: Type.Integer({ description: 'Number of resources of this integration before the sync.' }),
          missing: Type.Integer({ description: 'Number of them that the source did not list.' }),
          emptied: Type.Array(Type.String(), { description: 'Databases and schemas that are now empty.' }),
        },
        {
          description:
            'Too many resources were missing, so nothing was marked as stale. New and changed resources were written. Sync with `confirm_removals` to accept the removals.',
        },
      ),
    ),
    undone_at: NullableTimestamp,
    cancelled_at: NullableTimestamp,
  },
  { title: 'Sync' },
)
export type Sync = Static<typeof Sync>

export const SyncRequest = Type.Object(
  {
    confirm_removals: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Marks the resources that the last sync found missing (`needs_confirmation`) as stale. If more are missing by then, confirmation is required again.',
      }),
    ),
    full: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Reads everything again, also what the source reports as unchanged. Happens by itself once a week.',
      }),
    ),
  },
  { title: 'SyncRequest', examples: [{ confirm_removals: true }] },
)

const MAX_CREDENTIAL_LENGTH = 20_000
const FIELD_SCHEMAS = {
  text: Type.String({ maxLength: MAX_CREDENTIAL_LENGTH }),
  number: Type.Integer(),
  boolean: Type.Boolean(),
} as const
/** The fields of all types; the type decides which of them are accepted. */
const Credentials = Type.Object(
  Object.fromEntries(
    [...INTEGRATION_TYPES.values()].flatMap(({ fields }) =>
      fields.map(({ name, kind }) => [name, Type.Optional(Nullable<TSchema>(FIELD_SCHEMAS[kind]))]),
    ),
  ),
  { description: 'How to connect to the source. Write-only; `GET /integration/types` lists the fields of each type.' },
)

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
const PreviewEnabled = Type.Optional(
  Type.Boolean({
    default: false,
    description: 'Let everyone who can see a table preview its first rows, without personal data.',
  }),
)
const rest = {
  teams: optional(IdsInput),
  schedule: optional(Schedule),
  preview_enabled: PreviewEnabled,
  credentials: optional(Credentials),
}

export const IntegrationCreate = Type.Object(
  { name: Name, type: Type.Optional(OneOf(TYPE_NAMES, 'Default: `custom`.')), ...rest },
  {
    title: 'IntegrationCreate',
    examples: [
      {
        name: 'Warehouse',
        type: 'postgres',
        credentials: { host: 'db.example.com', port: 5432, database: 'shop', user: 'reader', password: 'correct horse', ssl: true },
        schedule: { interval_minutes: 60 },
      },
    ],
  },
)
export type IntegrationCreate = Static<typeof IntegrationCreate>

export const IntegrationEdit = Type.Object(
  { name: Type.Optional(Name), type: Type.Optional(OneOf(TYPE_NAMES)), ...rest },
  { title: 'IntegrationEdit', examples: [{ name: 'Old warehouse', credentials: { password: 'battery staple' } }] },
)
export type IntegrationEdit = Static<typeof IntegrationEdit>

const part = Type.Optional(Type.String({ maxLength: 1000, description: 'Matches part of the name.' }))
export const IntegrationQuery = Type.Object({
  ...PageQuery.properties,
  type: Type.Optional(OneOf(TYPE_NAMES)),
  name: part,
  title: part,
})
export type IntegrationQuery = Static<typeof IntegrationQuery>

export const Tested = Type.Object({ status: OneOf(['OK']), detail: Type.String() }, { title: 'ConnectionTest' })
export type Tested = Static<typeof Tested>
