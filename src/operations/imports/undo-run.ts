import type { ResourceRow } from '../../catalog/records/record.ts'
import type { Actor } from '../../platform/permissions/permissions.ts'
import type { ImportRow } from './import-rows.ts'
import type { UndoReport } from './undo-report.ts'

/** The undo of one import. */
export interface UndoRequest {
  readonly row: ImportRow
  /** Only report what would be done. */
  readonly dry_run: boolean
  readonly report: UndoReport
  /** Called after each step with the progress (0 to 98). Returns the caller with their access of now; throws when the undo must stop. */
  readonly step: (progress: number) => Promise<Actor>
}

/** The steps of an undo, each in transactions of its own that are complete in themselves. */
export interface UndoRun extends Omit<UndoRequest, 'step'> {
  /** `resources`: how many of those to restore and to delete are done with it. */
  readonly step: (resources?: number) => Promise<void>
}

export const nameOf = ({ id, title, entity_type }: Pick<ResourceRow, 'id' | 'title' | 'entity_type'>) => ({
  resource_id: id,
  title,
  entity_type,
})
