import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bot, Lightbulb, Sparkles } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api } from '../api/client.ts'
import { useNames } from '../api/names.ts'
import { queryClient } from '../api/query-client.ts'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { isId } from '../search/search-params.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { TextArea } from '../ui/field.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { changeSuggestionsQuery } from './queries.ts'

type ChangeSuggestion = Schemas['ChangeSuggestion']

const HEADINGS: Record<ChangeSuggestion['field'], string> = {
  description: t('Suggested description'),
  tag: t('Suggested tag'),
  owner: t('Suggested owner'),
  term: t('Suggested glossary term'),
}

const MAX_SHOWN = 2 // more would push the tabs off the screen

/** The open suggestions for a resource and its columns. */
export const ResourceSuggestions = ({ id }: { id: string }) => {
  const { data } = useQuery(changeSuggestionsQuery(id))
  const [all, setAll] = useState(false)
  const suggestions = data?.results ?? []
  const hidden = all ? 0 : Math.max(0, suggestions.length - MAX_SHOWN)
  return (
    <section aria-label={t('Suggested changes')} className="mt-3 grid gap-2">
      {suggestions.length > 0 && <h2 className="sr-only">{t('Suggested changes')}</h2>}
      {suggestions.slice(0, suggestions.length - hidden).map((suggestion) => (
        <Suggestion key={suggestion.id} suggestion={suggestion} place={suggestion.resource_id === id ? null : suggestion.resource_title} />
      ))}
      {hidden > 0 && (
        <Button small look="quiet" className="justify-self-start" onClick={() => setAll(true)}>
          {t('Show {n:# more suggestion|# more suggestions}', { n: hidden })}
        </Button>
      )}
    </section>
  )
}

/** One suggestion with its author and reason, to accept or reject. */
export const Suggestion = ({ suggestion, place }: { suggestion: ChangeSuggestion; place: string | null }) => {
  const { id, field, value, detail, reason, resource_id, created_at, created_by_name, by, grounds } = suggestion
  const nameOf = useNames(field === 'owner' && isId(value) ? [value] : [])
  const [edited, setEdited] = useState<string>()
  const decide = useMutation({
    mutationFn: async (decision: 'accept' | 'reject') => {
      if (decision === 'accept' && edited !== undefined) await api.patch(`/change_suggestions/${id}`, { value: edited })
      return api.post<ChangeSuggestion>(`/change_suggestions/${id}/${decision}`)
    },
    onSuccess: ({ status }) => showToast(status === 'accepted' ? t('Change applied') : t('Suggestion rejected')),
    onError: (error) => showErrorToast(t('Not saved.'), error),
    onSettled: () => {
      for (const queryKey of [['resource'], ['change-suggestions'], ['catalog'], ['tags']]) void queryClient.invalidateQueries({ queryKey })
    },
  })
  return (
    <article className="grid gap-1.5 rounded-lg border border-line bg-raised px-3 py-2 text-sm">
      <h3 className="flex flex-wrap items-center gap-2 font-medium">
        <Lightbulb aria-hidden size={15} className="text-warn" />
        {HEADINGS[field]}
        {place !== null && resource_id && (
          <Link to="/r/$id" params={{ id: resource_id }} className="text-accent hover:underline" dir="auto">
            {place}
          </Link>
        )}
        {by === 'agent' && <Badge icon={Bot}>{t('By an agent')}</Badge>}
        {by === 'ai' && <Badge icon={Sparkles}>{t('AI draft')}</Badge>}
      </h3>
      {edited === undefined ? (
        <Quote>{field === 'owner' ? (nameOf(value)?.name ?? value) : value}</Quote>
      ) : (
        <TextArea aria-label={HEADINGS[field]} value={edited} maxLength={20_000} onChange={({ target }) => setEdited(target.value)} />
      )}
      {detail && <Quote>{detail}</Quote>}
      {reason && (
        <p className="text-soft wrap-anywhere" dir="auto">
          <Trans message="Reason: {reason}" reason={reason} />
        </p>
      )}
      {grounds.length > 0 && <Grounds grounds={grounds} />}
      <div className="flex flex-wrap items-center gap-2">
        <span className="flex-1 text-xs text-faint">
          <Trans message="{user}, {when}" user={created_by_name ?? t('Unknown user')} when={<RelativeTime at={created_at} />} />
        </span>
        <Button small busy={decide.isPending} onClick={() => decide.mutate('reject')}>
          {t('Reject')}
        </Button>
        {edited === undefined && (
          <Button small onClick={() => setEdited(value)}>
            {t('Edit')}
          </Button>
        )}
        <Button small look="primary" busy={decide.isPending} disabled={edited?.trim() === ''} onClick={() => decide.mutate('accept')}>
          {edited === undefined ? t('Accept // a suggestion') : t('Save and accept')}
        </Button>
      </div>
    </article>
  )
}

const GROUND_LABELS: Record<ChangeSuggestion['grounds'][number]['type'], string> = {
  lineage: t('Same values as'),
  name: t('From its name'),
  sql: t('From its SQL'),
  neighbour: t('Next to'),
  profile: t('From its statistics'),
  model: t('Written by'),
}

/** What a draft is based on. */
const Grounds = ({ grounds }: Pick<ChangeSuggestion, 'grounds'>) => (
  <ul aria-label={t('Based on')} className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-faint">
    {grounds.map(({ type, text, resource_id }) => (
      <li key={`${type} ${text}`} className="min-w-0 max-w-full truncate">
        {GROUND_LABELS[type]}{' '}
        {resource_id ? (
          <Link to="/r/$id" params={{ id: resource_id }} className="text-accent hover:underline" dir="auto">
            {text}
          </Link>
        ) : (
          <code className="font-mono" dir="auto">
            {text}
          </code>
        )}
      </li>
    ))}
  </ul>
)

/** Plain text: a suggestion may come from anyone, so nothing in it becomes a link or an image. */
const Quote = ({ children }: { children: ReactNode }) => (
  <p className="max-h-60 overflow-auto whitespace-pre-wrap wrap-anywhere" dir="auto">
    {children}
  </p>
)
