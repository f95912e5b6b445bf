import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { t } from '../i18n/messages.ts'
import { Select } from '../ui/field.tsx'
import { formatBytes, formatCount, formatPercent } from '../ui/number.ts'
import { Section } from '../ui/page.tsx'
import { EmptyState, QueryView, Skeleton } from '../ui/states.tsx'
import { groupsQuery, insightsQuery, type MetricName, type Numbers } from './queries.ts'
import { GROUPINGS, type Grouping, type InsightsSearch } from './search-params.ts'

const LABELS: Readonly<Record<Grouping, string>> = { integration: t('By source'), team: t('By team'), owner: t('By owner') }
const SCOPE_FIELDS = { integration: 'source', team: 'team', owner: 'owner' } as const

interface GroupsProps {
  readonly address: InsightsSearch
  readonly by: Grouping
  readonly onBy: (by: Grouping) => void
}

/** Sources, teams or owners side by side. */
export const Groups = ({ address, by, onBy }: GroupsProps) => {
  const filters = new Map(useQuery(insightsQuery(address)).data?.metrics.map(({ name, filter }) => [name, filter]))
  return (
    <Section
      title={t('Comparison')}
      actions={
        <Select fit aria-label={t('Compare')} value={by} onChange={({ target }) => onBy(target.value as Grouping)}>
          {GROUPINGS.map((each) => (
            <option key={each} value={each}>
              {LABELS[each]}
            </option>
          ))}
        </Select>
      }
    >
      <QueryView of={useQuery(groupsQuery(address, by))} loading={<Skeleton lines={4} />}>
        {({ results, truncated }) =>
          results.length === 0 ? (
            <EmptyState title={t('Nothing to compare')} />
          ) : (
            <>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable */}
              <section aria-label={LABELS[by]} tabIndex={0} className="overflow-x-auto rounded-lg border border-line">
                <table className="w-full text-sm">
                  <thead className="text-xs text-faint">
                    <tr className="border-b border-line">
                      <th scope="col" className="px-3 py-2 text-start font-medium">
                        {t('Name')}
                      </th>
                      {COLUMNS.map(({ label }) => (
                        <th key={label} scope="col" className="px-3 py-2 text-end font-medium whitespace-nowrap">
                          {label}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody className="divide-y divide-line">
                    {results.map(({ id, name, numbers, filter }) => (
                      <tr key={id}>
                        <th scope="row" className="max-w-60 truncate px-3 py-1.5 text-start font-medium" dir="auto">
                          <Link
                            to="/insights"
                            search={{ by: address.by, [SCOPE_FIELDS[by]]: id }}
                            className="hover:text-accent hover:underline"
                          >
                            {name ?? t('Unnamed')}
                          </Link>
                        </th>
                        {COLUMNS.map(({ label, metric, cell }) => (
                          <td key={label} className="px-3 py-1.5 text-end whitespace-nowrap tabular-nums">
                            <GroupNumber text={cell(numbers)} label={label} filters={[filters.get(metric), filter]} />
                          </td>
                        ))}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </section>
              {truncated && (
                <p className="pt-2 text-xs text-faint">{t('Only the {n} with the most tables are listed.', { n: results.length })}</p>
              )}
            </>
          )
        }
      </QueryView>
    </Section>
  )
}

interface NumberProps {
  readonly text: string
  readonly label: string
  /** Of the metric, and of the group. */
  readonly filters: readonly (string | undefined)[]
}

/** A link to what is counted in the group. */
const GroupNumber = ({ text, label, filters }: NumberProps) =>
  text === NONE || filters.some((filter) => filter === undefined) ? (
    text
  ) : (
    <Link
      to="/search"
      search={{ filter: `{"operator":"and","operands":[${filters.join()}]}` }}
      className="inline-flex min-h-6 items-center text-accent hover:underline"
    >
      {text}
      <span className="sr-only"> {label}</span>
    </Link>
  )

const NONE = '—'

const share = (metric: MetricName, all: keyof Numbers) => {
  const cell = (numbers: Numbers) => {
    const [n, of] = [numbers[metric], numbers[all]]
    return n === undefined || !of ? NONE : formatPercent(Math.round((100 * n) / of))
  }
  return { metric, cell }
}
const count = (metric: MetricName) => ({ metric, cell: (numbers: Numbers) => formatCount(numbers[metric] ?? 0) })

interface NumberColumn {
  readonly label: string
  readonly metric: MetricName
  readonly cell: (numbers: Numbers) => string
}

const COLUMNS: readonly NumberColumn[] = [
  { label: t('Tables'), ...count('tables') },
  { label: t('Described tables'), ...share('tables_described', 'tables') },
  { label: t('Described columns'), ...share('columns_described', 'columns') },
  { label: t('With owners'), ...share('tables_owned', 'tables') },
  { label: t('Open incident'), ...count('tables_incident') },
  { label: t('Unused'), ...count('tables_unused') },
  { label: t('Unused bytes'), metric: 'tables_unused', cell: ({ unused_bytes = 0 }) => formatBytes(unused_bytes) },
]
