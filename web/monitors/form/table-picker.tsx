import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { useState } from 'react'
import { useThrottled } from '../../api/use-throttled.ts'
import { t } from '../../i18n/messages.ts'
import { ResourceName } from '../../ui/entity-type.tsx'
import { tableSearchQuery } from '../queries.ts'

/** Search field that picks a table; the most used ones are shown before something is typed. */
export const TablePicker = ({ onChoose }: { onChoose: (id: string) => void }) => {
  const [typed, setTyped] = useState('')
  const query = useThrottled(typed.trim())
  const { data } = useQuery(tableSearchQuery(query))
  const found = data?.results ?? []
  return (
    <Command shouldFilter={false} label={t('Table')} className="overflow-hidden rounded-lg border border-line">
      <Command.Input
        ref={(box) => box?.focus()}
        value={typed}
        onValueChange={setTyped}
        placeholder={t('Search tables…')}
        className="h-10 w-full bg-transparent px-3 -outline-offset-2"
      />
      {data && (
        <Command.List label={t('Suggestions')} className="max-h-96 overflow-auto border-t border-line p-1">
          <Command.Empty className="px-3 py-6 text-center text-sm text-soft">
            {query === '' ? t('No tables yet') : t('No tables match “{words}”.', { words: query })}
          </Command.Empty>
          {query === '' && found.length > 0 && <p className="px-2.5 py-1 text-xs font-semibold text-faint">{t('Most used')}</p>}
          {found.map(({ id, title, title_full }) => (
            <Command.Item
              key={id}
              value={id}
              onSelect={() => onChoose(id)}
              className="flex min-h-9 items-center gap-2.5 rounded-md px-2.5 py-1 text-sm data-[selected=true]:bg-accent-soft"
            >
              <ResourceName id={id} type="table" title={title} title_full={title_full} />
            </Command.Item>
          ))}
        </Command.List>
      )}
    </Command>
  )
}
