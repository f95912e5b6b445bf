import type { Context } from '../../platform/context/context.ts'
import { recordEvent } from '../../platform/history/events.ts'
import { type ImportRow, insertImport } from './import-rows.ts'
import type { ImportFormat } from './schema.ts'

type ImportCounts = Pick<ImportRow, 'lines' | 'created' | 'updated' | 'lineage_created' | 'containers_published'>

interface FinishedImport extends ImportCounts {
  readonly id: string
  readonly integration: string
  readonly file: { readonly name: string | null; readonly format: ImportFormat }
}

/** Records an import as one operation that can be undone. Must be called in its transaction. */
export const recordImport = async (ctx: Context, finished: FinishedImport): Promise<void> => {
  const { id, integration, file, lines, created, updated, lineage_created, containers_published } = finished
  const named = { file_name: file.name, format: file.format }
  await insertImport(ctx, { id, integration, ...named, lines, created, updated, lineage_created, containers_published })
  await recordEvent(ctx, {
    kind: 'import_completed',
    resource: { id, type: 'import', title: describeFile(named), integration_id: integration },
    payload: { import: id, lines, created, updated, lineage_created },
  })
}

export const describeFile = ({ file_name, format }: Pick<ImportRow, 'file_name' | 'format'>): string =>
  file_name ?? `${format.toUpperCase()} file`
