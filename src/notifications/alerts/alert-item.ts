import type { AlertItem } from '../deliveries/alert.ts'
import type { AlertRow } from './store.ts'

/** Builds an alert item from the event of an incident. Pure. */
export const toAlertItem = ({
  phase,
  reopened,
  about,
  resource_id,
  place,
  resource_title,
  performer_name,
  payload,
}: AlertRow): AlertItem => {
  const name = payload.name || 'A monitor'
  const what = name.includes(resource_title) ? name : `${resource_title}, ${name}`
  const title = `${phase === 'resolved' ? 'Resolved' : reopened ? 'Incident reopened' : 'Incident'}${formatSeverity(payload.severity)}: ${what}`
  const lines = phase === 'opened' ? splitLines(payload.summary ?? '') : [describeResolution(payload.reason, performer_name)]
  return {
    resource_id,
    place,
    title,
    lines,
    path: `/incidents/${about}`,
    ...(payload.monitor ? { monitor: payload.monitor } : {}),
  }
}

const USUAL_SEVERITY = 'medium'
const formatSeverity = (severity: string | undefined): string => (severity && severity !== USUAL_SEVERITY ? ` (${severity})` : '')

const describeResolution = (reason: AlertRow['payload']['reason'], by: string | null): string => {
  const who = by ? ` by ${by}` : ''
  if (reason === 'marked_normal') return `Marked as expected${who}.`
  if (reason === 'by_hand') return `Resolved${who}.`
  return 'Back in the expected range.'
}

const splitLines = (text: string): string[] => text.split(/\n+/).filter((line) => line.trim() !== '')
