import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Menu } from '../ui/menu.tsx'
import { told, toldFailure } from '../ui/toast.tsx'
import type { Monitor } from './queries.ts'
import { monitorsChanged } from './use-edit.ts'

/** What is rarely done with a monitor. */
export const More = ({ monitor }: { monitor: Monitor }) => {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Menu
        label="More"
        align="end"
        trigger={(props) => <IconButton {...props} label="More" icon={Ellipsis} className="size-8 border border-line" />}
        items={[{ label: 'Delete the monitor', icon: Trash2, danger: true, onSelect: () => setAsking(true) }]}
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
      told(`“${name}” is deleted.`)
    },
    onError: (error) => toldFailure('The monitor stays.', error),
  })
  return (
    <Dialog
      title="Delete this monitor?"
      onClose={onClose}
      footer={
        <>
          <Button data-autofocus onClick={onClose}>
            Keep it
          </Button>
          <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            Delete
          </Button>
        </>
      }
    >
      <p>Its measurements and incidents go with it, and do not come back. To stop it for a while, pause it instead.</p>
    </Dialog>
  )
}
