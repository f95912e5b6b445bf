import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '../api/client.ts'
import { locale } from '../i18n/language.ts'
import { t } from '../i18n/messages.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import type { ConfigResult } from './queries.ts'

/** The changes a config file makes, and its errors. */
type Change = ConfigResult['changes'][number]

const ACTIONS: Record<Change['action'], { readonly label: string; readonly tone: Tone }> = {
  create: { label: t('New'), tone: 'good' },
  update: { label: t('Changed'), tone: 'accent' },
  delete: { label: t('Deleted'), tone: 'bad' },
}

interface ConfigChangesProps {
  readonly of: ConfigResult
  readonly onLine: (line: number) => void
  readonly action?: ReactNode
}

export const ConfigChanges = ({ of, onLine, action }: ConfigChangesProps) => (
  <section aria-label={t('Changes')} className="overflow-hidden rounded-lg border border-line">
    <div className="flex flex-wrap items-center gap-3 bg-sunken px-3 py-2">
      <p role="status" className="min-w-0 flex-1 text-sm font-medium">
        {formatSummary(of)}
      </p>
      {action}
    </div>
    <ul className="max-h-80 divide-y divide-line overflow-auto">
      {of.changes.map((change) => (
        <ChangeRow key={`${change.action} ${change.line} ${change.monitor}`} change={change} onLine={onLine} />
      ))}
    </ul>
  </section>
)

const ChangeRow = ({
  change: { action, name, target, monitor, line, changes },
  onLine,
}: {
  change: Change
  onLine: (line: number) => void
}) => (
  <li className="grid gap-1 px-3 py-2 text-sm">
    <div className="flex flex-wrap items-center gap-2">
      <Badge tone={ACTIONS[action].tone}>{ACTIONS[action].label}</Badge>
      <span className="min-w-0 font-medium break-words" dir="auto">
        {monitor && action === 'update' ? (
          <Link to="/monitors/$id" params={{ id: monitor }} className="hover:text-accent hover:underline">
            {name}
          </Link>
        ) : (
          name
        )}
      </span>
      <span className="min-w-0 text-xs break-all text-faint">{target}</span>
      {line !== null && <LineButton number={line} onLine={onLine} />}
    </div>
    {action === 'delete' ? (
      <p className="text-xs text-faint">{t('No longer in the file. Its measurements and incidents are deleted too.')}</p>
    ) : (
      changes.length > 0 && (
        <ul className="grid gap-0.5 text-xs text-soft">
          {changes.map(({ field, from, to }) => (
            <li key={field} className="break-words">
              {FIELD_LABELS[field] ?? field}: {action === 'update' && `${formatValue(field, from)} → `}
              <span className="font-medium text-ink">{formatValue(field, to)}</span>
            </li>
          ))}
        </ul>
      )
    )}
  </li>
)

const LineButton = ({ number, onLine }: { number: number; onLine: (line: number) => void }) => (
  <button type="button" onClick={() => onLine(number)} className="text-xs text-accent hover:underline">
    {t('line {number}', { number: String(number) })}
  </button>
)

/** `This would create 1 monitor and change 2 monitors; 12 unchanged.` Each part is a message of its own, since a message for every combination would be too many. */
const formatSummary = ({ dry_run, created, updated, deleted, unchanged }: ConfigResult): string => {
  const parts = [
    created > 0 && (dry_run ? t('create {n:# monitor|# monitors}', { n: created }) : t('created {n:# monitor|# monitors}', { n: created })),
    updated > 0 && (dry_run ? t('change {n:# monitor|# monitors}', { n: updated }) : t('changed {n:# monitor|# monitors}', { n: updated })),
    deleted > 0 && (dry_run ? t('delete {n:# monitor|# monitors}', { n: deleted }) : t('deleted {n:# monitor|# monitors}', { n: deleted })),
  ].filter((each) => each !== false)
  if (parts.length === 0) return dry_run ? t('No changes.') : t('No changes needed.')
  const list = new Intl.ListFormat(locale).format(parts)
  if (dry_run)
    return unchanged > 0
      ? t('This would {changes}; {unchanged:# unchanged|# unchanged}.', { changes: list, unchanged })
      : t('This would {changes}.', { changes: list })
  const changes = list[0]!.toLocaleUpperCase(locale) + list.slice(1)
  return unchanged > 0 ? t('{changes}; {unchanged:# unchanged|# unchanged}.', { changes, unchanged }) : `${changes}.`
}

const FIELD_LABELS: Readonly<Record<string, string>> = {
  name: t('Name'),
  metric_config: t('Metric settings'),
  schedule: t('Schedule'),
  condition_auto_sensitivity: t('Sensitivity'),
  condition_manual_min: t('Minimum'),
  condition_manual_max: t('Maximum'),
  notify_slack_channel: t('Slack channel'),
  is_enabled: t('Running'),
}

/** Fields a file leaves out have their default. */
const formatValue = (field: string, value: unknown): string => {
  if (field === 'is_enabled') return value === false ? t('paused') : t('yes')
  if (value === null || value === undefined) return field.startsWith('condition_manual') ? t('no limit') : t('default')
  const parts = typeof value === 'string' && value.startsWith('{') ? parseObject(value) : undefined
  return parts
    ? Object.entries(parts)
        .map(([name, part]) => `${name} ${part}`)
        .join(', ')
    : String(value)
}

const parseObject = (text: string): object | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // text that only looks like JSON
  }
}

/** Errors of a config file by line. */
export const ConfigProblems = ({ of, onLine }: { of: Error; onLine: (line: number) => void }) => {
  const errors = of instanceof ApiError ? Object.entries(of.errors) : []
  return (
    <div role="alert" className="grid gap-2 rounded-lg border border-bad bg-bad-soft/40 p-3 text-sm">
      <p className="flex items-center gap-2 font-medium">
        <TriangleAlert aria-hidden size={16} className="shrink-0 text-bad" />
        {errors.length > 0 ? t('The file has errors. Nothing was changed.') : of.message}
      </p>
      {errors.length > 0 && (
        <ul className="grid gap-1">
          {errors.map(([where, what]) => {
            const line = /^line (\d+)$/.exec(where)?.[1]
            return (
              <li key={where} className="flex gap-2 break-words">
                {line ? (
                  <button type="button" onClick={() => onLine(Number(line))} className="shrink-0 text-accent hover:underline">
                    {t('Line {number}', { number: line })}
                  </button>
                ) : (
                  <span className="shrink-0 text-faint">{where}</span>
                )}
                <span className="min-w-0">{what.join('; ')}</span>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
