import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import { CHANNELS } from '../platform/channels/channel.ts'
import type { Runtime } from '../platform/context/runtime.ts'
import { type Backlog, readBacklog } from './backlog.ts'
import { TASK_CLASSES } from './tasks.ts'

const READ_TIMEOUT_MS = 2_000 // /metrics must answer while the database does not
const REUSED_MS = 1_000 // one answer reads the backlog once for all its metrics

/** What waits in the queue, in the ledger of deliveries and for monitors. Left out while the database does not respond. */
export const registerBacklogMetrics = (registry: Registry, runtime: Runtime): void => {
  const read = createReader(runtime)
  for (const { name, help, labelNames, list } of METRICS)
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const backlog = await read()
        this.reset()
        if (labelNames.length === 0) this.remove() // a reset sets it to 0
        for (const [labels, value] of backlog ? list(backlog) : []) this.set(labels, value)
      },
    })
}

interface BacklogMetric {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
  readonly list: (backlog: Backlog) => [labels: Record<string, string>, value: number][]
}

const STATES = ['ready', 'running', 'scheduled', 'failed'] as const
const tasksOf = ({ tasks }: Backlog, name: string) => tasks.filter(({ task }) => TASK_CLASSES.of(task) === name)
const deliveriesOf = ({ deliveries }: Backlog, name: string) =>
  deliveries.find(({ channel }) => channel === name) ?? { pending: 0, sending: 0, oldest_seconds: 0 }

const METRICS: readonly BacklogMetric[] = [
  {
    name: 'tablinum_queue_tasks',
    help: 'Tasks in the queue of all processes by class and state: `ready`, `running`, `scheduled` for later, `failed` after all attempts.',
    labelNames: ['class', 'state'],
    list: (backlog) =>
      TASK_CLASSES.names.flatMap((name) =>
        STATES.map((state) => [{ class: name, state }, tasksOf(backlog, name).reduce((sum, each) => sum + each[state], 0)]),
      ),
  },
  {
    name: 'tablinum_queue_oldest_task_age_seconds',
    help: 'How long the oldest task of a class has been ready to run; 0 if none is waiting.',
    labelNames: ['class'],
    list: (backlog) =>
      TASK_CLASSES.names.map((name) => [{ class: name }, Math.max(0, ...tasksOf(backlog, name).map((each) => each.oldest_seconds))]),
  },
  {
    name: 'tablinum_deliveries',
    help: 'Messages and webhook requests of all processes that wait (`pending`) or are being sent (`sending`), by channel.',
    labelNames: ['channel', 'state'],
    list: (backlog) =>
      CHANNELS.flatMap((channel) =>
        (['pending', 'sending'] as const).map((state) => [{ channel, state }, deliveriesOf(backlog, channel)[state]]),
      ),
  },
  {
    name: 'tablinum_delivery_oldest_due_age_seconds',
    help: 'How long the oldest delivery of a channel has been due; 0 if none is. Retries are due after their pause.',
    labelNames: ['channel'],
    list: (backlog) => CHANNELS.map((channel) => [{ channel }, deliveriesOf(backlog, channel).oldest_seconds]),
  },
  {
    name: 'tablinum_monitor_runs_waiting',
    help: 'Monitor runs of all processes that are due or requested and not measured yet.',
    labelNames: [],
    list: ({ monitor_runs }) => [[{}, monitor_runs.waiting]],
  },
  {
    name: 'tablinum_monitor_oldest_waiting_run_age_seconds',
    help: 'How long the oldest of these monitor runs has been due; 0 if none is waiting.',
    labelNames: [],
    list: ({ monitor_runs }) => [[{}, monitor_runs.oldest_seconds]],
  },
  {
    name: 'tablinum_health_changes_waiting',
    help: 'Changes of the health of resources that are not stored yet.',
    labelNames: [],
    list: ({ health_changes }) => [[{}, health_changes]],
  },
]

/** Undefined if the database does not respond in time. While it does not, no second read is started. */
const createReader = ({ databases }: Runtime): (() => Promise<Backlog | undefined>) => {
  let readAt = Number.NEGATIVE_INFINITY
  let running: Promise<Backlog | undefined> | undefined
  let last: Promise<Backlog | undefined> = Promise.resolve(undefined)
  return () => {
    if (performance.now() - readAt < REUSED_MS) return last
    readAt = performance.now()
    running ??= readBacklog(databases.background.db)
      .catch(() => undefined)
      .finally(() => {
        running = undefined
      })
    last = Promise.race([running, sleep(READ_TIMEOUT_MS, undefined, { ref: false })])
    return last
  }
}
