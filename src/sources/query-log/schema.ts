import { type Static, Type } from 'typebox'
import { Nullable, NullableTimestamp } from '../../platform/core/schema-types.ts'
import { Job } from '../../platform/jobs/schema.ts'

/** Wire types. */
const column = (what: string) =>
  Type.Optional(Type.String({ maxLength: 500, description: `The column with ${what}. Default: by its name.` }))

export const UploadQuery = Type.Object({
  sql: column('the SQL of the query'),
  user: column('who executed it'),
  time: column('when it was executed: a timestamp, or seconds or milliseconds since 1970; without a time zone, UTC'),
  duration: column('how long it took, in milliseconds'),
  database: column('the database it was executed in'),
  schema: column('the schema it was executed in'),
  dry_run: Type.Optional(Type.Boolean({ description: 'Reads the file and reports what would be saved.' })),
})

export const UploadReport = Type.Object(
  {
    columns: Type.Array(Type.String(), { description: 'The columns of the file.' }),
    mapping: Type.Record(Type.String(), Type.String(), { description: 'The column of each field.' }),
    rows: Type.Integer({ description: 'Rows read.' }),
    statements: Type.Integer({ description: 'Different statements, without their literals, that were not known before.' }),
    executions: Type.Integer({ description: 'Executions that were not known before.' }),
    first_at: NullableTimestamp,
    last_at: NullableTimestamp,
    skipped: Type.Array(Type.Object({ reason: Type.String(), rows: Type.Integer(), first_line: Type.Integer() })),
    sample: Type.Array(Type.Record(Type.String(), Type.String()), { description: 'The first rows, as they were understood.' }),
    repeated: Type.Boolean({ description: 'The same file was uploaded before: nothing was saved.' }),
    job: Nullable(Job),
  },
  { title: 'QueryLogReport' },
)
export type UploadReport = Static<typeof UploadReport>
