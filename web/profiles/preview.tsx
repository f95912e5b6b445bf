import { useQuery } from '@tanstack/react-query'
import { ArrowDownNarrowWide, Rows3 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Preview } from '../../src/observability/profiles/schema.ts'
import { isApiError } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import type { TabProps } from '../resources/tabs.ts'
import { Button } from '../ui/button.tsx'
import { Switch } from '../ui/field.tsx'
import { Segments } from '../ui/segments.tsx'
import { EmptyState, QueryView, Skeleton } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { CopyRows } from './copy-rows.tsx'
import { PreviewFilterForm } from './preview-filter.tsx'
import { type PreviewRequest, tablePreviewQuery } from './queries.ts'
import { type CellPosition, type RowsSort, RowsTable } from './rows-table.tsx'

const QueryBox = lazy(async () => ({ default: (await import('./query-box.tsx')).QueryBox }))

/** Ascending, then descending, then as read. */
const nextSort = (sort: RowsSort | undefined, column: string): RowsSort | undefined =>
  sort?.column !== column ? { column, descending: false } : sort.descending ? undefined : { column, descending: true }

/** Rows of the source, read live: the first, sorted, filtered, or those of a query. */
export const PreviewTab = ({ view }: TabProps) => {
  const { id, current_user_permissions } = view.resource
  const [request, setRequest] = useState<PreviewRequest>({ show_pii: false })
  const [querying, setQuerying] = useState(false)
  const queries = useCan('data.query')
  const rows = useQuery(tablePreviewQuery(id, request))
  // The rows stay while others are read, and if a filter is wrong, so that it can be changed.
  const [last, setLast] = useState<Preview>()
  if (rows.data && rows.data !== last) setLast(rows.data)
  const preview = rows.data ?? last
  const errors = isApiError(rows.error) ? rows.error.errors : {}
  const wrong = errors.filter_value ?? errors.filter_by ?? errors.sort_by
  const change = (some: Partial<PreviewRequest>) => setRequest({ ...request, ...some })
  const changed = request.sort !== undefined || request.filter !== undefined
  if (isApiError(rows.error) && rows.error.status === 409 && !(preview && changed))
    return (
      <EmptyState
        icon={Rows3}
        title={t('No preview available')}
        action={<Button onClick={() => void rows.refetch()}>{t('Try again')}</Button>}
      >
        {rows.error.message}
      </EmptyState>
    )
  if (!preview) return <QueryView of={rows}>{() => null}</QueryView>
  const mayShowPii = current_user_permissions.write && hasPii(preview)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {queries && (
        <div className="flex">
          <Segments
            label={t('Preview')}
            of={[
              ['rows', t('Rows')],
              ['query', t('Query')],
            ]}
            chosen={querying ? 'query' : 'rows'}
            onChoose={(shown) => setQuerying(shown === 'query')}
          />
        </div>
      )}
      {querying ? (
        <Suspense fallback={<Skeleton lines={6} />}>
          <QueryBox table={id} name={preview.table_name} mayShowPii={mayShowPii} />
        </Suspense>
      ) : (
        <PreviewRows
          preview={preview}
          request={request}
          mayShowPii={mayShowPii}
          busy={rows.isFetching}
          wrong={wrong ?? (rows.error && changed ? [rows.error.message] : undefined)}
          onChange={change}
        />
      )}
    </div>
  )
}

const hasPii = ({ columns }: Preview): boolean => columns.some(({ pii }) => pii)

interface PreviewRowsProps {
  readonly preview: Preview
  readonly request: PreviewRequest
  readonly mayShowPii: boolean
  readonly busy: boolean
  readonly wrong: readonly string[] | undefined
  readonly onChange: (some: Partial<PreviewRequest>) => void
}

const PreviewRows = ({ preview, request, mayShowPii, busy, wrong, onChange }: PreviewRowsProps) => {
  const { rows, truncated, asked_at, newest_by } = preview
  const [selected, setSelected] = useState<CellPosition>()
  const columns = preview.columns.map(({ resource_id, ...column }) => ({ ...column, key: resource_id }))
  const readable = columns.filter(({ masked }) => !masked)
  const newest = newest_by !== null && request.sort?.column === newest_by && request.sort.descending
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 text-sm text-faint">
        <p className="flex-1 whitespace-nowrap" aria-busy={busy}>
          {truncated ? (
            <Trans message="First {n:# row|# rows} · read {when}" n={rows.length} when={<RelativeTime at={asked_at} />} />
          ) : (
            <Trans message="{n:# row|# rows} · read {when}" n={rows.length} when={<RelativeTime at={asked_at} />} />
          )}
        </p>
        {newest_by !== null && (
          <Button
            small
            icon={ArrowDownNarrowWide}
            look={newest ? 'plain' : 'quiet'}
            aria-pressed={newest}
            onClick={() => onChange({ sort: newest ? undefined : { column: newest_by, descending: true } })}
          >
            {t('Newest first')}
          </Button>
        )}
        <CopyRows columns={columns} rows={rows} selected={selected} />
        {mayShowPii && (
          <label className="flex items-center gap-2">
            <Switch
              label={t('Show personal data')}
              checked={request.show_pii}
              onChange={(show_pii) => onChange({ show_pii, sort: undefined, filter: undefined })}
            />{' '}
            {t('Show personal data')}
          </label>
        )}
      </div>
      {readable.length > 0 && (
        <PreviewFilterForm
          key={String(request.show_pii)}
          columns={readable}
          filter={request.filter}
          wrong={wrong}
          onChange={(filter) => onChange({ filter })}
        />
      )}
      {rows.length === 0 ? (
        <EmptyState icon={Rows3} title={request.filter ? t('No rows match the filter') : t('This table has no rows')} />
      ) : (
        <RowsTable
          label={t('First rows')}
          columns={columns}
          rows={rows}
          selected={selected}
          onSelect={setSelected}
          sort={request.sort}
          onSort={(column) => onChange({ sort: nextSort(request.sort, column) })}
        />
      )}
    </>
  )
}
