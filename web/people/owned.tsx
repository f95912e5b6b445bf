import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCan } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { insightsQuery, type MetricName } from '../insights/queries.ts'
import type { InsightsSearch } from '../insights/search-params.ts'
import { ResourceList } from '../resources/resource-list.tsx'
import { cx } from '../ui/cx.ts'
import { formatCount } from '../ui/number.ts'
import { Section } from '../ui/page.tsx'
import { QueryView, Skeleton } from '../ui/states.tsx'
import { type OwnerField, ownedQuery, toOwnedFilter } from './queries.ts'

const NUMBERS: readonly { readonly name: MetricName; readonly label: string; readonly look?: string }[] = [
  { name: 'tables', label: t('Tables') },
  { name: 'tables_described', label: t('Described') },
  { name: 'tables_incident', label: t('With incidents'), look: 'text-bad' },
  { name: 'tables_warning', label: t('Need attention'), look: 'text-warn' },
  { name: 'tables_ok', label: t('Healthy'), look: 'text-good' },
]

/** Health and documentation of the tables; each number leads to the tables behind it. */
export const OwnedNumbers = ({ scope }: { scope: InsightsSearch }) => {
  const { data, isLoading } = useQuery({ ...insightsQuery(scope), enabled: useCan('monitors.read') })
  if (isLoading) return <div className="h-40 sm:h-23" /> // as high as the numbers
  if (!data) return null
  const shown = NUMBERS.flatMap((number) => {
    const metric = data.metrics.find(({ name }) => name === number.name)
    return metric ? [{ ...number, ...metric }] : []
  })
  if (shown.every(({ count }) => count === 0)) return null
  return (
    <section aria-label={t('Numbers')} className="grid gap-2">
      <ul className="flex flex-wrap gap-2">
        {shown.map(({ name, label, look, count, filter }) => (
          <li key={name}>
            <Link to="/search" search={{ filter }} className="block min-w-28 rounded-lg border border-line px-3 py-2 hover:bg-hover">
              <span className={cx('block text-lg font-semibold tabular-nums', count > 0 && look)}>{formatCount(count)}</span>
              <span className="block text-xs text-soft">{label}</span>
            </Link>
          </li>
        ))}
      </ul>
      <Link to="/insights" search={scope} className="justify-self-start text-sm text-accent hover:underline">
        {t('All insights')}
      </Link>
    </section>
  )
}

/** The most used resources that a person, group or team owns. */
export const OwnedList = ({ field, id, title }: { field: OwnerField; id: string; title: string }) => (
  <QueryView of={useQuery(ownedQuery(field, id))} loading={<Skeleton lines={6} className="content-start max-lg:min-h-dvh" />}>
    {({ results, count }) => (
      <Section
        title={title}
        actions={
          count > results.length && (
            <Link to="/search" search={{ filter: toOwnedFilter(field, id) }} className="text-sm text-accent hover:underline">
              {t('All {n:# resource|# resources}', { n: count })}
            </Link>
          )
        }
      >
        {results.length === 0 ? <p className="text-sm text-soft">{t('Nothing that you can see.')}</p> : <ResourceList of={results} />}
      </Section>
    )}
  </QueryView>
)
