import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { t } from '../i18n/messages.ts'
import { IconButton } from '../ui/button.tsx'
import { Confirm } from '../ui/form-dialog.tsx'
import { Menu } from '../ui/menu.tsx'
import { showToast } from '../ui/toast.tsx'
import type { Monitor } from './queries.ts'
import { invalidateMonitors } from './use-edit.ts'

/** Menu with less frequent actions. */
export const MoreMenu = ({ monitor }: { monitor: Monitor }) => {
  const [confirming, setAsking] = useState(false)
  return (
    <>
      <Menu
        label={t('More')}
        align="end"
        trigger={(props) => <IconButton {...props} label={t('More')} icon={Ellipsis} className="size-8 border border-line" />}
        items={[{ label: t('Delete monitor'), icon: Trash2, danger: true, onSelect: () => setAsking(true) }]}
      />
      {confirming && <DeleteMonitor monitor={monitor} onClose={() => setAsking(false)} />}
    </>
  )
}

const DeleteMonitor = ({ monitor, onClose }: { monitor: Monitor; onClose: () => void }) => {
  const { id, name } = monitor
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => api.delete(`/monitor/monitors/${id}`, { if_match: monitor }),
    onSuccess: async () => {
      await navigate({ to: '/monitors' })
      invalidateMonitors()
      showToast(t('“{name}” deleted', { name }))
    },
  })
  return (
    <Confirm title={t('Delete this monitor?')} action={t('Delete')} onClose={onClose} write={remove}>
      <p>{t('This also deletes its measurements and incidents and can’t be undone. To stop it temporarily, pause it instead.')}</p>
    </Confirm>
  )
}
