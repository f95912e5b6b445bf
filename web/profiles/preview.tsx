import { useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Copy, EyeOff, Rows3 } from 'lucide-react'
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
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { tablePreviewQuery } from './queries.ts'

interface PreviewSort {
  readonly column: number
  readonly descending: boolean
}

/** Ascending, then descending, then as read. */
const nextSort = (sort: PreviewSort | undefined, column: number): PreviewSort | undefined =>
  sort?.column !== column ? { column, descending: false } : sort.descending ? undefined : { column, descending: true }

type Cell = string | number | boolean | null

const compareCells = (a: Cell, b: Cell): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true })

/** Only the rows that were read are sorted; empty cells come last. */
const sortRows = <T extends readonly Cell[]>(rows: readonly T[], sort: PreviewSort | undefined): readonly T[] => {
  if (!sort) return rows
  const { column, descending } = sort
  const emptyLast = (a: Cell, b: Cell) => Number(a === null) - Number(b === null)
  return rows.toSorted((one, other) => {
    const [a, b] = [one[column] ?? null, other[column] ?? null]
    return emptyLast(a, b) || (descending ? compareCells(b, a) : compareCells(a, b))
  })
}

/** Tab-separated, as spreadsheets paste it. */
const copyRows = async (titles: readonly string[], rows: readonly (readonly Cell[])[]): Promise<void> => {
  const toLine = (cells: readonly Cell[]) => cells.map((cell) => String(cell ?? '').replaceAll(/[\t\r\n]+/g, ' ')).join('\t')
  try {
    await navigator.clipboard.writeText([titles, ...rows].map(toLine).join('\n')) // needs https or localhost
    showToast(t('{n:# row|# rows} copied', { n: rows.length }))
  } catch (error) {
    showErrorToast(t('Couldn’t copy.'), error)
  }
}

/** The first rows, read live from the source. */
export const PreviewTab = ({ view }: TabProps) => {
  const { id, current_user_permissions } = view.resource
  const [open, setOpen] = useState(false)
  const rows = useQuery(tablePreviewQuery(id, open))
  const [sort, setSort] = useState<PreviewSort>()
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
      {({ columns, rows: read, truncated, asked_at }) => {
        const list = sortRows(read, sort)
        return (
          <div className="grid gap-3">
            <div className="flex flex-wrap items-center gap-3 text-sm text-faint">
              <p className="flex-1">
                {truncated ? (
                  <Trans message="First {n:# row|# rows} · read {when}" n={list.length} when={<RelativeTime at={asked_at} />} />
                ) : (
                  <Trans message="{n:# row|# rows} · read {when}" n={list.length} when={<RelativeTime at={asked_at} />} />
                )}
              </p>
              <Button
                small
                icon={Copy}
                onClick={() =>
                  void copyRows(
                    columns.map(({ title }) => title),
                    list,
                  )
                }
              >
                {t('Copy rows')}
              </Button>
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
                        aria-sort={sort?.column === j ? (sort.descending ? 'descending' : 'ascending') : undefined}
                      >
                        <button
                          type="button"
                          className="inline-flex min-h-6 items-center gap-1 hover:text-ink"
                          onClick={() => setSort(nextSort(sort, j))}
                        >
                          {title}
                          {sort?.column === j &&
                            (sort.descending ? <ArrowDown aria-hidden size={12} /> : <ArrowUp aria-hidden size={12} />)}
                        </button>{' '}
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
        )
      }}
    </QueryView>
  )
}
