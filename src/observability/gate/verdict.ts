import { formatText, type Translatable, translatable } from '../../platform/core/translatable.ts'
import { describeIncident } from '../incidents/summary.ts'
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
  readonly metric_type: string
  readonly value: number | null
  readonly lower: number | null
  readonly upper: number | null
  readonly runs_outside: number | null
  readonly first_seen_at: string | null
}

export interface GatePolicy {
  readonly checks: readonly Check[]
  readonly ignore_acknowledged: boolean
  readonly now: Date
}

const describe = (text: Translatable) => ({ text: formatText(text), text_translatable: text })

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
    return {
      ...about,
      code: 'incident',
      incident: each.incident,
      text: each.summary ?? '',
      text_translatable: describeIncident({
        ...each,
        target: each.resource,
        value: each.value!,
        first_seen_at: each.first_seen_at!,
        runs_outside: each.runs_outside!,
      }),
      since: each.first_seen_at,
    }
  if (checks.includes('errors') && each.status === 'error')
    return {
      ...about,
      code: 'error',
      ...describe(
        each.last_error_message
          ? translatable('{monitor} could not be measured: {problem}', { monitor: each.name, problem: each.last_error_message })
          : translatable('{monitor} could not be measured.', { monitor: each.name }),
      ),
      since: each.last_error_at,
    }
  const last = each.last_measured_at ?? each.created_at
  const late = now.getTime() - Date.parse(last) > (2 * each.frequency + GRACE_HOURS) * HOUR_MS
  if (checks.includes('stale') && !each.pushed && late) {
    const { name: monitor, frequency: hours } = each
    const text =
      each.last_measured_at === null
        ? translatable('{monitor} has never been measured; expected every {hours} hours.', { monitor, hours })
        : translatable('{monitor} was last measured at {time} UTC; expected every {hours} hours.', {
            monitor,
            hours,
            time: last.slice(0, 16).replace('T', ' '),
          })
    return { ...about, code: 'stale', ...describe(text), since: last }
  }
  return undefined
}
