import { useQuery } from '@tanstack/react-query'
import { Bomb } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { isFailure } from '../api/client.ts'
import { columnsQuery } from '../resources/queries.ts'
import { Button } from '../ui/button.tsx'
import { Field, Input, Select } from '../ui/field.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { Empty, FailureView, Skeleton } from '../ui/states.tsx'
import { t } from '../words/words.ts'
import type { LineageAddress } from './address.ts'
import { ColumnsChoice } from './columns-choice.tsx'
import { DbtForm } from './dbt-form.tsx'
import { DialectChoice } from './dialect-choice.tsx'
import { USUAL_DIALECT } from './dialects.ts'
import { type WhatIf, whatIfQuery } from './queries.ts'
import { Segments } from './segments.tsx'
import { SqlBox, useAskedSql } from './sql-box.tsx'
import { WhatBreaks } from './what-breaks.tsx'

interface WhatIfProps {
  /** The resource that would change. */
  readonly id: string
  readonly kind: string
  readonly address: LineageAddress
  readonly change: (some: Partial<LineageAddress>, replace?: boolean) => void
  readonly head: ReactNode
}

type Kind = 'drop' | NonNullable<LineageAddress['change']>

/** Simulates a change and shows what it would break and who owns it. */
export const WhatIfView = ({ id, kind, address, change, head }: WhatIfProps) => {
  const table = kind === 'table'
  const how: Kind = table ? (address.change ?? 'drop') : 'gone'
  const scroller = useRef<HTMLDivElement>(null)
  const { sql, long, keep } = useAskedSql(address.sql)
  const [manifest, setManifest] = useState<File>()
  const ask = how === 'dbt' ? manifest : askOf(id, kind, how, { ...address, sql })
  const answer = useQuery(whatIfQuery(id, ask))
  const errors = isFailure(answer.error) ? answer.error.errors : {}
  const wrong = how === 'sql' ? errors.sql : how === 'dbt' ? errors.manifest : undefined
  return (
    <div ref={scroller} className="h-full overflow-auto">
      <div className="mx-auto grid max-w-[80rem] grid-cols-1 gap-3 px-4 py-3">
        {head}
        {table && (
          <div className="flex flex-wrap items-center gap-2">
            <span className="text-sm font-medium">{t('Simulate')}</span>
            <div className="max-w-full overflow-x-auto">
              <Segments<Kind>
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
            spoken={address.dialect ?? USUAL_DIALECT}
            long={long}
            wrong={wrong}
            busy={answer.isFetching}
            onAsk={(sql, dialect) => change({ sql: keep(sql), dialect: dialect === USUAL_DIALECT ? undefined : dialect }, true)}
          />
        ) : how === 'dbt' ? (
          <DbtForm file={manifest} wrong={wrong} busy={answer.isFetching} onAsk={setManifest} />
        ) : (
          how !== 'gone' && <ColumnForm key={`${id}${how}`} id={id} how={how} address={address} change={change} />
        )}
        {ask === undefined ? (
          how !== 'sql' &&
          how !== 'dbt' && (
            <Empty icon={Bomb} title={t('Simulate a change')}>
              {t('See what breaks, who owns it, and a ready-made PR comment.')}
            </Empty>
          )
        ) : answer.data ? (
          <WhatBreaks answer={answer.data} scroller={scroller} />
        ) : answer.error ? (
          !wrong && <FailureView error={answer.error} retry={() => void answer.refetch()} />
        ) : (
          <Skeleton lines={5} className="py-4" />
        )}
      </div>
    </div>
  )
}

const idsIn = (cols: string | undefined): readonly string[] => (cols ?? '').split(',').filter(Boolean)

const askOf = (id: string, kind: string, how: Kind, { cols, to, sql, dialect }: LineageAddress): WhatIf | undefined => {
  const [first, ...others] = idsIn(cols)
  if (how === 'gone') return kind === 'column' ? { dropped_columns: [id] } : { dropped_tables: [id] }
  if (how === 'sql') return sql ? { table_id: id, sql, dialect: dialect ?? USUAL_DIALECT } : undefined
  if (first === undefined) return undefined
  if (how === 'drop') return { table_id: id, dropped_columns: [first, ...others] }
  return to ? { table_id: id, renamed_columns: [{ column: first, to }] } : undefined
}

/** Columns to drop, or a column and its new name. */
const ColumnForm = ({ id, how, address, change }: Omit<WhatIfProps, 'kind' | 'head'> & { how: Kind }) => {
  const columns = useQuery(columnsQuery(id))
  const [to, setTo] = useState(address.to ?? '')
  const known = columns.data?.results ?? []
  const chosen = idsIn(address.cols)
  const [first = ''] = chosen
  if (columns.data && known.length === 0)
    return <Empty title={t('No known columns')}>{t('Simulate dropping the table or changing its query instead.')}</Empty>
  if (how === 'drop')
    return (
      <ColumnsChoice
        columns={known}
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
            {known.map(({ id, title }) => (
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
  spoken,
  long,
  wrong,
  busy,
  onAsk,
}: {
  first: string
  spoken: string
  long: boolean
  wrong?: readonly string[]
  busy: boolean
  onAsk: (sql: string, dialect: string) => void
}) => {
  const [sql, setSql] = useState(first)
  const [dialect, setDialect] = useState(spoken)
  const submit = () => sql.trim() !== '' && onAsk(sql, dialect)
  return (
    <div className="grid grid-cols-1 gap-2">
      <p className="text-sm text-soft">
        {t('Enter the new version of the query that fills this table. Columns it no longer returns count as dropped.')}
      </p>
      <SqlBox label={t('New query')} text={sql} wrong={wrong} long={long} onChange={setSql} onSubmit={submit} />
      <div className="flex flex-wrap items-center gap-2">
        <DialectChoice value={dialect} onChange={setDialect} />
        <Button look="primary" busy={busy} disabled={sql.trim() === ''} onClick={submit}>
          {t('Show impact')}
        </Button>
        <Kbd keys="mod+Enter" />
      </div>
    </div>
  )
}
