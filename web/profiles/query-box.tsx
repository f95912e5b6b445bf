import { useMutation } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { api, isApiError } from '../api/client.ts'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { SqlField } from '../lineage/sql/sql-field.tsx'
import { Button } from '../ui/button.tsx'
import { Switch } from '../ui/field.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { EmptyState } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { CopyRows } from './copy-rows.tsx'
import { type CellPosition, RowsTable } from './rows-table.tsx'

interface QueryBoxProps {
  readonly table: string
  /** The table as its source writes it. */
  readonly name: string
  readonly mayShowPii: boolean
}

/** Runs a SELECT of the user in the source of the table. */
export const QueryBox = ({ table, name, mayShowPii }: QueryBoxProps) => {
  const [sql, setSql] = useState(`select *\nfrom ${name}\nlimit 100`)
  const [show_pii, setShowPii] = useState(false)
  const run = useMutation({
    mutationFn: () => api.post<Schemas['DataQueryResult']>(`/resource/all/${table}/query`, { sql, show_pii }),
  })
  const wrong = isApiError(run.error) ? run.error.errors.sql : undefined
  const submit = () => sql.trim() !== '' && !run.isPending && run.mutate()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <SqlField label={t('Query')} text={sql} wrong={wrong} long={false} onChange={setSql} onSubmit={submit} />
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <Button look="primary" icon={Play} busy={run.isPending} disabled={sql.trim() === ''} onClick={submit}>
          {t('Run query')}
        </Button>
        <Kbd keys="mod+Enter" />
        {mayShowPii && (
          <label className="flex items-center gap-2 text-faint">
            <Switch label={t('Show personal data')} checked={show_pii} onChange={setShowPii} /> {t('Show personal data')}
          </label>
        )}
        <p className="basis-full text-xs text-faint">
          {t('One SELECT on synced tables of this source that you can see. At most 100 rows and 20 seconds. Queries are in the audit log.')}
        </p>
      </div>
      {run.error && !wrong && (
        <p role="alert" className="text-sm text-bad">
          {run.error.message}
        </p>
      )}
      {run.data && !run.error && <QueryResult key={run.data.asked_at} result={run.data} />}
    </div>
  )
}

const QueryResult = ({ result }: { result: Schemas['DataQueryResult'] }) => {
  const { rows, truncated, asked_at, masked } = result
  const [selected, setSelected] = useState<CellPosition>()
  const columns = result.columns.map(({ name, native_type }, i) => ({ key: `${i} ${name}`, title: name, native_type }))
  if (rows.length === 0) return <EmptyState title={t('The query returned no rows')} />
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 text-sm text-faint">
        <p className="flex-1">
          {truncated ? (
            <Trans message="First {n:# row|# rows} · read {when}" n={rows.length} when={<RelativeTime at={asked_at} />} />
          ) : (
            <Trans message="{n:# row|# rows} · read {when}" n={rows.length} when={<RelativeTime at={asked_at} />} />
          )}
          {masked.length > 0 && ` · ${t('Hidden: {columns}', { columns: masked.join(', ') })}`}
        </p>
        <CopyRows columns={columns} rows={rows} selected={selected} />
      </div>
      <RowsTable label={t('Result')} columns={columns} rows={rows} selected={selected} onSelect={setSelected} />
    </>
  )
}
