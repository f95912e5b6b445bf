import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, Pin } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { showServerText } from '../api/server-text.ts'
import { useBootstrap } from '../api/session.ts'
import type { ResourceBrief, Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { toPlainExcerpt } from '../markdown/plain-excerpt.ts'
import { ResourceList } from '../resources/resource-list.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { EntityTypeIcon } from '../ui/entity-type.tsx'
import { formatApprox } from '../ui/number.ts'
import { Section, useTitle } from '../ui/page.tsx'
import { RowLink } from '../ui/row-link.tsx'
import { QueryView } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { TrustBadges } from '../ui/trust-badges.tsx'
import { GettingStarted } from './getting-started.tsx'
import { homeQuery } from './queries.ts'
import { SearchBox } from './search-box.tsx'

/** Loaded for users who are new. */
const Tour = lazy(async () => ({ default: (await import('./tour.tsx')).Tour }))

/** The home page: search, and what concerns the user. */
export const Home = () => {
  useTitle(t('Home'))
  const { empty, me, tour } = useBootstrap()
  const home = useQuery(homeQuery)
  return (
    <div className="h-full overflow-auto">
      <div className="mx-auto grid w-full max-w-5xl grid-cols-1 gap-8 px-4 py-10 md:px-8">
        <div className="grid min-w-0 gap-4">
          <h1 className="text-center text-xl font-semibold">
            {me.first_name ? t('What are you looking for, {name}?', { name: me.first_name }) : t('What are you looking for?')}
          </h1>
          <SearchBox />
        </div>
        <PinnedViews />
        <GettingStarted />
        {tour && !empty && (
          <Suspense fallback={<div className="h-40 rounded-lg border border-line" />}>
            <Tour example={home.data?.most_used[0]} />
          </Suspense>
        )}
        <QueryView of={home}>
          {({ incidents, changes, bookmarks, recent, most_used, drafts, questions }) => (
            <div className="grid grid-cols-1 gap-8 md:grid-cols-2">
              {incidents.length > 0 && (
                <Section title={t('Open incidents')} className="md:col-span-2">
                  <IncidentList of={incidents} />
                </Section>
              )}
              {!empty && changes.length === 0 && recent.length === 0 && (
                <Section title={t('Following')}>
                  <p className="rounded-lg border border-line border-dashed px-4 py-6 text-sm text-soft">
                    {t('No changes yet. Changes to resources you own or subscribe to appear here and in your inbox.')}
                  </p>
                </Section>
              )}
              {changes.length > 0 && (
                <Section title={t('Following')}>
                  <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
                    {changes.map(({ id, resource_id, resource_type, text, last_change_at }) => (
                      <li key={id}>
                        <Link
                          to="/r/$id"
                          params={{ id: resource_id }}
                          search={{ tab: 'activity' }}
                          className="flex items-start gap-2.5 px-3 py-2 -outline-offset-2 hover:bg-hover"
                        >
                          <EntityTypeIcon type={resource_type} className="mt-0.5" />
                          <span className="line-clamp-2 min-w-0 flex-1 text-sm" dir="auto">
                            {toPlainExcerpt(text).text}
                          </span>
                          <TrustBadges id={resource_id} size={13} />
                          <span className="text-xs text-faint">
                            <RelativeTime at={last_change_at} />
                          </span>
                        </Link>
                      </li>
                    ))}
                  </ul>
                </Section>
              )}
              {bookmarks.length > 0 && (
                <Section title={t('Bookmarks')}>
                  <BookmarkList of={bookmarks} />
                </Section>
              )}
              {recent.length > 0 && (
                <Section title={t('Recently viewed')}>
                  <ResourceList of={recent} aside={({ viewed_at }) => <RelativeTime at={viewed_at} />} />
                </Section>
              )}
              {most_used.length > 0 && (
                <Section title={t('Most used')}>
                  <ResourceList
                    of={most_used}
                    aside={({ external_usage }) =>
                      t('{number} {n:query|queries}', { number: formatApprox(external_usage), n: external_usage })
                    }
                  />
                </Section>
              )}
              {drafts.length > 0 && (
                <Section title={t('Your drafts')}>
                  <ResourceList of={drafts} aside={({ updated_at }) => <RelativeTime at={updated_at} />} />
                </Section>
              )}
              {questions.length > 0 && (
                <Section title={t('Open questions')}>
                  <ResourceList of={questions} aside={({ updated_at }) => <RelativeTime at={updated_at} />} />
                </Section>
              )}
            </div>
          )}
        </QueryView>
      </div>
    </div>
  )
}

const PinnedViews = () => {
  const { pinned_views } = useBootstrap()
  if (pinned_views.length === 0) return null
  return (
    <nav aria-label={t('Pinned views')} className="flex flex-wrap justify-center gap-2">
      {pinned_views.map(({ id, name, query }) => (
        <RowLink key={id} href={`/search?${query}`} className={buttonClass('plain', true)}>
          <Pin aria-hidden size={14} />
          <span className="max-w-60 truncate" dir="auto">
            {name}
          </span>
        </RowLink>
      ))}
    </nav>
  )
}

const MAX_BOOKMARKS = 8

const BookmarkList = ({ of }: { of: readonly ResourceBrief[] }) => {
  const [all, setAll] = useState(false)
  return (
    <>
      <ResourceList of={all ? of : of.slice(0, MAX_BOOKMARKS)} />
      {!all && of.length > MAX_BOOKMARKS && (
        <Button small look="quiet" className="mt-1" onClick={() => setAll(true)}>
          {t('{n} more', { n: of.length - MAX_BOOKMARKS })}
        </Button>
      )}
    </>
  )
}

const STATUS_LABELS: Readonly<Record<string, string>> = { active: t('Active'), acknowledged: t('Acknowledged') }

const IncidentList = ({ of }: { of: Schemas['OpenIncident'][] }) => (
  <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
    {of.map(({ id, name, status, summary, summary_translatable, first_seen_at, target }) => (
      <li key={id}>
        <Link to="/incidents/$id" params={{ id }} className="flex items-center gap-2.5 px-3 py-2 -outline-offset-2 hover:bg-hover">
          <CircleAlert aria-hidden size={16} className="shrink-0 text-bad" />
          <span className="min-w-0 flex-1">
            <span className="line-clamp-2 font-medium wrap-anywhere">{name}</span>
            <span className="line-clamp-2 text-xs text-faint wrap-anywhere">
              {showServerText(summary, summary_translatable) || target.title_full}
            </span>
          </span>
          <Badge tone={status === 'active' ? 'bad' : 'warn'}>{STATUS_LABELS[status] ?? status}</Badge>
          <span className="text-xs text-faint">
            <RelativeTime at={first_seen_at} />
          </span>
        </Link>
      </li>
    ))}
  </ul>
)
