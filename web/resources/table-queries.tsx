import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { SquareTerminal } from 'lucide-react'
import { t } from '../i18n/messages.ts'
import { Markdown } from '../ui/markdown.tsx'
import { EmptyState, QueryView } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { mentioningQueriesQuery } from './queries.ts'
import type { TabProps } from './tabs.ts'

/** The definition of a query is either Markdown or plain SQL. */
const toCodeBlock = (text: string): string => (text.includes('```') ? text : `\`\`\`sql\n${text}\n\`\`\``)

/** Queries that mention this table. */
export const TableQueries = ({ view }: TabProps) => (
  <QueryView of={useQuery(mentioningQueriesQuery(view.resource))}>
    {({ results }) =>
      results.length === 0 ? (
        <EmptyState icon={SquareTerminal} title={t('No queries yet')}>
          {t('Queries that use this table appear here when a source reports them or someone adds them.')}
        </EmptyState>
      ) : (
        <ul className="grid max-w-4xl gap-3">
          {results.map(({ id, title, definition, description, updated_at }) => (
            <li key={id} className="overflow-hidden rounded-lg border border-line">
              <div className="flex items-center gap-2 border-b border-line bg-sunken px-3 py-1.5">
                <Link
                  to="/r/$id"
                  params={{ id }}
                  className="min-w-0 flex-1 truncate text-sm font-medium hover:text-accent hover:underline"
                  dir="auto"
                >
                  {title}
                </Link>
                <span className="text-xs text-faint">
                  <RelativeTime at={updated_at} />
                </span>
              </div>
              <div className="max-h-64 overflow-auto p-3 text-sm">
                {description && <p className="mb-2 text-soft">{description}</p>}
                <Markdown text={toCodeBlock(definition ?? '')} />
              </div>
            </li>
          ))}
        </ul>
      )
    }
  </QueryView>
)
