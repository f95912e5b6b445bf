import { type Static, Type } from 'typebox'
import { Id, Nullable, NullableString, Timestamp } from '../../platform/core/schema-types.ts'
import { Cell } from '../source-tables/cell.ts'

const Sample = Type.Object({
  measurement: Id('The measurement it belongs to.'),
  measured_at: Timestamp,
  columns: Type.Array(
    Type.Object({ resource_id: Id('The column.'), name: Type.String(), title: Type.String(), native_type: NullableString() }),
    {
      description: 'The checked column first. Columns with personal data are left out.',
    },
  ),
  rows: Type.Array(Type.Array(Cell), { description: 'At most 10 rows, one cell per column.' }),
  counts: Nullable(
    Type.Array(Type.Integer(), { description: 'Of duplicates and missing references: how many rows have the values of each row.' }),
  ),
  truncated: Type.Boolean({ description: 'Whether there are more.' }),
  withheld: Type.Boolean({ description: 'Whether columns are left out because they contain personal data, or may.' }),
})

export const FailingRows = Type.Object(
  { incident: Id(), sample: Type.Unsafe<Static<typeof Sample> | null>({ anyOf: [Sample, { type: 'null' }] }) },
  { title: 'FailingRows' },
)
export type FailingRows = Static<typeof FailingRows>
