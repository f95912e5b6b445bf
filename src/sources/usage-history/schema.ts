import { type Static, Type } from 'typebox'
import { Id, Nullable } from '../../platform/core/schema-types.ts'

export const UsageQuery = Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, default: 90 })) })

export const Usage = Type.Object(
  {
    resource_id: Id(),
    days: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date' }),
        uses: Nullable(Type.Integer({ description: 'Uses in the source. Null before the first day that was counted.' })),
        views: Type.Integer({ description: 'Views here. They are kept for 90 days.' }),
        viewers: Type.Integer({ description: 'People who viewed it here.' }),
      }),
      { description: 'Every day, oldest first. The last one is today.' },
    ),
    top_users: Type.Array(
      Type.Object({
        name: Type.String({ description: 'As the source names them.' }),
        queries: Nullable(Type.Integer({ description: 'Queries that read it and that they ran. Null if the source does not say which.' })),
        executions: Nullable(Type.Integer({ description: 'How often these queries were run, by anyone.' })),
      }),
      { description: 'At most 10.' },
    ),
  },
  { title: 'ResourceUsage' },
)
export type Usage = Static<typeof Usage>
