import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { t } from '../i18n/messages.ts'
import { Select } from '../ui/field.tsx'
import { formatBytes, formatCount, formatPercent } from '../ui/number.ts'
import { Section } from '../ui/page.tsx'
import { EmptyState, QueryView, Skeleton } from '../ui/states.tsx'
import { narrowFilter, toGroupCondition } from './narrow-filter.ts'
import { type Group, groupsQuery, insightsQuery, type MetricName, type Numbers } from './queries.ts'
import { GROUPINGS, type Grouping, type InsightsSearch } from './search-params.ts'

const LABELS: Readonly<Record<Grouping, string>> = {
  integration: t('By source'),
  schema: t('By schema'),
  team: t('By team'),
  owner: t('By owner'),
}
const SCOPE_FIELDS = { integration: 'source', team: 'team', owner: 'owner' } as const

interface GroupsProps {
  readonly address: InsightsSearch
  readonly by: Grouping
  readonly onBy: (by: Grouping) => void
}

/** Sources, schemas, teams or owners side by side; each number leads to the list behind it. */
export const Groups = ({ address, by, onBy }: GroupsProps) => {
  const { data } = useQuery(insightsQuery(address))
  const filters = new Map(data?.metrics.map(({ name, filter }) => [name, filter]))
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
              <section aria-label={LABELS[by]} tabIndex={0} className="relative overflow-x-auto rounded-lg border border-line">
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
                    {results.map((group) => (
                      <tr key={group.id}>
                        <th scope="row" className="max-w-80 truncate px-3 py-1.5 text-start font-medium" dir="auto">
                          <GroupName of={group} by={by} address={address} />
                        </th>
                        {COLUMNS.map((column) => (
                          <td key={column.label} className="px-3 py-1.5 text-end whitespace-nowrap tabular-nums">
                            <GroupNumber of={column} group={group} by={by} filters={filters} />
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

/** A schema has no insights of its own: its name leads to its page. */
const GroupName = ({ of: { id, name }, by, address }: { of: Group; by: Grouping; address: InsightsSearch }) => {
  const look = 'hover:text-accent hover:underline'
  return by === 'schema' ? (
    <Link to="/r/$id" params={{ id }} title={name ?? undefined} className={look}>
      {name ?? t('Unnamed')}
    </Link>
  ) : (
    <Link to="/insights" search={{ by: address.by, [SCOPE_FIELDS[by]]: id }} className={look}>
      {name ?? t('Unnamed')}
    </Link>
  )
}

interface GroupNumberProps {
  readonly of: Column
  readonly group: Group
  readonly by: Grouping
  readonly filters: ReadonlyMap<string, string>
}

const GroupNumber = ({ of: { label, metric, cell }, group, by, filters }: GroupNumberProps) => {
  const filter = filters.get(metric)
  const text = cell(group.numbers)
  if (filter === undefined || group.numbers[metric] === undefined) return text
  const condition = toGroupCondition(by, group, metric.startsWith('columns') ? 'column' : 'table')
  return (
    <Link
      to="/search"
      search={{ filter: narrowFilter(filter, condition) }}
      className="inline-flex min-h-6 items-center text-accent hover:underline"
    >
      {text}
      <span className="sr-only"> {label}</span>
    </Link>
  )
}

const share = (part: keyof Numbers, all: keyof Numbers) => (numbers: Numbers) => {
  const [n, of] = [numbers[part], numbers[all]]
  return n === undefined || !of ? '—' : formatPercent(Math.round((100 * n) / of))
}
const count = (name: keyof Numbers) => (numbers: Numbers) => formatCount(numbers[name] ?? 0)

interface Column {
  readonly label: string
  /** What the list behind it contains. */
  readonly metric: MetricName
  readonly cell: (numbers: Numbers) => string
}

const COLUMNS: readonly Column[] = [
  { label: t('Tables'), metric: 'tables', cell: count('tables') },
  { label: t('Described tables'), metric: 'tables_described', cell: share('tables_described', 'tables') },
  { label: t('Described columns'), metric: 'columns_described', cell: share('columns_described', 'columns') },
  { label: t('With owners'), metric: 'tables_owned', cell: share('tables_owned', 'tables') },
  { label: t('Open incident'), metric: 'tables_incident', cell: count('tables_incident') },
  { label: t('Unused'), metric: 'tables_unused', cell: count('tables_unused') },
  { label: t('Unused bytes'), metric: 'tables_unused', cell: ({ unused_bytes = 0 }) => formatBytes(unused_bytes) },
]
