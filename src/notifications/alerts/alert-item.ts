import type { AlertItem } from '../deliveries/alert.ts'
import type { AlertRow } from './store.ts'

/** Builds an alert item from the event of an incident or a schema change. Pure. */
export const toAlertItem = (row: AlertRow): AlertItem => (row.phase === 'changed' ? toChangeItem(row) : toIncidentItem(row))

const toChangeItem = ({ activity_id, resource_id, resource_title, table_id, payload }: AlertRow): AlertItem => {
  const breaks = payload.breaks?.length ?? 0
  return {
    resource_id,
    table_id,
    resource_title,
    activity: activity_id,
    title: `Schema changed: ${resource_title}`,
    lines: [
      ...describeColumns('Added', payload.columns_added),
      ...describeColumns('Removed', payload.columns_removed),
      ...describeColumns(
        'Renamed',
        payload.columns_renamed?.map(({ from, to }) => `${from} to ${to}`),
      ),
      ...describeColumns(
        'Type changed',
        payload.columns_retyped?.map(({ name, from, to }) => `${name} (${from ?? '?'} to ${to ?? '?'})`),
      ),
      ...(breaks > 0 ? [`May break ${breaks} ${breaks === 1 ? 'resource' : 'resources'} downstream.`] : []),
    ],
    path: `/r/${resource_id}`,
    values: { breaks: String(breaks) },
  }
}

/** `Null percentage of orders.status` for a monitor that is named `Null percentage of status`. */
const nameWithResource = (name: string, resource_title: string): string => {
  if (name.includes(resource_title)) return name
  const at = name.lastIndexOf(' of ') + ' of '.length
  const isNamed = at >= ' of '.length && resource_title.endsWith(`.${name.slice(at)}`)
  return isNamed ? name.slice(0, at) + resource_title : `${resource_title}, ${name}`
}

const MAX_COLUMNS = 10
const describeColumns = (what: string, names: readonly string[] = []): string[] => {
  if (names.length === 0) return []
  const more = names.length - MAX_COLUMNS
  return [`${what}: ${names.slice(0, MAX_COLUMNS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`]
}

const toIncidentItem = ({
  activity_id,
  phase,
  reopened,
  woken,
  subject_id,
  resource_id,
  table_id,
  resource_title,
  performer_name,
  payload,
}: AlertRow): AlertItem => {
  const name = payload.name || 'A monitor'
  const what = nameWithResource(name, resource_title)
  const title = `${phase === 'resolved' ? 'Resolved' : phase === 'acknowledged' ? 'Acknowledged' : reopened ? 'Incident reopened' : woken ? 'Incident still open' : 'Incident'}${formatSeverity(payload.severity)}: ${what}`
  const lines =
    phase === 'opened'
      ? splitLines(payload.summary ?? '')
      : phase === 'acknowledged'
        ? [`Acknowledged${performer_name ? ` by ${performer_name}` : ''}.`]
        : [describeResolution(payload.reason, performer_name)]
  return {
    resource_id,
    table_id,
    resource_title,
    severity: payload.severity,
    incident: subject_id,
    activity: activity_id,
    title,
    lines,
    path: `/incidents/${subject_id}`,
    values: {
      monitor: name,
      value: formatNumber(payload.last_value ?? payload.value),
      expected: formatRange(payload.lower_threshold, payload.upper_threshold),
      since: payload.first_seen_at?.slice(0, 16).replace('T', ' ') ?? '',
      by: phase === 'opened' ? '' : (performer_name ?? ''),
    },
    ...(payload.monitor ? { monitor: payload.monitor } : {}),
  }
}

const formatNumber = (n: number | null | undefined): string =>
  typeof n === 'number' ? n.toLocaleString('en', { maximumSignificantDigits: 6 }) : ''

const formatRange = (lower: number | null | undefined, upper: number | null | undefined): string => {
  const [from, to] = [formatNumber(lower), formatNumber(upper)]
  return from && to ? `${from}–${to}` : from ? `at least ${from}` : to && `at most ${to}`
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
