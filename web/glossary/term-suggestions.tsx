import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, X } from 'lucide-react'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Button, buttonClass, IconButton } from '../ui/button.tsx'
import { Popover } from '../ui/popover.tsx'
import { termSuggestionsQuery, useAssignTerms, useDismissTerm } from './queries.ts'
import { TermCards, TermLink } from './term-links.tsx'

type Suggestion = Schemas['TermSuggestions']['results'][number]

/** Terms that the resource itself may be about, to be added or dismissed with one click. */
export const OwnTermSuggestions = ({ id }: { id: string }) => {
  const { data } = useQuery(termSuggestionsQuery(id))
  const assign = useAssignTerms()
  const dismiss = useDismissTerm()
  const own = data?.results.filter(({ resource_id }) => resource_id === id) ?? []
  return own.map((suggestion) => (
    <span
      key={suggestion.term_id}
      className="inline-flex min-h-6 max-w-full items-center rounded-md border border-dashed border-line-strong text-xs text-soft"
    >
      <button
        type="button"
        title={[...suggestion.reasons.map(describeReason), suggestion.term_description].filter(Boolean).join('\n')}
        disabled={assign.isPending}
        onClick={() => assign.add([suggestion])}
        className="inline-flex min-h-6 min-w-0 items-center gap-1 rounded-md ps-1.5 hover:text-accent"
      >
        <Plus aria-hidden size={12} className="shrink-0" />
        <span className="sr-only">{t('Add {name}', { name: suggestion.term_title })}</span>
        <span aria-hidden className="truncate" dir="auto">
          {suggestion.term_title}
        </span>
      </button>
      <button
        type="button"
        aria-label={t('Dismiss {name}', { name: suggestion.term_title })}
        title={t('Dismiss {name}', { name: suggestion.term_title })}
        disabled={dismiss.isPending}
        onClick={() => dismiss.mutate(suggestion)}
        className="flex size-6 shrink-0 items-center justify-center rounded-md hover:text-ink"
      >
        <X aria-hidden size={12} />
      </button>
    </span>
  ))
}

/** Terms that the columns of a table may be about. */
export const ColumnTermSuggestions = ({ table }: { table: string }) => {
  const { data } = useQuery(termSuggestionsQuery(table))
  const assign = useAssignTerms()
  const dismiss = useDismissTerm()
  const suggestions = data?.results.filter(({ resource_id }) => resource_id !== table) ?? []
  if (suggestions.length === 0) return null
  return (
    <Popover
      label={t('Suggested terms')}
      align="end"
      className="max-h-96 w-[min(30rem,92vw)] p-3"
      trigger={(props) => (
        <button type="button" {...props} className={buttonClass('plain', true)}>
          {t('{n:# suggested term|# suggested terms}', { n: suggestions.length })}
        </button>
      )}
    >
      {(close) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2 text-sm">
          <ul className="divide-y divide-line">
            {suggestions.map((suggestion) => (
              <li key={`${suggestion.resource_id} ${suggestion.term_id}`} className="flex min-h-9 items-center gap-2 py-1">
                <span className="min-w-0 flex-1">
                  <span className="flex min-w-0 items-center gap-2">
                    <span className="min-w-0 truncate font-medium" title={suggestion.resource_title} dir="auto">
                      {suggestion.resource_title}
                    </span>
                    <TermCards className="min-w-0 shrink-0">
                      <TermLink id={suggestion.term_id} name={suggestion.term_title} />
                    </TermCards>
                  </span>
                  <Reasons of={suggestion} />
                </span>
                <Button small look="quiet" busy={assign.isPending} onClick={() => assign.add([suggestion])}>
                  {t('Add')}
                  <span className="sr-only"> {suggestion.term_title}</span>
                </Button>
                <IconButton
                  label={t('Dismiss {name}', { name: suggestion.term_title })}
                  icon={X}
                  disabled={dismiss.isPending}
                  onClick={() => dismiss.mutate(suggestion)}
                />
              </li>
            ))}
          </ul>
          <Button
            small
            look="primary"
            busy={assign.isPending}
            onClick={() => {
              assign.add(suggestions)
              close()
            }}
          >
            {t('Add all')}
          </Button>
        </div>
      )}
    </Popover>
  )
}

const describeReason = ({ resource_title }: Suggestion['reasons'][number]): string =>
  resource_title === null ? t('Same name as the term') : t('Passed on from {resource}', { resource: resource_title })

const Reasons = ({ of: { reasons } }: { of: Suggestion }) => (
  <span className="block text-xs text-faint">
    {reasons.map((reason) => (
      <span key={`${reason.type} ${reason.resource_id}`} className="block truncate" title={describeReason(reason)}>
        {reason.resource_id === null ? (
          describeReason(reason)
        ) : (
          <Trans
            message="Passed on from {resource}"
            resource={
              <Link to="/r/$id" params={{ id: reason.resource_id }} className="text-accent hover:underline" dir="auto">
                {reason.resource_title}
              </Link>
            }
          />
        )}
      </span>
    ))}
  </span>
)
