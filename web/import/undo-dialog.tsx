import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { entityTypeLabel } from '../ui/entity-type.tsx'
import { QueryView } from '../ui/states.tsx'
import { DifferenceTable, formatField } from './difference-table.tsx'
import { type ImportUndo, importQuery, startUndo, undoPreviewQuery } from './queries.ts'

interface UndoDialogProps {
  readonly id: string
  readonly name: string
  readonly onStarted: (job: string) => void
  readonly onClose: () => void
}

/** Shows what an undo of an import restores and what it keeps, before it starts. It can also be started if the preview is incomplete or failed. */
export const UndoDialog = ({ id, name, onStarted, onClose }: UndoDialogProps) => {
  const preview = useQuery(undoPreviewQuery(id))
  const undo = useMutation({ mutationFn: () => startUndo(id), onSuccess: ({ id }) => onStarted(id) })
  return (
    <Dialog
      wide
      title={t('Undo import of {name}', { name })}
      onClose={onClose}
      footer={
        <>
          <Button look="quiet" onClick={onClose} data-autofocus>
            {t('Cancel')}
          </Button>
          <Button
            look="danger"
            disabled={preview.isPending || (preview.data?.complete && isEmpty(preview.data))}
            busy={undo.isPending}
            onClick={() => undo.mutate()}
          >
            {t('Undo import')}
          </Button>
        </>
      }
    >
      <QueryView of={preview}>{(data) => <Preview of={data} />}</QueryView>
      {undo.error && (
        <p role="alert" className="mt-3 text-sm text-bad">
          {undo.error.message}
        </p>
      )}
    </Dialog>
  )
}

const isEmpty = ({ resources_restored, resources_deleted, lineage_deleted }: ImportUndo): boolean =>
  resources_restored + resources_deleted + lineage_deleted === 0

const Preview = ({ of }: { of: ImportUndo }) => {
  const { complete, resources_restored, resources_deleted, lineage_deleted, changes_kept, restored, kept } = of
  return (
    <div className="grid grid-cols-1 gap-4 text-sm">
      <p role="status">
        {!complete && t('This import is large, so the preview shows only a part of it. The undo covers all of it.')}{' '}
        {!isEmpty(of)
          ? `${[
              resources_restored > 0 && t('{n:# resource will be|# resources will be} restored', { n: resources_restored }),
              resources_deleted > 0 &&
                t('{n:# created resource will be|# created resources will be} moved to the trash', { n: resources_deleted }),
              lineage_deleted > 0 && t('{n:# lineage edge will be|# lineage edges will be} deleted', { n: lineage_deleted }),
            ]
              .filter(Boolean)
              .join(', ')}.`
          : complete && t('Nothing to undo: every value was changed or deleted since the import.')}
      </p>
      <DifferenceTable
        label={t('Will be restored')}
        after={t('After the undo')}
        rows={restored.map(({ resource_id, title, changes }) => ({ key: resource_id, id: resource_id, name: title, changes }))}
        whole={<Badge>{t('Moved to the trash')}</Badge>}
      />
      {restored.length > 0 && resources_restored + resources_deleted > restored.length && (
        <p className="text-xs text-faint">{t('Only the first {n} are listed.', { n: restored.length })}</p>
      )}
      {changes_kept > 0 && (
        <section aria-label={t('Will be kept')} className="grid gap-1">
          <h3 className="font-semibold">{t('{n:# change will be|# changes will be} kept', { n: changes_kept })}</h3>
          <KeptList kept={kept} />
          {kept.length < changes_kept && <p className="text-xs text-faint">{t('Only the first {n} are listed.', { n: kept.length })}</p>}
        </section>
      )}
    </div>
  )
}

type Kept = Schemas['ImportDetails']['kept'][number]

const KeptList = ({ kept }: { kept: readonly Kept[] }) => (
  <ul className="grid gap-1">
    {kept.map(({ resource_id, title, entity_type, field, reason }) => (
      <li key={`${resource_id} ${field ?? ''}`} className="flex flex-wrap items-center gap-x-2">
        <span className="text-faint">{entityTypeLabel(entity_type)}</span>
        <Link
          to="/r/$id"
          params={{ id: resource_id }}
          className="inline-flex min-h-6 items-center font-medium wrap-anywhere hover:text-accent hover:underline"
          dir="auto"
        >
          {title}
        </Link>
        {field && <span>{formatField(field)}</span>}
        <span className="text-soft">{REASONS[reason]}</span>
      </li>
    ))}
  </ul>
)

/** What a completed undo has kept. */
export const KeptDialog = ({ id, name, count, onClose }: { id: string; name: string; count: number; onClose: () => void }) => (
  <Dialog wide title={t('Kept by the undo of {name}', { name })} onClose={onClose}>
    <QueryView of={useQuery(importQuery(id))}>
      {({ kept }) => (
        <div className="grid gap-2 text-sm">
          <KeptList kept={kept} />
          {kept.length < count && (
            <p className="text-xs text-faint">
              {t('{n:# more is|# more are} not listed, or you cannot see them.', { n: count - kept.length })}
            </p>
          )}
        </div>
      )}
    </QueryView>
  </Dialog>
)

const REASONS: Record<ImportUndo['kept'][number]['reason'], string> = {
  changed: t('has been changed since'),
  used: t('has been changed or used since'),
  contains: t('contains something that is kept'),
  part: t('belongs to something that is kept'),
  reported: t('is reported by its source'),
  published: t('contains something that is published'),
  invalid: t('cannot be set back to its previous value'),
}
