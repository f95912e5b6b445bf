import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { api } from '../api/client.ts'
import { showServerText } from '../api/server-text.ts'
import { t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'
import { Section } from '../ui/page.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { type Monitor, suggestionsQuery } from './queries.ts'
import { invalidateMonitors } from './use-edit.ts'

/** Suggested monitors for a table, each with a reason. */
export const Suggestions = ({ table }: { table: string }) => {
  const { data } = useQuery(suggestionsQuery(table))
  const accept = useMutation({
    mutationFn: (keys?: readonly string[]) =>
      api.post<{ monitors: Monitor[] }>('/monitor/suggestions', { resource_id: table, accept: keys }),
    onSuccess: ({ monitors }) => {
      invalidateMonitors()
      showToast(t('{n:# monitor|# monitors} created', { n: monitors.length }))
    },
    onError: (error) => showErrorToast(t('Couldn’t add monitors.'), error),
  })
  if (!data || data.suggestions.length === 0) return null
  return (
    <Section
      title={t('Suggested monitors')}
      actions={
        data.suggestions.length > 1 && (
          <Button small busy={accept.isPending} onClick={() => accept.mutate(undefined)}>
            {t('Add all {n}', { n: data.suggestions.length })}
          </Button>
        )
      }
    >
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
        {data.suggestions.map(({ key, name, reason, reason_translatable }) => (
          <li key={key} className="flex items-center gap-3 px-3 py-2">
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium" dir="auto">
                {name}
              </span>
              <span className="block text-xs text-faint">{showServerText(reason, reason_translatable)}</span>
            </span>
            <Button
              small
              icon={Plus}
              aria-label={t('Add {name}', { name })}
              disabled={accept.isPending}
              onClick={() => accept.mutate([key])}
            >
              {t('Add')}
            </Button>
          </li>
        ))}
      </ul>
      {data.based_on && (
        <p className="mt-1.5 text-xs text-faint">
          {t('Based on {what}.', { what: showServerText(data.based_on, data.based_on_translatable) })}
        </p>
      )}
    </Section>
  )
}
