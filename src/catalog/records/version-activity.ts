import { type Activity, type Change, needsSnapshot } from '../../platform/history/record.ts'
import { getEntityTypeConfig } from '../entity-types/entity-types.ts'
import type { ResourceRow } from './record.ts'
import { createSnapshot } from './replay.ts'

/** The activity for a new version of a resource, with its current title. */
export const toVersionActivity = (
  row: ResourceRow,
  verb: string,
  changes: readonly Change[],
  ids: Pick<Activity, 'id' | 'parent_id'> = {},
): Activity => ({
  ...ids,
  activity_type: `${getEntityTypeConfig(row.entity_type).noun}_${verb}`,
  resource_id: row.id,
  resource_type: row.entity_type,
  resource_title: row.title,
  resource_icon: row.icon,
  integration_id: row.integration,
  version: row.version,
  changes,
  ...(needsSnapshot(row.version) ? { snapshot: createSnapshot(row) } : {}),
})
