import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ShieldQuestion } from 'lucide-react'
import type { PiiSuggestion } from '../../src/profiles/pii-schema.ts'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query.ts'
import { Button } from '../ui/button.tsx'
import { several } from '../ui/number.ts'
import { toldFailure } from '../ui/toast.tsx'
import { type PiiAbout, suggestionsQuery } from './queries.ts'

type Way = 'accept' | 'reject'

/** Columns that may hold personal data, with the reason; a person decides, one by one or for all of them. */
export const PiiSuggestions = ({ of }: { of: PiiAbout }) => {
  const { data } = useQuery(suggestionsQuery(of))
  const decide = useMutation({
    mutationFn: async ({ which, way }: { which: readonly PiiSuggestion[]; way: Way }) => {
      for (const { id } of which) await api.post<PiiSuggestion>(`/pii/suggestions/${id}/${way}`)
    },
    onError: (error) => toldFailure('Not decided.', error),
    onSettled: (_answer, _error, { which }) => {
      const tables = new Set(which.map(({ table_id, resource_id }) => table_id ?? resource_id))
      for (const key of [['pii'], ...[...tables].map((id) => ['resource', id])]) void queryClient.invalidateQueries({ queryKey: key })
    },
  })
  // What somebody marked by hand meanwhile needs no advice.
  const open = data?.results.filter(({ pii }) => !pii) ?? []
  if (open.length === 0) return null
  const button = (which: readonly PiiSuggestion[], way: Way, label: string, whose?: string) => (
    <Button small look={way === 'accept' ? 'plain' : 'quiet'} disabled={decide.isPending} onClick={() => decide.mutate({ which, way })}>
      {label}
      {whose && <span className="sr-only"> {whose}</span>}
    </Button>
  )
  return (
    <section aria-label="May be personal data" className="rounded-lg border border-warn bg-warn-soft/40">
      {open.length > 1 && (
        <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2 text-sm">
          <p className="min-w-0 flex-1 font-medium">{several(open.length, 'column')} may hold personal data</p>
          {button(open, 'accept', `Mark all ${open.length}`)}
        </div>
      )}
      <div className="max-h-96 overflow-auto">
        {open.map((each) => (
          <div key={each.id} className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2 text-sm last:border-0">
            <ShieldQuestion aria-hidden size={16} className="text-warn" />
            <p className="min-w-0 flex-1 basis-56 wrap-anywhere">
              <Link to="/r/$id" params={{ id: each.resource_id }} className="font-medium hover:text-accent hover:underline" dir="auto">
                {'integration_id' in of ? each.resource_title_full : each.resource_title}
              </Link>{' '}
              looks like {each.class.replaceAll('_', ' ')}: {Math.round(each.confidence * 100)} % sure, {each.evidence.matched} of{' '}
              {each.evidence.checked} values
              {each.evidence.name && `, and its name says “${each.evidence.name}”`}
            </p>
            {button([each], 'accept', 'Mark it', each.resource_title)}
            {button([each], 'reject', 'It is not', each.resource_title)}
          </div>
        ))}
      </div>
    </section>
  )
}
