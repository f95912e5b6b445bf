import { type Static, Type } from 'typebox'
import { Id, NullableId, NullableString, NullableTimestamp } from '../../platform/core/schema-types.ts'

export const ExampleQuery = Type.Object(
  {
    id: Id('The query.'),
    title: Type.String(),
    sql: NullableString('Its text, which may be Markdown with SQL.'),
    description: NullableString(),
    verified: Type.Boolean(),
    author: NullableId('The user who added it. Null if a source reported it.'),
    author_name: NullableString(),
    people: Type.Array(Type.String(), { description: 'Who ran it, as named by the source.' }),
    executions: Type.Integer({ description: 'How often it was run, according to the source.' }),
    last_run_at: NullableTimestamp,
    parsed: Type.Boolean({ description: 'True if its SQL was parsed and reads the table; false if its text only mentions the table.' }),
  },
  { title: 'ExampleQuery' },
)
export type ExampleQuery = Static<typeof ExampleQuery>
