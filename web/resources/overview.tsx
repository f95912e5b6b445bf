import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowRight, Pencil, ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useNames } from '../api/names.ts'
import { getOwnerIds } from '../api/owners.ts'
import type { Column, HealthStatus } from '../api/types.ts'
import { useCommand } from '../commands/use-command.ts'
import { t } from '../i18n/messages.ts'
import { type GraphNode, graphQuery } from '../lineage/graph/queries.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { EntityTypeIcon } from '../ui/entity-type.tsx'
import { formatPercent } from '../ui/number.ts'
import { PersonLink } from '../ui/person-link.tsx'
import { QueryView } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { TrustSigns } from '../ui/trust-badges.tsx'
import { Keys, Labels, SuspectedPii } from './columns/column-facts.tsx'
import type { ColumnFacts } from './columns/column-row.tsx'
import { FIRST_COLUMNS, firstColumnFactsQuery, firstColumnsQuery, questionsQuery } from './queries.ts'
import type { TabProps } from './tabs.ts'

/** May I use this, what is in it, where does it come from: the first tab of a table. */
export const Overview = (props: TabProps) => (
  <div className="grid gap-8">
    <TrustLine {...props} />
    <div className="grid gap-8 lg:grid-cols-2">
      <FirstColumns {...props} />
      <DirectLineage {...props} />
    </div>
    <DocumentationExcerpt {...props} />
    {props.view.tabs.questions > 0 && <NewestQuestions {...props} />}
  </div>
)

const MAX_QUESTIONS = 3

const NewestQuestions = ({ view: { resource, tabs } }: TabProps) => (
  <Section title={t('Questions')} tab="questions" more={t('All {n:# question|# questions}', { n: tabs.questions })}>
    <QueryView of={useQuery(questionsQuery(resource.id))}>
      {({ results }) => (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {results.slice(0, MAX_QUESTIONS).map(({ id, title, question_status }) => (
            <li key={id} className="flex items-center gap-2 px-3 py-1.5 text-sm">
              <Link to="/r/$id" params={{ id }} className="min-w-0 flex-1 truncate hover:text-accent hover:underline" dir="auto">
                {title}
              </Link>
              {question_status === 'answered' && <Badge tone="good">{t('Answered')}</Badge>}
            </li>
          ))}
        </ul>
      )}
    </QueryView>
  </Section>
)

const MAX_KNOWN_USERS = 20 // a sync stores no more

const HEALTH: Record<HealthStatus, readonly [label: string, look: string]> = {
  incident: [t('Open incident'), 'text-bad'],
  warning: [t('Needs attention'), 'text-warn'],
  ok: [t('Healthy'), 'text-good'],
  unknown: [t('Not monitored'), 'text-soft'],
}

const TrustLine = ({ view }: TabProps) => {
  const { resource, health, names, data_updated_at, verification } = view
  const owners = getOwnerIds(resource)
  const nameOf = useNames(owners.filter((id) => !names[id]))
  const named = owners.flatMap((id) => {
    const known = names[id] ?? nameOf(id)
    return known ? [{ id, name: known.name, type: known.type === 'group' ? ('group' as const) : ('user' as const) }] : []
  })
  const [label, look] = HEALTH[health.status]
  const verifier = names[verification?.by ?? '']
  return (
    <section aria-label={t('Trust')}>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 rounded-lg border border-line bg-sunken/40 p-3 sm:grid-cols-3 sm:gap-x-4 lg:grid-cols-[1fr_1fr_1.6fr_1.2fr_1.2fr]">
        <Fact name={t('Health')}>
          <span className={cx('font-medium', look)}>{label}</span>
        </Fact>
        <Fact name={t('Data updated')}>
          {data_updated_at ? <RelativeTime at={data_updated_at} /> : <span className="text-soft">{t('Unknown')}</span>}
        </Fact>
        <Fact name={t('Owners')}>
          {named.length === 0 ? (
            <span className="text-soft">{t('None')}</span>
          ) : (
            <span className="flex flex-wrap gap-x-3 gap-y-1">
              {named.map((owner) => (
                <PersonLink key={owner.id} {...owner} avatar />
              ))}
            </span>
          )}
        </Fact>
        <Fact name={t('Verification')}>
          {resource.deprecation ? (
            <span className="font-medium text-warn">{t('Deprecated')}</span>
          ) : resource.verified ? (
            <>
              <span className={cx('font-medium', health.reasons.length === 0 && 'text-good')}>{t('Verified')}</span>
              {verification && (
                <span className="block text-xs text-faint">
                  {verifier && `${verifier.name} · `}
                  <RelativeTime at={verification.at} />
                </span>
              )}
            </>
          ) : (
            <span className="text-soft">{t('Not verified')}</span>
          )}
        </Fact>
        <Fact name={t('Usage')}>
          {t('{n:# query|# queries} in 24 h', { n: resource.external_usage })}
          {resource.external_users.length > 0 && (
            <span className="block text-xs text-faint">
              {resource.external_users.length < MAX_KNOWN_USERS
                ? t('by {n:# user|# users}', { n: resource.external_users.length })
                : t('by {n} users or more', { n: MAX_KNOWN_USERS })}
            </span>
          )}
          <span className="block text-xs text-faint">{t('{n:# page view|# page views} in 90 days', { n: resource.internal_usage })}</span>
        </Fact>
      </dl>
    </section>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs text-faint">{name}</dt>
    <dd className="min-w-0 text-sm wrap-anywhere">{children}</dd>
  </div>
)

const Section = ({ title, tab, more, children }: { title: string; tab: string; more: string; children: ReactNode }) => (
  <section aria-label={title} className="min-w-0">
    <div className="mb-2 flex items-baseline justify-between gap-3">
      <h2 className="font-semibold">{title}</h2>
      <Link to="/r/$id" from="/r/$id" params={(before) => before} search={{ tab }} className="text-sm text-accent hover:underline">
        {more}
      </Link>
    </div>
    {children}
  </section>
)

const FirstColumns = ({ view: { resource, tabs } }: TabProps) => {
  const facts = useQuery(firstColumnFactsQuery(resource.id)) // the columns are shown without waiting for it
  return (
    <Section title={t('Columns')} tab="columns" more={t('All {n:# column|# columns}', { n: tabs.columns })}>
      <QueryView
        of={useQuery(firstColumnsQuery(resource.id))}
        loading={tabs.columns === 0 ? <NoColumns /> : <LoadingColumns n={tabs.columns} described={tabs.first_columns_described} />}
      >
        {({ results }) =>
          results.length === 0 ? (
            <NoColumns />
          ) : (
            <ul className="divide-y divide-line rounded-lg border border-line">
              {results.map((column) => (
                <ColumnItem key={column.id} column={column} facts={facts.data?.[column.id]} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </Section>
  )
}

const NoColumns = () => <p className="text-sm text-soft">{t('No columns')}</p>

/** As high as the columns with their descriptions: then what is below stays in its place, and a click on it is not lost. */
const LoadingColumns = ({ n, described }: { n: number; described: number }) => (
  <div role="status" aria-label={t('Loading')} className="divide-y divide-line rounded-lg border border-line">
    {Array.from({ length: Math.min(n, FIRST_COLUMNS) }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other key
      <div key={i} className="px-3 py-2 text-sm">
        <div className="skeleton h-4" />
        {i < described && <p>&nbsp;</p>}
      </div>
    ))}
  </div>
)

const ColumnItem = ({ column, facts }: { column: Column; facts: ColumnFacts | undefined }) => {
  const { id, title, type, description, pii, stale, deprecation } = column
  const names = useNames(column.terms)
  return (
    <li className="px-3 py-1.5 text-sm">
      <div className="flex items-baseline gap-2">
        <Link
          to="/r/$id"
          params={{ id }}
          className={cx('min-w-0 truncate font-medium hover:text-accent hover:underline', (stale || deprecation) && 'line-through')}
          dir="auto"
        >
          {title}
        </Link>
        <span className="-my-0.5 flex max-w-2/5 min-w-0 shrink-[2] items-center gap-1 self-center text-xs empty:hidden">
          <Keys column={column} facts={facts} />
        </span>
        {pii && <ShieldAlert role="img" aria-label={t('PII')} size={12} className="shrink-0 self-center text-warn" />}
        {facts?.suspected_pii && !pii && <SuspectedPii {...facts.suspected_pii} />}
        <span className="flex min-w-0 shrink-[4] gap-1 self-center overflow-hidden max-sm:hidden">
          <Labels column={column} names={names} />
        </span>
        {facts && facts.null_percentage !== null && facts.null_percentage > 0 && (
          <span className="ms-auto shrink-0 text-xs text-faint tabular-nums">
            {t('{percent} null', { percent: formatPercent(facts.null_percentage) })}
          </span>
        )}
        <span
          className={cx(
            'max-w-1/2 truncate font-mono text-xs text-faint',
            !(facts && facts.null_percentage !== null && facts.null_percentage > 0) && 'ms-auto',
          )}
        >
          {type}
        </span>
      </div>
      {description && (
        <p className="truncate text-soft" title={description} dir="auto">
          {description}
        </p>
      )}
    </li>
  )
}

const MAX_NEIGHBOURS = 8

const DirectLineage = ({ view: { resource, tabs } }: TabProps) => {
  const graph = useQuery(graphQuery(resource.id, { direction: 'BOTH', depth: 1, level: 'table', limit: 1 + 4 * MAX_NEIGHBOURS }))
  const show = (nodes?: readonly GraphNode[]) => (
    <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-start gap-2 rounded-lg border border-line p-3">
      <Neighbours
        title={t('Upstream')}
        nodes={nodes?.filter(({ direction }) => direction === 'UPSTREAM' || direction === 'BOTH')}
        count={tabs.upstream}
      />
      <ArrowRight aria-hidden size={16} className="mt-6 text-faint" />
      <Neighbours
        title={t('Downstream')}
        nodes={nodes?.filter(({ direction }) => direction === 'DOWNSTREAM' || direction === 'BOTH')}
        count={tabs.downstream}
      />
    </div>
  )
  return (
    <Section title={t('Lineage')} tab="lineage" more={t('Open graph')}>
      <QueryView of={graph} loading={show()}>
        {({ nodes }) => show(nodes)}
      </QueryView>
    </Section>
  )
}

/** Without `nodes` they are loading: as many lines as there will be. */
const Neighbours = ({ title, nodes, count }: { title: string; nodes?: readonly GraphNode[] | undefined; count: number }) => {
  if (!nodes && count > 0)
    return (
      <div role="status" aria-label={t('Loading')} className="grid min-w-0 gap-0.5">
        <h3 className="mb-0.5 text-xs font-semibold text-faint">{title}</h3>
        {Array.from({ length: Math.min(count, MAX_NEIGHBOURS) }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other key
          <div key={i} className="flex h-7 items-center">
            <div className="skeleton h-4 w-full" />
          </div>
        ))}
      </div>
    )
  const shown = (nodes ?? []).filter(({ hidden }) => !hidden).slice(0, MAX_NEIGHBOURS)
  return (
    <div className="min-w-0">
      <h3 className="mb-1 text-xs font-semibold text-faint">{title}</h3>
      {shown.length === 0 && (
        <p className="text-sm text-soft">{count > 0 ? t('{n:# resource|# resources} you can’t see', { n: count }) : t('None known')}</p>
      )}
      <ul className="grid gap-0.5">
        {shown.map(({ id, title, title_full, entity_type, health, deprecated, verified }) => (
          <li key={id} className="flex h-7 min-w-0 items-center gap-1.5 text-sm">
            <EntityTypeIcon type={entity_type ?? ''} size={14} />
            <Link
              to="/r/$id"
              params={{ id }}
              title={title_full ?? undefined}
              className={cx('min-w-0 truncate hover:text-accent hover:underline', deprecated && 'text-soft line-through')}
              dir="auto"
            >
              {title}
            </Link>
            <TrustSigns status={health ?? 'unknown'} deprecated={deprecated ?? false} verified={verified ?? false} size={13} />
          </li>
        ))}
      </ul>
      {count > shown.length && shown.length > 0 && (
        <p className="text-xs text-faint">{t('and {n:# other|# others}', { n: count - shown.length })}</p>
      )}
    </div>
  )
}

const MAX_EXCERPT_LENGTH = 800

/** Whole paragraphs, so that no Markdown syntax is cut in two. */
const toExcerpt = (text: string): string => {
  if (text.length <= MAX_EXCERPT_LENGTH) return text
  const end = text.lastIndexOf('\n\n', MAX_EXCERPT_LENGTH)
  const excerpt = text.slice(0, end > 0 ? end : MAX_EXCERPT_LENGTH)
  const fences = excerpt.match(/^ *```/gm)?.length ?? 0
  return fences % 2 === 0 ? excerpt : `${excerpt}\n\`\`\``
}

const DocumentationExcerpt = ({ view: { resource } }: TabProps) => {
  const navigate = useNavigate({ from: '/r/$id' })
  const writes = resource.current_user_permissions.write
  const edit = () => void navigate({ search: (before) => ({ ...before, tab: 'documentation', edit: '1' }) })
  useCommand('resource.edit', edit, writes)
  const { definition } = resource
  return (
    <Section title={t('Documentation')} tab="documentation" more={t('Read all')}>
      {definition ? (
        <div className="flex items-start gap-6 max-sm:flex-col max-sm:gap-2">
          <div className="min-w-0 flex-1 max-sm:w-full">
            <Markdown text={toExcerpt(definition)} />
          </div>
          {writes && (
            <Button small icon={Pencil} onClick={edit}>
              {t('Edit')}
            </Button>
          )}
        </div>
      ) : (
        <p className="flex flex-wrap items-center gap-3 text-sm text-soft">
          {t('No documentation yet')}
          {writes && (
            <Button small icon={Pencil} onClick={edit}>
              {t('Add documentation')}
            </Button>
          )}
        </p>
      )}
    </Section>
  )
}
