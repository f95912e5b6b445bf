import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { FileCode2 } from 'lucide-react'
import { useState } from 'react'
import { isApiError } from '../../api/client.ts'
import { useBootstrap, useCan } from '../../api/session.ts'
import { t } from '../../i18n/messages.ts'
import { Trans } from '../../i18n/trans.tsx'
import { integrationsQuery } from '../../integrations/queries.ts'
import { TablePicker } from '../../monitors/form/table-picker.tsx'
import { resourceQuery } from '../../resources/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EntityTypeIcon } from '../../ui/entity-type.tsx'
import { Select } from '../../ui/field.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Page } from '../../ui/page.tsx'
import { EmptyState, ErrorView, Skeleton } from '../../ui/states.tsx'
import { TrustBadges } from '../../ui/trust-badges.tsx'
import { sqlLineageQuery } from '../graph/queries.ts'
import type { SqlSearch } from '../graph/search-params.ts'
import { DialectSelect } from './dialect-select.tsx'
import { DEFAULT_DIALECT, getDialect } from './dialects.ts'
import { SaveLineage } from './save-lineage.tsx'
import { SqlField, useSubmittedSql } from './sql-field.tsx'
import { SqlResult } from './sql-result.tsx'

const MAX_IN_BOOTSTRAP = 1000

/** Integrations from the bootstrap response, or all of them when that response may be truncated. */
const useIntegrations = () => {
  const { integrations } = useBootstrap()
  const { data } = useQuery({ ...integrationsQuery, enabled: integrations.length >= MAX_IN_BOOTSTRAP })
  return data?.results ?? integrations
}

const route = getRouteApi('/lineage/sql')

/** Lineage from pasted SQL: preview of its tables and columns, then save. */
export const LineageFromSql = () => {
  const address = route.useSearch()
  const navigate = useNavigate({ from: '/lineage/sql' })
  const change = (some: SqlSearch) => void navigate({ search: (before) => ({ ...before, ...some }), replace: true })
  const integrations = useIntegrations()
  const writes = useCan('catalog.write')
  const [text, setText] = useState(address.sql ?? '')
  const dialect = address.dialect ?? DEFAULT_DIALECT
  const { sql, long, keep: toUrlValue } = useSubmittedSql(address.sql)
  const params = sql ? { sql, dialect, integration_id: address.integration, table_id: address.table } : undefined
  const lineage = useQuery(sqlLineageQuery(params))
  const wrong = isApiError(lineage.error) ? lineage.error.errors.sql : undefined
  const preview = () => text.trim() !== '' && change({ sql: toUrlValue(text) })
  return (
    <Page title={t('Lineage from SQL')} about={t('Preview the tables and columns a query reads and writes, then save the lineage.')}>
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
        <div className="grid grid-cols-1 gap-2">
          <SqlField label={t('SQL')} text={text} focus wrong={wrong} long={long} onChange={setText} onSubmit={preview} />
          <div className="flex flex-wrap items-center gap-2">
            {integrations.length > 0 && (
              <Select
                fit
                aria-label={t('Source')}
                className="max-w-56 text-sm"
                value={address.integration ?? ''}
                onChange={({ currentTarget: { value } }) => {
                  const dialect = getDialect(integrations.find(({ id }) => id === value)?.type)
                  change({
                    integration: value || undefined,
                    ...(dialect && { dialect: dialect === DEFAULT_DIALECT ? undefined : dialect }),
                  })
                }}
              >
                <option value="">{t('Any source')}</option>
                {integrations.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
            <DialectSelect value={dialect} onChange={(next) => change({ dialect: next === DEFAULT_DIALECT ? undefined : next })} />
            <Button look="primary" busy={lineage.isFetching} disabled={text.trim() === ''} onClick={preview}>
              {t('Preview')}
            </Button>
            <Kbd keys="mod+Enter" />
          </div>
          <TargetTable id={address.table} onChange={(table) => change({ table })} />
        </div>
        <div className="min-w-0">
          {params === undefined ? (
            <EmptyState icon={FileCode2} title={t('Paste a query')}>
              {t('INSERT, CREATE TABLE AS, MERGE, CREATE VIEW or a whole script. A plain SELECT also needs a target table.')}
            </EmptyState>
          ) : lineage.data ? (
            <SqlResult lineage={lineage.data}>
              {writes &&
                (text === sql ? (
                  <SaveLineage params={params} lineage={lineage.data} />
                ) : (
                  <p className="text-sm text-faint">{t('The query changed. Preview it again before saving.')}</p>
                ))}
            </SqlResult>
          ) : lineage.error ? (
            !wrong && <ErrorView error={lineage.error} retry={() => void lineage.refetch()} />
          ) : (
            <Skeleton lines={6} className="py-4" />
          )}
        </div>
      </div>
    </Page>
  )
}

/** Target table for queries that do not name one. */
const TargetTable = ({ id, onChange }: { id?: string; onChange: (id: string | undefined) => void }) => {
  const [choosing, setChoosing] = useState(false)
  const { data } = useQuery({ ...resourceQuery(id ?? ''), enabled: id !== undefined })
  const target = id ? (
    <span className="inline-flex min-w-0 items-center gap-1.5 font-medium text-ink">
      <EntityTypeIcon type="table" size={15} />
      <span className="truncate" dir="auto">
        {data?.resource.title_full ?? '…'}
      </span>
      <TrustBadges id={id} size={13} />
    </span>
  ) : (
    <span className="font-medium text-ink">{t('taken from the query')}</span>
  )
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2 text-sm">
      <span className="inline-flex min-w-0 flex-wrap items-center gap-2 text-soft">
        <Trans message="Target table: {table}" table={target} />
      </span>
      {id ? (
        <Button small look="quiet" onClick={() => onChange(undefined)}>
          {t('Use target from query')}
        </Button>
      ) : (
        <Button small look="quiet" onClick={() => setChoosing(true)}>
          {t('Choose table')}
        </Button>
      )}
      {choosing && (
        <Dialog title={t('Target table')} onClose={() => setChoosing(false)}>
          <TablePicker
            onChoose={(table) => {
              setChoosing(false)
              onChange(table)
            }}
          />
        </Dialog>
      )}
    </div>
  )
}
