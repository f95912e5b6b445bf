import type { ResourceRow } from '../../catalog/records/record.ts'
import type { ImportRow } from './import-rows.ts'
import type { UndoReport } from './undo-report.ts'

/** The steps of an undo, each in transactions of its own that are complete in themselves. `dry_run` only reports. */
export interface UndoRun {
  readonly of: ImportRow
  readonly dry_run: boolean
  readonly report: UndoReport
  /** Throws when the job was cancelled. */
  readonly step: () => Promise<void>
}

export const nameOf = ({ id, title, entity_type }: Pick<ResourceRow, 'id' | 'title' | 'entity_type'>) => ({
  resource_id: id,
  title,
  entity_type,
})
