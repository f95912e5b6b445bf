import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { t } from '../i18n/messages.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Popover } from '../ui/popover.tsx'
import { termSuggestionsQuery, useAssignTerms } from './queries.ts'
import { TermCards, TermLink } from './term-links.tsx'

/** Terms named like the resource itself, to be added with one click. */
export const OwnTermSuggestions = ({ id }: { id: string }) => {
  const { data } = useQuery(termSuggestionsQuery(id))
  const assign = useAssignTerms()
  const own = data?.results.filter(({ resource_id }) => resource_id === id) ?? []
  return own.map((suggestion) => (
    <button
      key={suggestion.term_id}
      type="button"
      title={suggestion.term_description ?? undefined}
      disabled={assign.isPending}
      onClick={() => assign.add([suggestion])}
      className="inline-flex min-h-6 max-w-full items-center gap-1 rounded-md border border-dashed border-line-strong px-1.5 text-xs text-soft hover:border-accent hover:text-accent"
    >
      <Plus aria-hidden size={12} className="shrink-0" />
      <span className="sr-only">{t('Add {name}', { name: suggestion.term_title })}</span>
      <span aria-hidden className="truncate" dir="auto">
        {suggestion.term_title}
      </span>
    </button>
  ))
}

/** Terms named like the columns of a table. */
export const ColumnTermSuggestions = ({ table }: { table: string }) => {
  const { data } = useQuery(termSuggestionsQuery(table))
  const assign = useAssignTerms()
  const suggestions = data?.results.filter(({ resource_id }) => resource_id !== table) ?? []
  if (suggestions.length === 0) return null
  return (
    <Popover
      label={t('Suggested terms')}
      align="end"
      className="max-h-96 w-[min(26rem,92vw)] p-3"
      trigger={(props) => (
        <button type="button" {...props} className={buttonClass('plain', true)}>
          {t('{n:# suggested term|# suggested terms}', { n: suggestions.length })}
        </button>
      )}
    >
      {(close) => (
        <div className="grid gap-2 text-sm">
          <p className="text-soft">{t('These columns are named like glossary terms.')}</p>
          <ul className="divide-y divide-line">
            {suggestions.map((suggestion) => (
              <li key={`${suggestion.resource_id} ${suggestion.term_id}`} className="flex min-h-9 items-center gap-2">
                <span className="min-w-0 flex-1 truncate font-medium" dir="auto">
                  {suggestion.resource_title}
                </span>
                <TermCards>
                  <TermLink id={suggestion.term_id} name={suggestion.term_title} />
                </TermCards>
                <Button small look="quiet" busy={assign.isPending} onClick={() => assign.add([suggestion])}>
                  {t('Add')}
                  <span className="sr-only"> {suggestion.term_title}</span>
                </Button>
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
