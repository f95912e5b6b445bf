import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { api } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { several } from '../ui/number.ts'
import { Section } from '../ui/page.tsx'
import { told, toldFailure } from '../ui/toast.tsx'
import { type Monitor, suggestionsQuery } from './queries.ts'
import { monitorsChanged } from './use-edit.ts'

/** What would be worth watching of this table, with a reason each. */
export const Suggestions = ({ table }: { table: string }) => {
  const { data } = useQuery(suggestionsQuery(table))
  const accept = useMutation({
    mutationFn: (keys?: readonly string[]) =>
      api.post<{ monitors: Monitor[] }>('/monitor/suggestions', { resource_id: table, accept: keys }),
    onSuccess: ({ monitors }) => {
      monitorsChanged()
      told(monitors.length === 1 ? `“${monitors[0]!.name}” watches now.` : `${several(monitors.length, 'monitor')} watch now.`)
    },
    onError: (error) => toldFailure('Nothing was added.', error),
  })
  if (!data || data.suggestions.length === 0) return null
  return (
    <Section
      title="Suggested"
      actions={
        data.suggestions.length > 1 && (
          <Button small busy={accept.isPending} onClick={() => accept.mutate(undefined)}>
            Add all {data.suggestions.length}
          </Button>
        )
      }
    >
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
        {data.suggestions.map(({ key, name, reason }) => (
          <li key={key} className="flex items-center gap-3 px-3 py-2">
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium" dir="auto">
                {name}
              </span>
              <span className="block text-xs text-faint">{reason}</span>
            </span>
            <Button small icon={Plus} disabled={accept.isPending} onClick={() => accept.mutate([key])}>
              Add<span className="sr-only"> {name}</span>
            </Button>
          </li>
        ))}
      </ul>
      {data.based_on && <p className="mt-1.5 text-xs text-faint">Found by {data.based_on}.</p>}
    </Section>
  )
}
