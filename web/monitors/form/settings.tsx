import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useBootstrap, useCan } from '../../api/session.ts'
import { useThrottled } from '../../api/use-throttled.ts'
import { t } from '../../i18n/messages.ts'
import { columnsQuery } from '../../resources/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Editable } from '../../ui/editable.tsx'
import { Switch } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import { formatLimitRule, formatSchedule, getMetric } from '../metrics.ts'
import { type Monitor, replayQuery } from '../queries.ts'
import { formatSeverity, SeveritySelect } from '../severity.tsx'
import type { MonitorEditing } from '../use-edit.ts'
import { CHECK_LABELS, CheckFields, formatCheck, isCheck, isCheckComplete, toCheckConfig, toCheckDraft } from './check-fields.tsx'
import { type ConditionDraft, ConditionFields, isComplete, ReplaySummary, toConditionDraft, toSettings } from './condition.tsx'
import { Recipients } from './recipients.tsx'
import { ScheduleFields } from './schedule.tsx'

/** Settings of a monitor, edited in place. */
export const MonitorSettings = ({ monitor, writes, save }: { monitor: Monitor; writes: boolean; save: MonitorEditing['save'] }) => {
  // Edits are based on the monitor as it was when editing started, even if an update arrives meanwhile.
  const base = useRef(monitor)
  const onBegin = () => {
    base.current = monitor
  }
  const { settings } = useBootstrap()
  const seesConfig = useCan('monitors.config') // others get an empty one
  const columns = useQuery({ ...columnsQuery(monitor.target), enabled: writes && monitor.metric_type === 'duplicates' })
  const { metric_type, metric_config, is_enabled, severity, notify_slack_channel, key } = monitor
  const config = (field: 'query_select' | 'where' | 'timestamp_column') => (value: string) =>
    save({ metric_config: { [field]: value || null } }, base.current)
  return (
    <Section title={t('Settings')}>
      <dl className="grid gap-3 text-sm">
        <SettingRow name={t('Running')}>
          {writes ? (
            <Switch label={t('Running')} checked={is_enabled} onChange={(on) => save({ is_enabled: on })} />
          ) : is_enabled ? (
            t('Yes')
          ) : (
            t('Paused')
          )}
        </SettingRow>
        <SettingRow name={t('Metric')}>{getMetric(metric_type).label}</SettingRow>
        {metric_type !== 'pushed' && (
          <DraftRow
            name={t('Schedule')}
            change={t('Edit schedule')}
            monitor={monitor}
            writes={writes}
            text={formatSchedule(monitor.schedule)}
            begin={() => monitor.schedule}
            fields={(draft, onChange) => <ScheduleFields value={draft} onChange={onChange} />}
            save={(schedule, base) => save({ schedule }, base)}
          />
        )}
        <DraftRow
          name={t('Expected range')}
          change={t('Edit expected range')}
          monitor={monitor}
          writes={writes}
          text={formatLimitRule(monitor)}
          begin={() => toConditionDraft(monitor)}
          fields={(draft, onChange) => (
            <>
              <ConditionFields value={draft} onChange={onChange} unit={getMetric(metric_type).unit} />
              <ReplayPreview monitor={monitor} condition={draft} />
            </>
          )}
          isComplete={isComplete}
          save={(condition, base) => save(toSettings(condition), base)}
        />
        {seesConfig && isCheck(metric_type) && (
          <DraftRow
            name={CHECK_LABELS[metric_type] ?? ''}
            change={t('Edit check')}
            monitor={monitor}
            writes={writes}
            text={<span className="font-mono text-xs">{formatCheck(metric_type, metric_config)}</span>}
            begin={() => toCheckDraft(metric_config)}
            fields={(draft, onChange) => (
              <CheckFields
                metric={metric_type}
                value={draft}
                onChange={onChange}
                columns={columns.data?.results.map(({ title }) => title) ?? []}
              />
            )}
            isComplete={(draft) => isCheckComplete(metric_type, draft)}
            save={(draft, base) => save({ metric_config: toCheckConfig(metric_type, draft) }, base)}
          />
        )}
        {seesConfig && metric_type === 'custom_sql' && (
          <SettingRow name={t('SQL')}>
            <Editable
              label={t('SQL')}
              multiline
              className="font-mono text-xs"
              editable={writes}
              onBegin={onBegin}
              value={metric_config.query_select ?? ''}
              onSave={config('query_select')}
            />
          </SettingRow>
        )}
        {seesConfig && !['custom_sql', 'pushed', 'schema'].includes(metric_type) && (
          <SettingRow name={t('Filter (WHERE)')}>
            <Editable
              label={t('filter condition')}
              className="font-mono text-xs"
              editable={writes}
              onBegin={onBegin}
              placeholder={t('All rows')}
              value={metric_config.where ?? ''}
              onSave={config('where')}
            />
          </SettingRow>
        )}
        {seesConfig && (getMetric(metric_type).dated || metric_config.timestamp_column) && (
          <SettingRow name={t('Timestamp column')}>
            <Editable
              label={t('timestamp column')}
              className="font-mono text-xs"
              editable={writes}
              onBegin={onBegin}
              value={metric_config.timestamp_column ?? ''}
              onSave={config('timestamp_column')}
            />
          </SettingRow>
        )}
        <SettingRow name={t('Severity')}>
          {writes ? <SeveritySelect value={severity} onChange={(value) => save({ severity: value })} /> : formatSeverity(severity)}
        </SettingRow>
        <SettingRow name={t('Notifications')}>
          <Recipients target={monitor.target} />
        </SettingRow>
        {(settings.slack || notify_slack_channel) && (
          <SettingRow name={t('Slack channel')}>
            <Editable
              label={t('Slack channel')}
              editable={writes}
              onBegin={onBegin}
              placeholder={t('none')}
              value={notify_slack_channel ?? ''}
              onSave={(value) => save({ notify_slack_channel: value || null }, base.current)}
            />
          </SettingRow>
        )}
        {(metric_type === 'pushed' || key) && (
          <SettingRow name={t('Key')}>
            <Editable
              label={t('key')}
              className="font-mono text-xs"
              editable={writes}
              onBegin={onBegin}
              placeholder={t('none')}
              value={key ?? ''}
              onSave={(value) => save({ key: value || null }, base.current)}
            />
          </SettingRow>
        )}
      </dl>
    </Section>
  )
}

const SettingRow = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid gap-0.5">
    <dt className="text-xs text-faint">{name}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </div>
)

interface DraftRowProps<T> {
  readonly name: string
  /** Accessible label of the edit button. */
  readonly change: string
  readonly monitor: Monitor
  readonly writes: boolean
  readonly text: ReactNode
  /** Initial draft, its fields, and when it can be saved. */
  readonly begin: () => T
  readonly fields: (draft: T, onChange: (draft: T) => void) => ReactNode
  readonly isComplete?: (draft: T) => boolean
  readonly save: (draft: T, base: Monitor) => void
}

/** A setting shown as text and edited in a small form, based on the monitor as it was when the form opened. */
const DraftRow = <T,>({
  name,
  change,
  monitor,
  writes,
  text,
  begin,
  fields,
  isComplete: isFilled = () => true,
  save,
}: DraftRowProps<T>) => {
  const [open, setOpen] = useState<{ readonly draft: T; readonly base: Monitor }>()
  return (
    <SettingRow name={name}>
      {open ? (
        <div className="grid gap-3 rounded-lg border border-line p-3">
          {fields(open.draft, (draft) => setOpen({ ...open, draft }))}
          <div className="flex gap-2">
            <Button
              small
              look="primary"
              disabled={!isFilled(open.draft)}
              onClick={() => {
                save(open.draft, open.base)
                setOpen(undefined)
              }}
            >
              {t('Save')}
            </Button>
            <Button small onClick={() => setOpen(undefined)}>
              {t('Cancel')}
            </Button>
          </div>
        </div>
      ) : (
        <span className="flex items-center gap-2">
          <span className="first-letter:uppercase">{text}</span>
          {writes && (
            <Button small look="quiet" aria-label={change} onClick={() => setOpen({ draft: begin(), base: monitor })}>
              {t('Edit')}
            </Button>
          )}
        </span>
      )}
    </SettingRow>
  )
}

/** Replays the draft condition over past measurements. */
const ReplayPreview = ({ monitor, condition }: { monitor: Monitor; condition: ConditionDraft }) => {
  const settled = useThrottled(condition)
  const replay = useQuery({ ...replayQuery({ monitor: monitor.id, ...toSettings(settled) }), enabled: isComplete(settled) })
  return replay.data && isComplete(condition) ? <ReplaySummary of={replay.data} /> : null
}
