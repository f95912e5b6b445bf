import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BadgeCheck, SquareTerminal } from 'lucide-react'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { Badge } from '../ui/badge.tsx'
import { EmptyState, QueryView } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { exampleQueriesQuery } from './queries.ts'
import type { TabProps } from './tabs.ts'

/** The definition of a query is either Markdown or plain SQL. */
const toCodeBlock = (text: string): string => (text.includes('```') ? text : `\`\`\`sql\n${text}\n\`\`\``)

/** How others query this table. */
export const TableQueries = ({ view }: TabProps) => (
  <QueryView of={useQuery(exampleQueriesQuery(view.resource.id))}>
    {({ results }) =>
      results.length === 0 ? (
        <EmptyState icon={SquareTerminal} title={t('No queries yet')}>
          {t('Queries that use this table appear here when a source reports them or someone adds them.')}
        </EmptyState>
      ) : (
        <ul className="grid max-w-4xl gap-3">
          {results.map(({ id, title, sql, description, verified, ...use }) => (
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
                {verified && <Badge icon={BadgeCheck}>{t('Verified')}</Badge>}
              </div>
              <Use {...use} />
              <div className="max-h-64 overflow-auto p-3 text-sm">
                {description && <p className="mb-2 text-soft">{description}</p>}
                <Markdown text={toCodeBlock(sql ?? '')} />
              </div>
            </li>
          ))}
        </ul>
      )
    }
  </QueryView>
)

type UseProps = Pick<Schemas['ExampleQuery'], 'author_name' | 'people' | 'executions' | 'last_run_at' | 'parsed'>

const MAX_PEOPLE = 3

/** Who wrote and runs a query, and how often. */
const Use = ({ author_name, people, executions, last_run_at, parsed }: UseProps) => {
  const more = people.length - MAX_PEOPLE
  const parts = [
    author_name && <span key="author">{t('Added by {name}', { name: author_name })}</span>,
    people.length > 0 && (
      <span key="people">
        {more > 0
          ? t('Run by {names} and {n:# other|# others}', { names: people.slice(0, MAX_PEOPLE).join(', '), n: more })
          : t('Run by {names}', { names: people.join(', ') })}
      </span>
    ),
    executions > 0 && <span key="executions">{t('{n:# run|# runs} // of a query', { n: executions })}</span>,
    last_run_at && (
      <span key="last">
        <Trans message="Last run {when}" when={<RelativeTime at={last_run_at} />} />
      </span>
    ),
    !parsed && <span key="parsed">{t('Mentions the table')}</span>,
  ].filter(Boolean)
  return parts.length > 0 && <p className="flex flex-wrap gap-x-4 px-3 pt-2 text-xs text-faint">{parts}</p>
}
