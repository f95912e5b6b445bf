import { pluralize, t } from '../i18n/messages.ts'
import { parseSeverity, type Severity } from './severity-param.ts'

/** URL state of the monitor pages, so that a link shows the same view. */
const STATUSES = ['incident', 'error', 'normal', 'pending'] as const
export type StatusName = (typeof STATUSES)[number]

export interface MonitorsSearch {
  readonly q?: string
  readonly status?: StatusName
  readonly metric?: string
  readonly severity?: Severity
  /** Only enabled or only paused monitors. */
  readonly enabled?: 'true' | 'false'
}

const toText = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined)
const oneOf = <T extends string>(all: readonly T[], value: unknown): T | undefined => all.find((each) => each === value)

export const parseMonitorsSearch = (search: Record<string, unknown>): MonitorsSearch => ({
  q: toText(search.q)?.slice(0, 500),
  status: oneOf(STATUSES, search.status),
  metric: toText(search.metric),
  severity: parseSeverity(search.severity),
  enabled: oneOf(['true', 'false'], search.enabled),
})

export const isFiltered = ({ q, status, metric, severity, enabled }: MonitorsSearch): boolean =>
  Boolean(q || status || metric || severity || enabled)

export const RANGES = { '30': pluralize(30, 'day'), '90': pluralize(90, 'day'), all: t('All') } as const
export type RangeName = keyof typeof RANGES

export interface MonitorSearch {
  /** Time range of the chart; absent: 90 days. */
  readonly range?: Exclude<RangeName, '90'>
}

export const parseMonitorSearch = (search: Record<string, unknown>): MonitorSearch => ({ range: oneOf(['30', 'all'], search.range) })

export interface NewMonitorSearch {
  readonly table?: string
  readonly column?: string
  readonly metric?: string
}

export const parseNewMonitorSearch = (search: Record<string, unknown>): NewMonitorSearch => ({
  table: toText(search.table),
  column: toText(search.column),
  metric: toText(search.metric),
})

export interface ConfigSearch {
  /** Config file whose monitors are shown; absent: all. */
  readonly file?: string
}

const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
export const parseConfigSearch = (search: Record<string, unknown>): ConfigSearch => {
  const file = toText(search.file)
  return { file: file && FILE_NAME.test(file) ? file : undefined }
}
