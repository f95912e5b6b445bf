import { useQuery } from '@tanstack/react-query'
import { Check, ChevronDown, X } from 'lucide-react'
import { useState } from 'react'
import { useNames } from '../../api/names.ts'
import { usePeopleOptions } from '../../api/picker-options.ts'
import type { Resource, Schemas } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Person } from '../../ui/avatar.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Picker } from '../../ui/picker.tsx'
import { QueryView } from '../../ui/states.tsx'
import { accessQuery } from '../queries.ts'

/** Whether a user can view or edit the resource, with the server's reasons. */
export const AccessDialog = ({ resource, onClose }: { resource: Resource; onClose: () => void }) => {
  const people = usePeopleOptions(true)
  const [id, choose] = useState<string>()
  const name = useNames(id ? [id] : [])(id ?? '')?.name
  return (
    <Dialog title={t('Check access')} onClose={onClose}>
      <div className="grid min-h-44 content-start justify-items-start gap-4">
        <Picker
          single
          label={t('Person')}
          {...people}
          chosen={id ? [id] : []}
          onToggle={choose}
          trigger={(props) => (
            <button type="button" {...props} data-autofocus className={buttonClass('plain')}>
              {name ? <Person name={name} /> : t('Select a person')} <ChevronDown aria-hidden size={15} />
            </button>
          )}
        />
        {id && name ? (
          <AccessResult resource={resource.id} user={id} name={name} />
        ) : (
          <p className="text-sm text-soft">{t('Select a person to see what they can do with this resource, and why.')}</p>
        )}
      </div>
    </Dialog>
  )
}

const AccessResult = ({ resource, user, name }: { resource: string; user: string; name: string }) => {
  const access = useQuery(accessQuery(resource, user))
  return (
    <div aria-live="polite" className="grid w-full gap-3">
      <QueryView of={access}>{(access) => <AccessReasons access={access} name={name} />}</QueryView>
    </div>
  )
}

const AccessReasons = ({ access: { read, write, reasons }, name }: { access: Schemas['Access']; name: string }) => (
  <>
    <p className="font-medium wrap-anywhere">
      {!read ? (
        <Trans message="{who} can’t view this." who={<bdi>{name}</bdi>} />
      ) : write ? (
        <Trans message="{who} can view and edit this." who={<bdi>{name}</bdi>} />
      ) : (
        <Trans message="{who} can view this but not edit it." who={<bdi>{name}</bdi>} />
      )}
    </p>
    <ul className="grid gap-1.5 text-sm">
      {reasons.map(({ code, allows, detail }) => (
        <li key={code} className="flex gap-2">
          {allows ? (
            <Check role="img" aria-label={t('Grants access')} size={16} className="mt-0.5 shrink-0 text-good" />
          ) : (
            <X role="img" aria-label={t('Denies access')} size={16} className="mt-0.5 shrink-0 text-bad" />
          )}
          <span className="text-soft">{detail}</span>
        </li>
      ))}
    </ul>
  </>
)
