import { type Static, Type } from 'typebox'
import { Id, Nullable, Timestamp } from '../../wire.ts'

export const TrashEntry = Type.Object(
  {
    id: Id('The ID of the resource that was deleted.'),
    title: Type.String(),
    title_full: Type.String({ description: 'Its full name when it was deleted.' }),
    entity_type: Type.String(),
    icon: Type.String(),
    parent: Nullable(Id('What it was below.')),
    resources_below: Type.Integer({ description: 'How many resources below it were deleted with it.' }),
    deleted_at: Timestamp,
    deleted_by: Nullable(Id('The user who deleted it.')),
    expires_at: Type.String({ format: 'date-time', description: 'From then on it cannot be restored.' }),
  },
  { title: 'TrashEntry' },
)
export type TrashEntry = Static<typeof TrashEntry>
