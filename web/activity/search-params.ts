import { t } from '../i18n/messages.ts'

/** URL state of the audit log: which entries are shown. */
export const PERFORMERS = { USER: t('People'), API: t('Tokens'), INTEGRATION: t('Integrations'), SYSTEM: t('System') }
export const SINCE = { '1': t('Since yesterday'), '7': t('Last 7 days'), '30': t('Last 30 days') }

export interface ActivitySearch {
  /** Part of the resource title. */
  readonly q?: string
  /** Prefix of the activity type: `incident_`. */
  readonly type?: string
  readonly by?: keyof typeof PERFORMERS
  /** Days back. */
  readonly since?: keyof typeof SINCE
}

const toBoundedText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, 200) : undefined
const oneOf = <T extends object>(all: T, value: unknown): keyof T | undefined =>
  typeof value === 'string' && Object.hasOwn(all, value) ? (value as keyof T) : undefined

export const parseActivitySearch = (params: Record<string, unknown>): ActivitySearch => ({
  q: toBoundedText(params.q),
  type: toBoundedText(params.type),
  by: oneOf(PERFORMERS, params.by),
  since: oneOf(SINCE, params.since),
})

export const hasActivityFilters = ({ q, type, by, since }: ActivitySearch): boolean => Boolean(q || type || by || since)
