import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { IconButton } from '../ui/button.tsx'
import { Confirm } from '../ui/form-dialog.tsx'
import { Menu } from '../ui/menu.tsx'
import { told } from '../ui/toast.tsx'
import { t } from '../words/words.ts'
import type { Monitor } from './queries.ts'
import { monitorsChanged } from './use-edit.ts'

/** Menu with less frequent actions. */
export const More = ({ monitor }: { monitor: Monitor }) => {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Menu
        label={t('More')}
        align="end"
        trigger={(props) => <IconButton {...props} label={t('More')} icon={Ellipsis} className="size-8 border border-line" />}
        items={[{ label: t('Delete monitor'), icon: Trash2, danger: true, onSelect: () => setAsking(true) }]}
      />
      {asking && <Delete monitor={monitor} onClose={() => setAsking(false)} />}
    </>
  )
}

const Delete = ({ monitor, onClose }: { monitor: Monitor; onClose: () => void }) => {
  const { id, name } = monitor
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => api.delete(`/monitor/monitors/${id}`, { if_match: monitor }),
    onSuccess: async () => {
      await navigate({ to: '/monitors' })
      monitorsChanged()
      told(t('“{name}” deleted', { name }))
    },
  })
  return (
    <Confirm title={t('Delete this monitor?')} action={t('Delete')} onClose={onClose} write={remove}>
      <p>{t('This also deletes its measurements and incidents and can’t be undone. To stop it temporarily, pause it instead.')}</p>
    </Confirm>
  )
}
