import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { useState } from 'react'
import { useThrottled } from '../api/use-throttled.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { typeAheadQuery } from '../search/queries.ts'
import { cx } from '../ui/cx.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ResourceName } from '../ui/entity-type.tsx'

interface LinkDialogProps {
  readonly from: { readonly id: string; readonly title: string }
  readonly onJoin: (from: string, to: string) => void
  readonly onClose: () => void
}

const SIDES = [
  ['down', t('is upstream of')],
  ['up', t('is downstream of')],
] as const

/** Adds a link by name, as an alternative to dragging. */
export const LinkDialog = ({ from, onJoin, onClose }: LinkDialogProps) => {
  const [side, setSide] = useState<'down' | 'up'>('down')
  const [typed, setTyped] = useState('')
  const query = useThrottled(typed.trim())
  const { data } = useQuery({ ...typeAheadQuery(query), placeholderData: keepPreviousData })
  const hits = query === '' ? [] : (data?.results ?? []).filter(({ id }) => id !== from.id)
  return (
    <Dialog title={t('Add link')} onClose={onClose}>
      <div className="grid gap-3">
        <p className="text-sm text-soft">
          <Trans
            message="{title} … the resource you choose below."
            title={
              <strong className="font-medium break-words text-ink" dir="auto">
                {from.title}
              </strong>
            }
          />
        </p>
        <div role="radiogroup" aria-label={t('Direction')} className="flex gap-1">
          {SIDES.map(([value, label]) => (
            <label
              key={value}
              className={cx(
                'rounded-md border px-2.5 py-1 text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent',
                side === value ? 'border-accent bg-accent-soft text-accent' : 'border-line text-soft',
              )}
            >
              <input type="radio" name="side" checked={side === value} onChange={() => setSide(value)} className="sr-only" />
              {label}
            </label>
          ))}
        </div>
        <Command shouldFilter={false} label={t('Resource to link')} className="overflow-hidden rounded-lg border border-line">
          <Command.Input
            data-autofocus
            value={typed}
            onValueChange={setTyped}
            placeholder={t('Search tables, columns, dashboards…')}
            className="h-10 w-full border-b border-line bg-transparent px-3 outline-none"
          />
          <Command.List label={t('Suggestions')} className="h-64 overflow-auto p-1">
            <Command.Empty className="px-3 py-8 text-center text-sm text-soft">
              {query === '' ? t('Type to search.') : t('No results for “{words}”', { words: query })}
            </Command.Empty>
            {hits.map(({ id, title, title_full, entity_type }) => (
              <Command.Item
                key={id}
                value={id}
                onSelect={() => {
                  onClose()
                  if (side === 'down') onJoin(from.id, id)
                  else onJoin(id, from.id)
                }}
                className="flex min-h-9 items-center gap-2.5 rounded-md px-2.5 py-1 text-sm data-[selected=true]:bg-accent-soft"
              >
                <ResourceName id={id} type={entity_type} title={title} title_full={title_full} />
              </Command.Item>
            ))}
          </Command.List>
        </Command>
      </div>
    </Dialog>
  )
}
