import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useBootstrap } from '../api/session.ts'
import { useSettled } from '../search/use-settled.ts'
import { Button } from '../ui/button.tsx'
import { Editable } from '../ui/editable.tsx'
import { Switch } from '../ui/field.tsx'
import { Section } from '../ui/page.tsx'
import { type Condition, ConditionFields, conditionOf, isWhole, ReplaySentence, toSettings } from './condition.tsx'
import { limits, metricOf, scheduleWords } from './metrics.ts'
import { type Monitor, replayQuery } from './queries.ts'
import { ScheduleFields } from './schedule.tsx'
import { useEditMonitor } from './use-edit.ts'

/** How it measures and judges; everything is changed where it stands. */
export const Settings = ({ monitor, writes }: { monitor: Monitor; writes: boolean }) => {
  const edit = useEditMonitor(monitor)
  const { settings } = useBootstrap()
  const { metric_type, metric_config, is_enabled, notify_slack_channel, key } = monitor
  const config = (field: keyof Monitor['metric_config']) => (value: string) => edit.mutate({ metric_config: { [field]: value || null } })
  return (
    <Section title="Settings">
      <dl className="grid gap-3 text-sm">
        <Row name="Running">
          {writes ? (
            <Switch label="Running" checked={is_enabled} onChange={(on) => edit.mutate({ is_enabled: on })} />
          ) : is_enabled ? (
            'Yes'
          ) : (
            'Paused'
          )}
        </Row>
        <Row name="Metric">{metricOf(metric_type).label}</Row>
        {metric_type !== 'pushed' && <ScheduleRow monitor={monitor} writes={writes} save={(schedule) => edit.mutate({ schedule })} />}
        <LimitsRow monitor={monitor} writes={writes} save={(condition) => edit.mutate(toSettings(condition))} />
        {metric_type === 'custom_sql' ? (
          <Row name="SQL">
            <Editable
              label="SQL"
              multiline
              className="font-mono text-xs"
              editable={writes}
              value={metric_config.query_select ?? ''}
              onSave={config('query_select')}
            />
          </Row>
        ) : (
          metric_type !== 'pushed' && (
            <Row name="Only rows where">
              <Editable
                label="condition"
                className="font-mono text-xs"
                editable={writes}
                placeholder="all rows"
                value={metric_config.where ?? ''}
                onSave={config('where')}
              />
            </Row>
          )
        )}
        {(metric_type === 'freshness' || metric_config.timestamp_column) && (
          <Row name="Time of a row">
            <Editable
              label="timestamp column"
              className="font-mono text-xs"
              editable={writes}
              value={metric_config.timestamp_column ?? ''}
              onSave={config('timestamp_column')}
            />
          </Row>
        )}
        {(settings.slack || notify_slack_channel) && (
          <Row name="Slack channel">
            <Editable
              label="Slack channel"
              editable={writes}
              placeholder="none"
              value={notify_slack_channel ?? ''}
              onSave={(value) => edit.mutate({ notify_slack_channel: value || null })}
            />
          </Row>
        )}
        {(metric_type === 'pushed' || key) && (
          <Row name="Key">
            <Editable
              label="key"
              className="font-mono text-xs"
              editable={writes}
              placeholder="none"
              value={key ?? ''}
              onSave={(value) => edit.mutate({ key: value || null })}
            />
          </Row>
        )}
      </dl>
    </Section>
  )
}

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid gap-0.5">
    <dt className="text-xs text-faint">{name}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </div>
)

interface RowProps<T> {
  readonly monitor: Monitor
  readonly writes: boolean
  readonly save: (value: T) => void
}

const Change = ({ what, onClick }: { what: string; onClick: () => void }) => (
  <Button small look="quiet" onClick={onClick}>
    Change<span className="sr-only"> the {what}</span>
  </Button>
)

const ScheduleRow = ({ monitor: { schedule }, writes, save }: RowProps<Monitor['schedule']>) => {
  const [draft, setDraft] = useState<Monitor['schedule']>()
  return (
    <Row name="Schedule">
      {draft ? (
        <div className="grid gap-2 rounded-lg border border-line p-3">
          <ScheduleFields value={draft} onChange={setDraft} />
          <SaveOrNot
            onSave={() => {
              save(draft)
              setDraft(undefined)
            }}
            onCancel={() => setDraft(undefined)}
          />
        </div>
      ) : (
        <span className="flex items-center gap-2">
          <span className="first-letter:uppercase">{scheduleWords(schedule)}</span>
          {writes && <Change what="schedule" onClick={() => setDraft(schedule)} />}
        </span>
      )}
    </Row>
  )
}

const LimitsRow = ({ monitor, writes, save }: RowProps<Condition>) => {
  const [draft, setDraft] = useState<Condition>()
  const { unit } = metricOf(monitor.metric_type)
  const { condition_auto_sensitivity: sensitivity, condition_manual_min, condition_manual_max } = monitor
  return (
    <Row name="Limits">
      {draft ? (
        <div className="grid gap-3 rounded-lg border border-line p-3">
          <ConditionFields value={draft} onChange={setDraft} unit={unit} />
          <Replayed monitor={monitor} condition={draft} />
          <SaveOrNot
            disabled={!isWhole(draft)}
            onSave={() => {
              save(draft)
              setDraft(undefined)
            }}
            onCancel={() => setDraft(undefined)}
          />
        </div>
      ) : (
        <span className="flex items-center gap-2">
          {sensitivity === null ? limits(condition_manual_min, condition_manual_max, unit) : `Learned, sensitivity ${sensitivity}`}
          {writes && <Change what="limits" onClick={() => setDraft(conditionOf(monitor))} />}
        </span>
      )}
    </Row>
  )
}

/** What the new setting would have said of what was measured. */
const Replayed = ({ monitor, condition }: { monitor: Monitor; condition: Condition }) => {
  const settled = useSettled(condition)
  const replay = useQuery({ ...replayQuery({ monitor: monitor.id, ...toSettings(settled) }), enabled: isWhole(settled) })
  return replay.data && isWhole(condition) ? <ReplaySentence of={replay.data} /> : null
}

const SaveOrNot = ({ onSave, onCancel, disabled }: { onSave: () => void; onCancel: () => void; disabled?: boolean }) => (
  <div className="flex gap-2">
    <Button small look="primary" disabled={disabled} onClick={onSave}>
      Save
    </Button>
    <Button small onClick={onCancel}>
      Cancel
    </Button>
  </div>
)
