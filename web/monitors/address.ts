import { several, t } from '../words/words.ts'

/** URL state of the monitor pages, so that a link shows the same view. */
const STATUSES = ['incident', 'error', 'normal', 'pending'] as const
export type StatusName = (typeof STATUSES)[number]

export interface MonitorsAddress {
  readonly q?: string
  readonly status?: StatusName
  readonly metric?: string
  /** Only enabled or only paused monitors. */
  readonly enabled?: 'true' | 'false'
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined)
const oneOf = <T extends string>(all: readonly T[], value: unknown): T | undefined => all.find((each) => each === value)

export const monitorsAddress = (said: Record<string, unknown>): MonitorsAddress => ({
  q: text(said.q)?.slice(0, 500),
  status: oneOf(STATUSES, said.status),
  metric: text(said.metric),
  enabled: oneOf(['true', 'false'], said.enabled),
})

export const isFiltered = ({ q, status, metric, enabled }: MonitorsAddress): boolean => Boolean(q || status || metric || enabled)

export const RANGES = { '30': several(30, 'day'), '90': several(90, 'day'), all: t('All') } as const
export type RangeName = keyof typeof RANGES

export interface MonitorAddress {
  /** Time range of the chart; absent: 90 days. */
  readonly range?: Exclude<RangeName, '90'>
}

export const monitorAddress = (said: Record<string, unknown>): MonitorAddress => ({ range: oneOf(['30', 'all'], said.range) })

export interface NewMonitorAddress {
  readonly table?: string
  readonly column?: string
  readonly metric?: string
}

export const newMonitorAddress = (said: Record<string, unknown>): NewMonitorAddress => ({
  table: text(said.table),
  column: text(said.column),
  metric: text(said.metric),
})

export interface ConfigAddress {
  /** Config file whose monitors are shown; absent: all. */
  readonly file?: string
}

const FILE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
export const configAddress = (said: Record<string, unknown>): ConfigAddress => {
  const file = text(said.file)
  return { file: file && FILE.test(file) ? file : undefined }
}
