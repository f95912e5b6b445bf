import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, isApiError } from '../../api/client.ts'
import { useBootstrap, useCan } from '../../api/session.ts'
import type { Column } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'
import { columnsQuery, resourceQuery } from '../../resources/queries.ts'
import { Button } from '../../ui/button.tsx'
import { EntityTypeIcon } from '../../ui/entity-type.tsx'
import { Field, Input, Select, TextArea } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { NoAccess, QueryView } from '../../ui/states.tsx'
import { showToast } from '../../ui/toast.tsx'
import { TrustBadges } from '../../ui/trust-badges.tsx'
import { listMetrics, type Metric } from '../metrics.ts'
import type { Monitor, MonitorCreate } from '../queries.ts'
import type { NewMonitorSearch } from '../search-params.ts'
import { SeveritySelect, USUAL_SEVERITY } from '../severity.tsx'
import { invalidateMonitors } from '../use-edit.ts'
import { CheckFields, isCheck, isCheckComplete, toCheckConfig, toCheckDraft } from './check-fields.tsx'
import { type ConditionDraft, ConditionFields, DEFAULT_CONDITION, isComplete, NONE_ALLOWED, toSettings } from './condition.tsx'
import { MetricPicker } from './metric-picker.tsx'
import { Preview } from './preview.tsx'
import { DEFAULT_SCHEDULE, ScheduleFields } from './schedule.tsx'
import { TablePicker } from './table-picker.tsx'

const route = getRouteApi('/monitors/new')

/** Creates a monitor: table, optional column, metric and condition, with a live preview. */
export const NewMonitor = () => {
  const address = route.useSearch()
  const navigate = useNavigate({ from: '/monitors/new' })
  const choose = (now: NewMonitorSearch) => void navigate({ search: now, replace: true })
  if (!useCan('monitors.write'))
    return (
      <Page title={t('New monitor')}>
        <NoAccess />
      </Page>
    )
  return (
    <Page
      title={t('New monitor')}
      about={address.table ? t('Pick a metric. The preview updates as you go.') : t('Choose the table to monitor.')}
    >
      {address.table ? (
        <MonitorOfTable key={address.table} table={address.table} address={address} onChoose={choose} />
      ) : (
        <div className="max-w-2xl">
          <TablePicker onChoose={(table) => choose({ table })} />
        </div>
      )}
    </Page>
  )
}

interface MonitorOfTableProps {
  readonly table: string
  readonly address: NewMonitorSearch
  readonly onChoose: (address: NewMonitorSearch) => void
}

const MonitorOfTable = ({ table, address, onChoose }: MonitorOfTableProps) => {
  const view = useQuery(resourceQuery(table))
  const columns = useQuery(columnsQuery(table))
  const column = columns.data?.results.find(({ id }) => id === address.column)
  const metrics = listMetrics(address.column ? 'column' : 'table', column?.native_type)
  const metric = metrics.find(({ id }) => id === address.metric) ?? metrics[0]!
  return (
    <QueryView of={view}>
      {({ resource }) => (
        <div className="grid grid-cols-1 gap-4">
          <p className="flex min-w-0 items-center gap-2 rounded-lg border border-line px-3 py-2 lg:w-[calc(50%-1rem)]">
            <EntityTypeIcon type={resource.entity_type} />
            <span className="min-w-0 font-medium wrap-anywhere" dir="auto">
              {resource.title_full}
            </span>
            <TrustBadges id={resource.id} size={13} />
            <Button small look="quiet" className="ms-auto" onClick={() => onChoose({})}>
              {t('Change table')}
            </Button>
          </p>
          <MonitorForm
            target={address.column ?? table}
            metric={metric}
            metrics={metrics}
            columns={columns.data?.results ?? []}
            column={address.column}
            onColumn={(id) => onChoose({ table, column: id })}
            onMetric={(id) => onChoose({ table, column: address.column, metric: id })}
          />
        </div>
      )}
    </QueryView>
  )
}

interface MonitorFormProps {
  readonly target: string
  readonly metric: Metric
  readonly metrics: readonly Metric[]
  readonly columns: readonly Column[]
  readonly column: string | undefined
  readonly onColumn: (id: string | undefined) => void
  readonly onMetric: (id: string) => void
}

/** Config fields of each metric; values typed for another metric stay in the form but are not sent. */
const listConfigFields = ({ id, dated }: Metric): readonly ('where' | 'query_select' | 'timestamp_column')[] =>
  id === 'custom_sql' ? ['query_select'] : id === 'schema' ? [] : dated ? ['where', 'timestamp_column'] : ['where']

const EXAMPLE = "status = 'paid'" // SQL is not translated

const MonitorForm = ({ target, metric, metrics, columns, column, onColumn, onMetric }: MonitorFormProps) => {
  const navigate = useNavigate()
  const { settings } = useBootstrap()
  const [chosenCondition, setCondition] = useState<ConditionDraft>()
  const condition = chosenCondition ?? (isCheck(metric.id) ? NONE_ALLOWED : DEFAULT_CONDITION)
  const [schedule, setSchedule] = useState(DEFAULT_SCHEDULE)
  const [config, setConfig] = useState({ where: '', query_select: '', timestamp_column: '' })
  const [check, setCheck] = useState(toCheckDraft({}))
  const [name, setName] = useState('')
  const [severity, setSeverity] = useState(USUAL_SEVERITY)
  const [channel, setChannel] = useState('')
  const pushed = metric.id === 'pushed'
  const measured: MonitorCreate = {
    target,
    metric_type: metric.id,
    schedule,
    metric_config: {
      ...Object.fromEntries(listConfigFields(metric).flatMap((field) => (config[field].trim() ? [[field, config[field].trim()]] : []))),
      ...toCheckConfig(metric.id, check),
    },
  }
  const create = useMutation({
    mutationFn: () =>
      api.post<Monitor>('/monitor/monitors', {
        ...measured,
        ...toSettings(condition),
        severity,
        ...(name.trim() && { name: name.trim() }),
        ...(channel.trim() && { notify_slack_channel: channel.trim() }),
      }),
    onSuccess: async ({ id }) => {
      await navigate({ to: '/monitors/$id', params: { id } })
      invalidateMonitors()
      showToast(t('Monitor created'))
    },
  })
  const errors = isApiError(create.error) ? create.error.errors : {}
  const ready =
    isComplete(condition) && (metric.id !== 'custom_sql' || config.query_select.trim() !== '') && isCheckComplete(metric.id, check)
  return (
    <form
      className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
      onSubmit={(event) => {
        event.preventDefault()
        if (ready) create.mutate()
      }}
    >
      <div className="grid min-w-0 grid-cols-1 content-start gap-5">
        <Field label={t('Target')} error={errors.target}>
          {(props) => (
            <Select {...props} value={column ?? ''} onChange={({ target }) => onColumn(target.value || undefined)}>
              <option value="">{t('Entire table')}</option>
              <optgroup label={t('Column')}>
                {columns.map(({ id, title, native_type }) => (
                  <option key={id} value={id}>
                    {title}
                    {native_type && ` (${native_type})`}
                  </option>
                ))}
              </optgroup>
            </Select>
          )}
        </Field>
        <MetricPicker metrics={metrics} chosen={metric} onChoose={onMetric} />
        {errors.metric_type && <p className="text-xs text-bad first-letter:uppercase">{errors.metric_type.join(' ')}</p>}
        {metric.id === 'custom_sql' && (
          <Field label={t('SQL')} hint={t('A SELECT that returns one row with one number.')} error={errors['metric_config.query_select']}>
            {(props) => (
              <TextArea
                {...props}
                rows={5}
                spellCheck={false}
                className="font-mono text-xs"
                value={config.query_select}
                onChange={({ target }) => setConfig({ ...config, query_select: target.value })}
              />
            )}
          </Field>
        )}
        {metric.dated && (
          <Field
            label={metric.id === 'freshness' ? t('Timestamp column') : t('Partition date column')}
            error={errors['metric_config.timestamp_column']}
          >
            {(props) => (
              <Select
                {...props}
                value={config.timestamp_column}
                onChange={({ target }) => setConfig({ ...config, timestamp_column: target.value })}
              >
                <option value="">{t('Detect automatically')}</option>
                {columns.map(({ id, title }) => (
                  <option key={id}>{title}</option>
                ))}
              </Select>
            )}
          </Field>
        )}
        {isCheck(metric.id) && (
          <CheckFields metric={metric.id} value={check} onChange={setCheck} columns={columns.map(({ title }) => title)} errors={errors} />
        )}
        {!pushed && metric.id !== 'custom_sql' && metric.id !== 'schema' && (
          <Field label={t('Filter (WHERE)')} hint={t('Optional SQL condition')} error={errors['metric_config.where']}>
            {(props) => (
              <Input
                {...props}
                className="font-mono text-xs"
                placeholder={EXAMPLE}
                value={config.where}
                onChange={({ target }) => setConfig({ ...config, where: target.value })}
              />
            )}
          </Field>
        )}
        {!pushed && <ScheduleFields value={schedule} onChange={setSchedule} />}
        <ConditionFields value={condition} onChange={setCondition} unit={metric.unit} />
        <Field label={t('Name')} hint={t('Leave blank to name it automatically.')} error={errors.name}>
          {(props) => <Input {...props} value={name} maxLength={500} onChange={({ target }) => setName(target.value)} />}
        </Field>
        <Field label={t('Severity')} hint={t('How serious its incidents are.')} error={errors.severity}>
          {(props) => <SeveritySelect {...props} value={severity} onChange={setSeverity} />}
        </Field>
        {settings.slack && (
          <Field label={t('Slack channel')} hint={t('Optional. Receives this monitor’s alerts.')} error={errors.notify_slack_channel}>
            {(props) => <Input {...props} value={channel} maxLength={200} onChange={({ target }) => setChannel(target.value)} />}
          </Field>
        )}
        {create.error && Object.keys(errors).length === 0 && (
          <p role="alert" className="text-sm text-bad">
            {create.error.message}
          </p>
        )}
        <Button type="submit" look="primary" className="justify-self-start" busy={create.isPending} disabled={!ready}>
          {t('Create monitor')}
        </Button>
      </div>
      <Preview draft={measured} condition={condition} unit={metric.unit} pushed={pushed} ready={ready} />
    </form>
  )
}
