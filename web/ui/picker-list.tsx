import { Command } from 'cmdk'
import { Check, Minus, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '../i18n/messages.ts'
import { Avatar } from './avatar.tsx'
import type { Option } from './picker.tsx'
import { scoreOption } from './picker-match.ts'
import { TrustBadges } from './trust-badges.tsx'

const ITEM = 'flex min-h-8 items-center gap-2 rounded-md px-2 text-sm data-[selected=true]:bg-hover'

export const PickerList = ({
  label,
  options,
  chosen,
  partial = [],
  onToggle,
  onCreate,
  onSearch,
  searching,
}: {
  label: string
  options: readonly Option[]
  chosen: readonly string[]
  partial?: readonly string[]
  onToggle: (id: string) => void
  onCreate?: (label: string) => void
  onSearch?: (typed: string) => void
  searching?: boolean
}) => {
  const [typed, setTyped] = useState('')
  useEffect(() => () => onSearch?.(''), [onSearch]) // resets the search when closed
  const query = typed.trim()
  const exists = options.some((option) => option.label.toLowerCase() === query.toLowerCase())
  return (
    <Command label={label} filter={(_, typed, texts) => scoreOption(typed, texts ?? [])} className="flex max-h-80 flex-col">
      <Command.Input
        ref={(box) => box?.focus({ preventScroll: true })}
        value={typed}
        onValueChange={(now) => {
          setTyped(now)
          onSearch?.(now)
        }}
        placeholder={label}
        className="h-9 border-b border-line bg-transparent px-3 text-sm outline-none"
      />
      <Command.List label={t('Suggestions')} className="overflow-auto p-1">
        {!onCreate && <Command.Empty className="px-2 py-4 text-center text-sm text-soft">{t('No matches')}</Command.Empty>}
        {options.map(({ id, label, hint, color, person, resource }) => (
          <Command.Item key={id} value={id} keywords={[label, hint ?? '']} onSelect={() => onToggle(id)} className={ITEM}>
            {person ? (
              <Avatar name={label} />
            ) : (
              color !== undefined && (
                <span aria-hidden className="size-2 rounded-full bg-line-strong" style={{ backgroundColor: color ?? undefined }} />
              )
            )}
            <span className="min-w-0 flex-1 truncate" dir="auto">
              {label}
              {hint && <span className="ps-2 text-xs text-faint">{hint}</span>}
            </span>
            {resource && <TrustBadges id={id} size={13} />}
            {chosen.includes(id) && <Check aria-label={t('Selected')} size={15} className="text-accent" />}
            {partial.includes(id) && <Minus aria-label={t('Selected for some')} size={15} className="text-faint" />}
          </Command.Item>
        ))}
        {onCreate && query !== '' && !exists && !searching && (
          <Command.Item
            value={`create ${query}`}
            forceMount
            onSelect={() => {
              onCreate(query)
              setTyped('')
            }}
            className={ITEM}
          >
            <Plus aria-hidden size={15} /> {t('Create “{name}”', { name: query })}
          </Command.Item>
        )}
      </Command.List>
    </Command>
  )
}
