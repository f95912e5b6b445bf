import { useState } from 'react'
import { useNames } from '../api/names.ts'
import { usePeopleOptions } from '../api/picker-options.ts'
import { useMe } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { Person } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Picker } from '../ui/picker.tsx'

/** Shows the assignee; writers can assign themselves with one click or pick another person. */
export const Assignee = ({ of, writes, onAssign }: { of: string | null; writes: boolean; onAssign: (id: string | null) => void }) => {
  const me = useMe()
  const [open, setOpen] = useState(false)
  const people = usePeopleOptions(open)
  const nameOf = useNames(of ? [of] : [])
  const shown = of ? <Person name={nameOf(of)?.name ?? t('Unknown user')} /> : <span className="text-faint">{t('Unassigned')}</span>
  if (!writes) return shown
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-1">
      <Picker
        single
        label={t('Assignee')}
        {...people}
        chosen={of ? [of] : []}
        onOpen={() => setOpen(true)}
        onToggle={(id) => onAssign(id === of ? null : id)}
        trigger={(props) => (
          <button type="button" {...props} className="-mx-1.5 min-w-0 rounded-md px-1.5 py-0.5 hover:bg-hover">
            <span className="sr-only">{t('Change:')} </span>
            {shown}
          </button>
        )}
      />
      {of !== me.id && (
        <Button small look="quiet" onClick={() => onAssign(me.id)}>
          {t('Assign to me')}
        </Button>
      )}
    </span>
  )
}
