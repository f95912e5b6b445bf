import { useQuery } from '@tanstack/react-query'
import { Lightbulb } from 'lucide-react'
import { t } from '../i18n/messages.ts'
import { Suggestion } from '../resources/change-suggestions.tsx'
import { changeSuggestionsQuery } from '../resources/queries.ts'
import { EmptyState, QueryView } from '../ui/states.tsx'
import { SectionHeader } from './shared/rows.tsx'

/** All open suggestions for what the user can edit. */
export const SuggestedChanges = () => (
  <>
    <SectionHeader
      title={t('Suggested changes')}
      about={t('Changes that people and their agents suggest. Nothing is changed until you accept it.')}
    />
    <QueryView of={useQuery(changeSuggestionsQuery())}>
      {({ results, count }) =>
        results.length === 0 ? (
          <EmptyState icon={Lightbulb} title={t('No open suggestions')} />
        ) : (
          <>
            <div className="grid gap-2">
              {results.map((suggestion) => (
                <Suggestion key={suggestion.id} suggestion={suggestion} place={suggestion.resource_title_full} />
              ))}
            </div>
            {count > results.length && (
              <p className="text-sm text-faint">
                {t('The newest {shown} of {n:# suggestion|# suggestions}', { shown: results.length, n: count })}
              </p>
            )}
          </>
        )
      }
    </QueryView>
  </>
)
