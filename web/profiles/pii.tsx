import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ShieldQuestion } from 'lucide-react'
import type { PiiSuggestion } from '../../src/observability/pii/pii-schema.ts'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Button } from '../ui/button.tsx'
import { showErrorToast } from '../ui/toast.tsx'
import { PII_LABELS } from './pii-labels.ts'
import { type PiiTarget, piiSuggestionsQuery } from './queries.ts'

type PiiDecision = 'accept' | 'reject'

/** PII suggestions with their evidence, to accept or dismiss one by one or all at once. */
export const PiiSuggestions = ({ of }: { of: PiiTarget }) => {
  const { data } = useQuery(piiSuggestionsQuery(of))
  const decide = useMutation({
    mutationFn: async ({ which, decision }: { which: readonly PiiSuggestion[]; decision: PiiDecision }) => {
      for (const { id } of which) await api.post<PiiSuggestion>(`/pii/suggestions/${id}/${decision}`)
    },
    onError: (error) => showErrorToast(t('Couldn’t save the decision.'), error),
    onSettled: (_answer, _error, { which }) => {
      const tables = new Set(which.map(({ table_id, resource_id }) => table_id ?? resource_id))
      for (const key of [['pii'], ...[...tables].map((id) => ['resource', id])]) void queryClient.invalidateQueries({ queryKey: key })
    },
  })
  // Columns already flagged as PII need no suggestion.
  const open = data?.results.filter(({ pii }) => !pii) ?? []
  if (open.length === 0) return null
  const button = (which: readonly PiiSuggestion[], decision: PiiDecision, label: string, whose?: string) => (
    <Button
      small
      look={decision === 'accept' ? 'plain' : 'quiet'}
      disabled={decide.isPending}
      onClick={() => decide.mutate({ which, decision })}
    >
      {label}
      {whose && <span className="sr-only"> {whose}</span>}
    </Button>
  )
  return (
    <section aria-label={t('Possible personal data')} className="rounded-lg border border-warn bg-warn-soft/40">
      {open.length > 1 && (
        <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2 text-sm">
          <p className="min-w-0 flex-1 font-medium">{t('{n:# column|# columns} may contain personal data', { n: open.length })}</p>
          {button(open, 'accept', t('Mark all {n} as PII', { n: open.length }))}
        </div>
      )}
      <div className="max-h-96 overflow-auto">
        {open.map((each) => (
          <div key={each.id} className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2 text-sm last:border-0">
            <ShieldQuestion aria-hidden size={16} className="text-warn" />
            <p className="min-w-0 flex-1 basis-56 wrap-anywhere">
              <PiiEvidence of={each} full={'integration_id' in of} />
            </p>
            {button([each], 'accept', t('Mark as PII'), each.resource_title)}
            {button([each], 'reject', t('Dismiss // a suggestion'), each.resource_title)}
          </div>
        ))}
      </div>
    </section>
  )
}

interface PiiEvidenceProps {
  readonly of: PiiSuggestion
  readonly full: boolean
}

const PiiEvidence = ({
  of: { resource_id, resource_title, resource_title_full, class: kind, confidence, evidence },
  full,
}: PiiEvidenceProps) => {
  const messages = {
    column: (
      <Link to="/r/$id" params={{ id: resource_id }} className="font-medium hover:text-accent hover:underline" dir="auto">
        {full ? resource_title_full : resource_title}
      </Link>
    ),
    kind: PII_LABELS[kind],
    percent: Math.round(confidence * 100),
    matched: evidence.matched,
    checked: evidence.checked,
  }
  if (evidence.name && evidence.checked === 0) return <Trans message="{column}: likely {kind} · {percent} % (name match)" {...messages} />
  return evidence.name ? (
    <Trans message="{column}: likely {kind} · {percent} % ({matched} of {checked} values, name match)" {...messages} />
  ) : (
    <Trans message="{column}: likely {kind} · {percent} % ({matched} of {checked} values)" {...messages} />
  )
}
