import { t } from '../i18n/messages.ts'

/** Label and look of each state of a run. */
export const RUN_STATES = {
  RUNNING: [t('Running'), 'accent'],
  COMPLETED: [t('Completed'), 'good'],
  FAILED: [t('Failed'), 'bad'],
  ABORTED: [t('Aborted'), 'warn'],
  UNKNOWN: [t('Unknown'), 'neutral'],
} as const

/** `8 s`, `2 min 30 s`, `1 h 5 min`: at most two units. */
export const formatDuration = (seconds: number): string => {
  const all = Math.round(seconds)
  if (all < 60) return t('{s} s', { s: all < 10 ? Math.round(seconds * 10) / 10 : all })
  const [h, min, s] = [Math.floor(all / 3600), Math.floor((all % 3600) / 60), all % 60]
  if (h > 0) return min > 0 ? `${t('{h} h', { h })} ${t('{min} min', { min })}` : t('{h} h', { h })
  return s > 0 ? `${t('{min} min', { min })} ${t('{s} s', { s })}` : t('{min} min', { min })
}
