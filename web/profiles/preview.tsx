import { useQuery } from '@tanstack/react-query'
import { EyeOff, Rows3 } from 'lucide-react'
import { useState } from 'react'
import { isApiError } from '../api/client.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import type { TabProps } from '../resources/tabs.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Switch } from '../ui/field.tsx'
import { EmptyState, QueryView } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { tablePreviewQuery } from './queries.ts'

/** The first rows, read live from the source. */
export const PreviewTab = ({ view }: TabProps) => {
  const { id, current_user_permissions } = view.resource
  const [open, setOpen] = useState(false)
  const rows = useQuery(tablePreviewQuery(id, open))
  if (isApiError(rows.error) && rows.error.status === 409)
    return (
      <EmptyState
        icon={Rows3}
        title={t('No preview available')}
        action={<Button onClick={() => void rows.refetch()}>{t('Try again')}</Button>}
      >
        {rows.error.message}
      </EmptyState>
    )
  return (
    <QueryView of={rows}>
      {({ columns, rows: list, truncated, asked_at }) => (
        <div className="grid gap-3">
          <div className="flex flex-wrap items-center gap-3 text-sm text-faint">
            <p className="flex-1">
              {truncated ? (
                <Trans message="First {n:# row|# rows} · read {when}" n={list.length} when={<RelativeTime at={asked_at} />} />
              ) : (
                <Trans message="{n:# row|# rows} · read {when}" n={list.length} when={<RelativeTime at={asked_at} />} />
              )}
            </p>
            {current_user_permissions.write && columns.some(({ pii }) => pii) && (
              <span className="flex items-center gap-2">
                <Switch label={t('Show personal data')} checked={open} onChange={setOpen} /> {t('Show personal data')}
              </span>
            )}
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
          <section aria-label={t('First rows')} tabIndex={0} className="max-h-[65dvh] overflow-auto rounded-lg border border-line">
            <table className="w-max min-w-full text-sm">
              <thead className="sticky top-0 bg-sunken text-start text-xs text-faint">
                <tr>
                  {columns.map(({ resource_id, title, native_type, pii, masked }, j) => (
                    <th
                      key={resource_id}
                      scope="col"
                      className={cx(
                        'border-b border-line px-3 py-1.5 font-medium whitespace-nowrap',
                        list.some((cells) => typeof cells[j] === 'number') ? 'text-end' : 'text-start',
                      )}
                      title={native_type ?? undefined}
                    >
                      {title}{' '}
                      {masked && (
                        <EyeOff
                          role="img"
                          aria-label={pii ? t('Hidden: personal data') : t('Hidden: possible personal data')}
                          size={12}
                          className="inline text-warn"
                        />
                      )}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {list.map((cells, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: source rows have no ID
                  <tr key={i} className="odd:bg-sunken/40">
                    {cells.map((cell, j) => (
                      <td
                        key={columns[j]?.resource_id}
                        dir="auto"
                        className={cx(
                          'max-w-80 truncate border-b border-line px-3 py-1',
                          typeof cell === 'number' && 'text-end tabular-nums',
                          cell === null && 'text-faint italic',
                        )}
                        title={cell === null ? undefined : String(cell)}
                      >
                        {String(cell)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </div>
      )}
    </QueryView>
  )
}
