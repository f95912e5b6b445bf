import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Pencil, PlugZap, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Job } from '../api/job.ts'
import { useCan } from '../api/session.ts'
import { useCommand } from '../commands/use-command.ts'
import { t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Confirm } from '../ui/form-dialog.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { IntegrationForm } from './form.tsx'
import {
  connectionTestQuery,
  deleteIntegration,
  type Integration,
  type IntegrationTypeRecord,
  invalidateIntegration,
  isRunning,
  syncIntegration,
} from './queries.ts'

/** Actions on an integration for admins. */
export const IntegrationActions = ({ integration, type }: { integration: Integration; type: IntegrationTypeRecord }) => {
  const { id, last_sync_status } = integration
  const manages = useCan('integrations.manage')
  const [over, setOver] = useState<'edit' | 'delete'>()
  const sync = useMutation({
    mutationFn: () => syncIntegration(id),
    onSuccess: () => invalidateIntegration(id),
    onError: (error) => showErrorToast(t('Couldn’t start the sync.'), error),
  })
  const test = useQuery(connectionTestQuery(id))
  const connects = manages && type.connects
  useCommand('integrations.sync', () => sync.mutate(), connects)
  useCommand('integrations.test', () => void test.refetch(), connects)
  if (!manages) return null
  return (
    <div className="flex flex-wrap gap-2">
      {connects && (
        <>
          <Button look="primary" icon={RefreshCw} busy={sync.isPending || isRunning(last_sync_status)} onClick={() => sync.mutate()}>
            {t('Sync now')}
          </Button>
          <Button icon={PlugZap} busy={test.isFetching} onClick={() => void test.refetch()}>
            {t('Test connection')}
          </Button>
        </>
      )}
      <Button icon={Pencil} onClick={() => setOver('edit')}>
        {t('Edit')}
      </Button>
      <Button look="quiet" icon={Trash2} onClick={() => setOver('delete')}>
        {t('Delete')}
      </Button>
      {over === 'edit' && (
        <Dialog title={t('Edit {name}', { name: integration.name })} wide onClose={() => setOver(undefined)}>
          <IntegrationForm
            type={type}
            integration={integration}
            cancel={
              <Button look="quiet" onClick={() => setOver(undefined)}>
                {t('Cancel')}
              </Button>
            }
            onSaved={() => {
              showToast(t('Saved'))
              setOver(undefined)
            }}
          />
        </Dialog>
      )}
      {over === 'delete' && <DeleteIntegration integration={integration} onClose={() => setOver(undefined)} />}
    </div>
  )
}

const DeleteIntegration = ({ integration: { id, name, resource_count }, onClose }: { integration: Integration; onClose: () => void }) => {
  const navigate = useNavigate()
  const remove = useMutation<Job | undefined, Error, void>({
    mutationFn: () => deleteIntegration(id),
    onSuccess: async (job) => {
      showToast(job ? t('Deleting {name}…', { name }) : t('{name} deleted', { name }))
      await navigate({ to: '/integrations' })
      await invalidateIntegration()
    },
  })
  return (
    <Confirm title={t('Delete {name}?', { name })} action={t('Delete integration and resources')} onClose={onClose} write={remove}>
      {t('This also deletes {n:# resource|# resources} and their documentation. This can’t be undone.', { n: resource_count })}
    </Confirm>
  )
}
