import type { EventResource } from '../../platform/history/events.ts'
import type { ResourceRow } from '../records/record.ts'

export const toEventResource = ({ id, entity_type, title, icon, integration }: ResourceRow): EventResource => ({
  id,
  type: entity_type,
  title,
  icon,
  integration_id: integration,
})
