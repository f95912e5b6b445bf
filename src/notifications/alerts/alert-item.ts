import type { AlertItem } from '../deliveries/alert.ts'
import type { AlertRow } from './store.ts'

/** Builds an alert item from the activity of an incident. Pure. */
export const toAlertItem = ({ phase, about, resource_id, place, resource_title, performer_name, fields }: AlertRow): AlertItem => {
  const name = toText(fields.name) || 'A monitor'
  const what = name.includes(resource_title) ? name : `${resource_title}, ${name}`
  const title = phase === 'opened' ? `Incident: ${what}` : `Resolved: ${what}`
  const lines = phase === 'opened' ? splitLines(toText(fields.summary)) : [describeResolution(toText(fields.reason), performer_name)]
  return {
    resource_id,
    place,
    title,
    lines,
    path: `/incidents/${about}`,
    ...(toText(fields.monitor) ? { monitor: toText(fields.monitor) } : {}),
  }
}

const describeResolution = (reason: string, by: string | null): string => {
  const who = by ? ` by ${by}` : ''
  if (reason === 'marked_normal') return `Marked as expected${who}.`
  if (reason === 'by_hand') return `Resolved${who}.`
  return 'Back in the expected range.'
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '')
const splitLines = (text: string): string[] => text.split(/\n+/).filter((line) => line.trim() !== '')
