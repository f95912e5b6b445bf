import { useMutation, useQuery } from '@tanstack/react-query'
import { t } from '../i18n/messages.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { entityTypeLabel } from '../ui/entity-type.tsx'
import { QueryView } from '../ui/states.tsx'
import { DifferenceTable, formatField } from './difference-table.tsx'
import { type ImportUndo, startUndo, undoPreviewQuery } from './queries.ts'

interface UndoDialogProps {
  readonly id: string
  readonly name: string
  readonly onStarted: (job: string) => void
  readonly onClose: () => void
}

/** Shows what an undo of an import returns and what stays, before it starts. */
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
          <Button look="danger" disabled={!preview.data || isEmpty(preview.data)} busy={undo.isPending} onClick={() => undo.mutate()}>
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
  const { resources_restored, resources_deleted, lineage_deleted, kept, returns, stays } = of
  return (
    <div className="grid grid-cols-1 gap-4 text-sm">
      <p role="status">
        {isEmpty(of)
          ? t('Nothing returns: everything was changed since or is gone.')
          : `${[
              resources_restored > 0 && t('{n:# resource returns|# resources return} to the state before', { n: resources_restored }),
              resources_deleted > 0 && t('{n:# created resource is|# created resources are} moved to the trash', { n: resources_deleted }),
              lineage_deleted > 0 && t('{n:# lineage edge is|# lineage edges are} deleted', { n: lineage_deleted }),
            ]
              .filter(Boolean)
              .join(', ')}.`}
      </p>
      <DifferenceTable
        label={t('What returns')}
        after={t('After the undo')}
        rows={returns.map(({ resource_id, title, changes }) => ({ key: resource_id, id: resource_id, name: title, changes }))}
        whole={<Badge>{t('Moved to the trash')}</Badge>}
      />
      {returns.length > 0 && resources_restored + resources_deleted > returns.length && (
        <p className="text-xs text-faint">{t('Only the first {n} are listed.', { n: returns.length })}</p>
      )}
      {kept > 0 && (
        <section aria-label={t('What stays')} className="grid gap-1">
          <h3 className="font-semibold">{t('{n:# change stays|# changes stay}', { n: kept })}</h3>
          <ul className="grid gap-1">
            {stays.map(({ resource_id, title, entity_type, field, reason }) => (
              <li key={`${resource_id} ${field ?? ''}`} className="flex flex-wrap gap-x-2">
                <span className="text-faint">{entityTypeLabel(entity_type)}</span>
                <span className="font-medium wrap-anywhere" dir="auto">
                  {title}
                </span>
                {field && <span>{formatField(field)}</span>}
                <span className="text-soft">{REASONS[reason]}</span>
              </li>
            ))}
          </ul>
          {stays.length < kept && <p className="text-xs text-faint">{t('Only the first {n} are listed.', { n: stays.length })}</p>}
        </section>
      )}
    </div>
  )
}

const REASONS: Record<ImportUndo['stays'][number]['reason'], string> = {
  changed: t('has been changed since'),
  used: t('has been changed or used since'),
  contains: t('contains something that stays'),
  part: t('belongs to something that stays'),
  reported: t('is reported by its source'),
  published: t('contains something that is published'),
  invalid: t('can no longer have its former value'),
}
