import type { Check, GateReason } from './schema.ts'

/** Derives the reasons for a failing gate from the state of the monitors. Pure. */
export interface MonitorState {
  readonly monitor: string
  readonly name: string
  readonly resource_id: string
  readonly resource: string
  readonly distance: number
  /** Hours between runs. */
  readonly frequency: number
  /** Values are pushed, so it is not known when the next one is due. */
  readonly pushed: boolean
  readonly status: string
  readonly created_at: string
  readonly last_measured_at: string | null
  readonly last_error_at: string | null
  readonly last_error_message: string | null
  readonly incident: string | null
  readonly incident_status: string | null
  readonly summary: string | null
  readonly first_seen_at: string | null
}

export interface GatePolicy {
  readonly checks: readonly Check[]
  readonly ignore_acknowledged: boolean
  readonly now: Date
}

const HOUR_MS = 3_600_000
const GRACE_HOURS = 1 // a run may wait in the queue

export const findGateReasons = (states: readonly MonitorState[], policy: GatePolicy): GateReason[] => {
  const nearest = [...states].sort((a, b) => a.distance - b.distance || (a.resource < b.resource ? -1 : a.resource > b.resource ? 1 : 0))
  return nearest.flatMap((each) => toGateReason(each, policy) ?? [])
}

const toGateReason = (each: MonitorState, { checks, ignore_acknowledged, now }: GatePolicy): GateReason | undefined => {
  const about = {
    resource_id: each.resource_id,
    resource: each.resource,
    upstream: each.distance > 0,
    monitor: each.monitor,
    incident: null,
  }
  const open = each.incident !== null && !(ignore_acknowledged && each.incident_status === 'acknowledged')
  if (checks.includes('incidents') && open)
    return { ...about, code: 'incident', incident: each.incident, text: each.summary ?? '', since: each.first_seen_at }
  if (checks.includes('errors') && each.status === 'error')
    return {
      ...about,
      code: 'error',
      text: each.last_error_message
        ? `${each.name} could not be measured: ${each.last_error_message}`
        : `${each.name} could not be measured.`,
      since: each.last_error_at,
    }
  const last = each.last_measured_at ?? each.created_at
  const late = now.getTime() - Date.parse(last) > (2 * each.frequency + GRACE_HOURS) * HOUR_MS
  if (checks.includes('stale') && !each.pushed && late) {
    const lastMeasured =
      each.last_measured_at === null ? 'has never been measured' : `was last measured at ${last.slice(0, 16).replace('T', ' ')} UTC`
    return { ...about, code: 'stale', text: `${each.name} ${lastMeasured}; expected every ${each.frequency} hours.`, since: last }
  }
  return undefined
}
