import { useQuery } from '@tanstack/react-query'
import { Bomb } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { isApiError } from '../../api/client.ts'
import { t } from '../../i18n/messages.ts'
import { columnsQuery } from '../../resources/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input, Select } from '../../ui/field.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Segments } from '../../ui/segments.tsx'
import { EmptyState, ErrorView, Skeleton } from '../../ui/states.tsx'
import { type WhatIfParams, whatIfQuery } from '../graph/queries.ts'
import type { LineageSearch } from '../graph/search-params.ts'
import { DialectSelect } from '../sql/dialect-select.tsx'
import { DEFAULT_DIALECT } from '../sql/dialects.ts'
import { SqlField, useSubmittedSql } from '../sql/sql-field.tsx'
import { ColumnsPicker } from './columns-picker.tsx'
import { DbtForm } from './dbt-form.tsx'
import { WhatIfImpact } from './what-if-impact.tsx'

interface WhatIfProps {
  /** The resource that would change. */
  readonly id: string
  readonly kind: string
  readonly address: LineageSearch
  readonly change: (some: Partial<LineageSearch>, replace?: boolean) => void
  readonly head: ReactNode
}

type ChangeType = 'drop' | NonNullable<LineageSearch['change']>

/** Simulates a change and shows what it would break and who owns it. */
export const WhatIfView = ({ id, kind, address, change, head }: WhatIfProps) => {
  const table = kind === 'table'
  const how: ChangeType = table ? (address.change ?? 'drop') : 'gone'
  const scroller = useRef<HTMLDivElement>(null)
  const { sql, long, keep } = useSubmittedSql(address.sql)
  const [manifest, setManifest] = useState<File>()
  const params = how === 'dbt' ? manifest : toWhatIfParams(id, kind, how, { ...address, sql })
  const result = useQuery(whatIfQuery(id, params))
  const errors = isApiError(result.error) ? result.error.errors : {}
  const wrong = how === 'sql' ? errors.sql : how === 'dbt' ? errors.manifest : undefined
  return (
    <div ref={scroller} className="h-full overflow-auto">
      <div className="mx-auto grid max-w-[80rem] grid-cols-1 gap-3 px-4 py-3">
        {head}
        {table && (
          <div className="flex flex-wrap items-center gap-2">
            <span className="text-sm font-medium">{t('Simulate')}</span>
            <div className="max-w-full overflow-x-auto">
              <Segments<ChangeType>
                label={t('Change to simulate')}
                of={[
                  ['drop', t('Drop columns')],
                  ['rename', t('Rename column')],
                  ['sql', t('Change query')],
                  ['gone', t('Drop table')],
                  ['dbt', t('Change dbt project')],
                ]}
                chosen={how}
                onChoose={(next) => change({ change: next === 'drop' ? undefined : next }, true)}
              />
            </div>
          </div>
        )}
        {how === 'sql' ? (
          <QueryForm
            key={id}
            first={sql ?? ''}
            defaultDialect={address.dialect ?? DEFAULT_DIALECT}
            long={long}
            wrong={wrong}
            busy={result.isFetching}
            onSimulate={(sql, dialect) => change({ sql: keep(sql), dialect: dialect === DEFAULT_DIALECT ? undefined : dialect }, true)}
          />
        ) : how === 'dbt' ? (
          <DbtForm file={manifest} wrong={wrong} busy={result.isFetching} onSubmit={setManifest} />
        ) : (
          how !== 'gone' && <ColumnForm key={`${id}${how}`} id={id} how={how} address={address} change={change} />
        )}
        {params === undefined ? (
          how !== 'sql' &&
          how !== 'dbt' && (
            <EmptyState icon={Bomb} title={t('Simulate a change')}>
              {t('See what breaks, who owns it, and a ready-made PR comment.')}
            </EmptyState>
          )
        ) : result.data ? (
          <WhatIfImpact result={result.data} scroller={scroller} />
        ) : result.error ? (
          !wrong && <ErrorView error={result.error} retry={() => void result.refetch()} />
        ) : (
          <Skeleton lines={5} className="py-4" />
        )}
      </div>
    </div>
  )
}

const parseIds = (cols: string | undefined): readonly string[] => (cols ?? '').split(',').filter(Boolean)

const toWhatIfParams = (id: string, kind: string, how: ChangeType, { cols, to, sql, dialect }: LineageSearch): WhatIfParams | undefined => {
  const [first, ...others] = parseIds(cols)
  if (how === 'gone') return kind === 'column' ? { dropped_columns: [id] } : { dropped_tables: [id] }
  if (how === 'sql') return sql ? { table_id: id, sql, dialect: dialect ?? DEFAULT_DIALECT } : undefined
  if (first === undefined) return undefined
  if (how === 'drop') return { table_id: id, dropped_columns: [first, ...others] }
  return to ? { table_id: id, renamed_columns: [{ column: first, to }] } : undefined
}

/** Columns to drop, or a column and its new name. */
const ColumnForm = ({ id, how, address, change }: Omit<WhatIfProps, 'kind' | 'head'> & { how: ChangeType }) => {
  const columns = useQuery(columnsQuery(id))
  const [to, setTo] = useState(address.to ?? '')
  const columnList = columns.data?.results ?? []
  const chosen = parseIds(address.cols)
  const [first = ''] = chosen
  if (columns.data && columnList.length === 0)
    return <EmptyState title={t('No known columns')}>{t('Simulate dropping the table or changing its query instead.')}</EmptyState>
  if (how === 'drop')
    return (
      <ColumnsPicker
        columns={columnList}
        chosen={chosen}
        onChange={(ids) => change({ cols: ids.join(',') || undefined }, true)}
        loading={!columns.data}
      />
    )
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        change({ cols: first, to: to.trim() || undefined }, true)
      }}
    >
      <Field label={t('Column')} className="w-64 max-w-full">
        {(props) => (
          <Select {...props} value={first} onChange={({ currentTarget: { value } }) => change({ cols: value || undefined }, true)}>
            <option value="">{t('Choose column')}</option>
            {columnList.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t('New name')} className="w-64 max-w-full">
        {(props) => (
          <Input {...props} required maxLength={1000} value={to} onChange={({ currentTarget: { value } }) => setTo(value)} dir="auto" />
        )}
      </Field>
      <Button type="submit" look="primary" disabled={first === '' || to.trim() === ''}>
        {t('Show impact')}
      </Button>
    </form>
  )
}

const QueryForm = ({
  first,
  defaultDialect,
  long,
  wrong,
  busy,
  onSimulate,
}: {
  first: string
  defaultDialect: string
  long: boolean
  wrong?: readonly string[]
  busy: boolean
  onSimulate: (sql: string, dialect: string) => void
}) => {
  const [sql, setSql] = useState(first)
  const [dialect, setDialect] = useState(defaultDialect)
  const submit = () => sql.trim() !== '' && onSimulate(sql, dialect)
  return (
    <div className="grid grid-cols-1 gap-2">
      <p className="text-sm text-soft">
        {t('Enter the new version of the query that fills this table. Columns it no longer returns count as dropped.')}
      </p>
      <SqlField label={t('New query')} text={sql} wrong={wrong} long={long} onChange={setSql} onSubmit={submit} />
      <div className="flex flex-wrap items-center gap-2">
        <DialectSelect value={dialect} onChange={setDialect} />
        <Button look="primary" busy={busy} disabled={sql.trim() === ''} onClick={submit}>
          {t('Show impact')}
        </Button>
        <Kbd keys="mod+Enter" />
      </div>
    </div>
  )
}
