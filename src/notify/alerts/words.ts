import type { AlertItem } from './alert.ts'
import type { AlertRow } from './store.ts'

/** Builds an alert item from the activity of an incident. Pure. */
export const itemOf = ({ phase, about, resource_id, place, resource_title, performer_name, fields }: AlertRow): AlertItem => {
  const name = textOf(fields.name) || 'A monitor'
  const what = name.includes(resource_title) ? name : `${resource_title}, ${name}`
  const title = phase === 'opened' ? `Incident: ${what}` : `Resolved: ${what}`
  const lines = phase === 'opened' ? linesOf(textOf(fields.summary)) : [overBecause(textOf(fields.reason), performer_name)]
  return {
    resource_id,
    place,
    title,
    lines,
    path: `/incidents/${about}`,
    ...(textOf(fields.monitor) ? { monitor: textOf(fields.monitor) } : {}),
  }
}

const overBecause = (reason: string, by: string | null): string => {
  const who = by ? ` by ${by}` : ''
  if (reason === 'marked_normal') return `Marked as expected${who}.`
  if (reason === 'by_hand') return `Resolved${who}.`
  return 'Back in the expected range.'
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const linesOf = (text: string): string[] => text.split(/\n+/).filter((line) => line.trim() !== '')
