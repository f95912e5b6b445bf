import { type Static, Type } from 'typebox'
import { Id, Nullable, Timestamp } from '../../platform/core/schema-types.ts'

export const TrashEntry = Type.Object(
  {
    id: Id('ID of the deleted resource.'),
    title: Type.String(),
    title_full: Type.String({ description: 'The full title at the time of deletion.' }),
    entity_type: Type.String(),
    icon: Type.String(),
    parent: Nullable(Id('ID of the former parent.')),
    resources_below: Type.Integer({ description: 'Number of resources below it that were deleted with it.' }),
    deleted_at: Timestamp,
    deleted_by: Nullable(Id('ID of the user who deleted it.')),
    expires_at: Type.String({ format: 'date-time', description: 'When the resource can no longer be restored.' }),
  },
  { title: 'TrashEntry' },
)
export type TrashEntry = Static<typeof TrashEntry>
