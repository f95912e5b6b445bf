import type { Db } from '../../platform/db/connect.ts'
import type { EntryRow } from '../../platform/history/entry.ts'

type Related = Pick<EntryRow, 'related_resource_type' | 'related_resource_ids'>

/** For each list of activities, the incident that all of them are about, if it still exists: incidents are deleted with their monitor. */
export const findCommonIncidents = async (db: Db, lists: readonly (readonly Related[])[]): Promise<(string | undefined)[]> => {
  const common = lists.map((activities) => {
    const incidents = new Set(activities.map(findRelatedIncident))
    return incidents.size === 1 ? [...incidents][0] : undefined
  })
  const ids = common.filter((id) => id !== undefined)
  if (ids.length === 0) return common
  const rows = await db.selectFrom('monitor_incidents').select('id').where('id', 'in', ids).execute()
  const existing = new Set(rows.map(({ id }) => id))
  return common.map((id) => (id !== undefined && existing.has(id) ? id : undefined))
}

/** The incident that an activity is about. */
export const findRelatedIncident = ({ related_resource_type, related_resource_ids }: Related): string | undefined =>
  related_resource_type === 'incident' ? related_resource_ids?.[0] : undefined
