import { ChevronDown, X } from 'lucide-react'
import { useState } from 'react'
import { useNames } from '../api/names.ts'
import { useOwnerOptions, useTeamOptions } from '../api/picker-options.ts'
import { useBootstrap } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { buttonClass } from '../ui/button.tsx'
import { type Option, Picker } from '../ui/picker.tsx'
import type { InsightsSearch } from './search-params.ts'

type Scope = Pick<InsightsSearch, 'team' | 'source' | 'owner'>

/** Everything, or one team, source or owner. */
export const ScopePicker = ({ address, onChange }: { address: InsightsSearch; onChange: (scope: Scope) => void }) => {
  const { integrations, teams } = useBootstrap()
  const [open, setOpen] = useState(false)
  const owners = useOwnerOptions(open)
  const teamOptions = useTeamOptions()
  const { team, source, owner } = address
  const chosen = team ?? source ?? owner
  const name = useNames(chosen ? [chosen] : [])
  const picker = (
    field: keyof Scope,
    label: string,
    options: { readonly options: readonly Option[]; readonly onSearch?: (typed: string) => void },
  ) => (
    <Picker
      label={label}
      onOpen={() => setOpen(true)}
      {...options}
      single
      chosen={chosen ? [chosen] : []}
      onToggle={(id) => onChange({ [field]: id === chosen ? undefined : id })}
      trigger={(props) => (
        <button type="button" {...props} className={buttonClass('plain', true)}>
          {label}
          {address[field] && <span className="max-w-40 truncate text-accent">{name(address[field])?.name ?? '…'}</span>}
          <ChevronDown aria-hidden size={14} />
        </button>
      )}
    />
  )
  return (
    <search className="flex flex-wrap items-center gap-2">
      {picker('source', t('Source'), { options: integrations.map(({ id, name }) => ({ id, label: name })) })}
      {teams.length > 0 && picker('team', t('Team'), teamOptions)}
      {picker('owner', t('Owner'), owners)}
      {chosen && (
        <button type="button" className={buttonClass('quiet', true)} onClick={() => onChange({})}>
          <X aria-hidden size={14} /> {t('Whole workspace')}
        </button>
      )}
    </search>
  )
}
