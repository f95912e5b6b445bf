import { type Activity, type Change, needsSnapshot } from '../history/record.ts'
import { kindOf } from './kinds.ts'
import type { ResourceRow } from './record.ts'
import { snapshotOf } from './replay.ts'

/** The activity for a new version of a resource, with its current title. */
export const versionEntry = (
  row: ResourceRow,
  done: string,
  changes: readonly Change[],
  more: Pick<Activity, 'id' | 'parent_id'> = {},
): Activity => ({
  ...more,
  activity_type: `${kindOf(row.entity_type).noun}_${done}`,
  resource_id: row.id,
  resource_type: row.entity_type,
  resource_title: row.title,
  resource_icon: row.icon,
  integration_id: row.integration,
  version: row.version,
  changes,
  ...(needsSnapshot(row.version) ? { snapshot: snapshotOf(row) } : {}),
})
