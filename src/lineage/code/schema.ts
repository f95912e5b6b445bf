import { type Static, Type } from 'typebox'
import { Id, OneOf } from '../../platform/core/schema-types.ts'

const CODE_KINDS = ['view', 'dbt', 'dbt_compiled', 'job', 'query', 'derived'] as const

const CodeColumn = Type.Object({
  id: Id('The column that is filled.'),
  title: Type.String(),
  spans: Type.Array(
    Type.Object({
      start: Type.Integer({ description: 'Position in the code, in UTF-16 code units from 0.' }),
      end: Type.Integer(),
      from: Id('The column it is computed from.'),
      from_title: Type.String({ description: 'Its title with the title of its table.' }),
    }),
    { description: 'The expressions that the column is computed from.' },
  ),
})
export type CodeColumn = Static<typeof CodeColumn>

export const CodeBlock = Type.Object(
  {
    kind: OneOf(
      CODE_KINDS,
      'The definition of a view or routine, a dbt model as written or compiled, the code of a job, the text of a query, or a query that lineage was derived from.',
    ),
    language: Type.String({ description: 'The SQL dialect if it is known, else `sql`; for jobs the language they are written in.' }),
    code: Type.String(),
    columns: Type.Array(CodeColumn),
  },
  { title: 'CodeBlock' },
)
export type CodeBlock = Static<typeof CodeBlock>

export const Code = Type.Object({ blocks: Type.Array(CodeBlock) }, { title: 'Code' })
export type Code = Static<typeof Code>
