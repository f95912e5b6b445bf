import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { cx } from '../ui/cx.ts'
import { formatCount } from '../ui/number.ts'
import { Section } from '../ui/page.tsx'
import { RelativeTime } from '../ui/time.tsx'

const failingRowsQuery = (incident: string) =>
  queryOptions({
    queryKey: ['incidents', incident, 'failing-rows'],
    queryFn: ({ signal }) => api.get<Schemas['FailingRows']>(`/monitor/incidents/${incident}/failing_rows`, { signal }),
    retry: false, // 409 if the user cannot preview the table
  })

/** A sample of the rows that the check counted, if there is one that the user may see. */
export const FailingRows = ({ incident }: { incident: string }) => {
  const sample = useQuery(failingRowsQuery(incident)).data?.sample
  if (!sample || sample.rows.length === 0) return null
  const { columns, rows, counts, truncated, withheld, measured_at } = sample
  return (
    <Section title={t('Failing rows')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <p className="text-sm text-faint">
          {truncated ? t('A sample of the rows at the last failing run') : t('The rows at the last failing run')} ·{' '}
          <RelativeTime at={measured_at} />
          {withheld && ` · ${t('Columns with personal data are left out')}`}
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
        <section aria-label={t('Failing rows')} tabIndex={0} className="max-h-96 overflow-auto rounded-lg border border-line">
          <table className="w-max min-w-full text-sm">
            <thead className="bg-sunken text-xs text-faint">
              <tr>
                {columns.map(({ resource_id, title, native_type }) => (
                  <th
                    key={resource_id}
                    scope="col"
                    title={native_type ?? undefined}
                    className="border-b border-line px-3 py-1.5 text-start font-medium"
                  >
                    {title}
                  </th>
                ))}
                {counts && (
                  <th scope="col" className="border-b border-line px-3 py-1.5 text-end font-medium">
                    {t('Rows')}
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {rows.map((cells, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: source rows have no ID
                <tr key={i} className="odd:bg-sunken/40">
                  {cells.map((cell, j) => (
                    <td
                      key={columns[j]!.resource_id}
                      dir="auto"
                      className={cx('max-w-80 truncate border-b border-line px-3 py-1', cell === null && 'text-faint italic')}
                    >
                      {String(cell)}
                    </td>
                  ))}
                  {counts && <td className="border-b border-line px-3 py-1 text-end tabular-nums">{formatCount(counts[i] ?? 0)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </div>
    </Section>
  )
}
