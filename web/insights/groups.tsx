import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { t } from '../i18n/messages.ts'
import { Select } from '../ui/field.tsx'
import { formatBytes, formatCount, formatPercent } from '../ui/number.ts'
import { Section } from '../ui/page.tsx'
import { EmptyState, QueryView, Skeleton } from '../ui/states.tsx'
import { groupsQuery, type Numbers } from './queries.ts'
import { GROUPINGS, type Grouping, type InsightsSearch } from './search-params.ts'

const LABELS: Readonly<Record<Grouping, string>> = { integration: t('By source'), team: t('By team'), owner: t('By owner') }
const SCOPE_FIELDS = { integration: 'source', team: 'team', owner: 'owner' } as const

interface GroupsProps {
  readonly address: InsightsSearch
  readonly by: Grouping
  readonly onBy: (by: Grouping) => void
}

/** Sources, teams or owners side by side. */
export const Groups = ({ address, by, onBy }: GroupsProps) => (
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
                  {results.map(({ id, name, numbers }) => (
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
                      {COLUMNS.map(({ label, cell }) => (
                        <td key={label} className="px-3 py-1.5 text-end whitespace-nowrap tabular-nums">
                          {cell(numbers)}
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

const share = (part: keyof Numbers, all: keyof Numbers) => (numbers: Numbers) => {
  const [n, of] = [numbers[part], numbers[all]]
  return n === undefined || !of ? '—' : formatPercent(Math.round((100 * n) / of))
}
const count = (name: keyof Numbers) => (numbers: Numbers) => formatCount(numbers[name] ?? 0)

const COLUMNS = [
  { label: t('Tables'), cell: count('tables') },
  { label: t('Described tables'), cell: share('tables_described', 'tables') },
  { label: t('Described columns'), cell: share('columns_described', 'columns') },
  { label: t('With owners'), cell: share('tables_owned', 'tables') },
  { label: t('Open incident'), cell: count('tables_incident') },
  { label: t('Unused'), cell: count('tables_unused') },
  { label: t('Unused bytes'), cell: ({ unused_bytes = 0 }: Numbers) => formatBytes(unused_bytes) },
]
