import { setTimeout } from 'node:timers/promises'
import type { Context } from '../../platform/context/context.ts'
import { TableGrowth } from '../../platform/db/analyze-growth.ts'
import { isUniqueViolation } from '../../platform/db/unique-violation.ts'
import type { Event } from './event.ts'
import { ingestGroup } from './ingest-group.ts'

declare module '../../platform/context/runtime.ts' {
  interface Runtime {
    /** OpenLineage events of concurrent requests, ingested together. */
    readonly eventGroups: EventGroups
  }
}

interface PendingEvents {
  readonly ctx: Context
  readonly events: readonly Event[]
  readonly size: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

const MAX_EVENTS = 500 // in a transaction
const MAX_SIZE = 20_000 // events, datasets, columns and column pairs in a transaction
const MAX_ATTEMPTS = 5
const PAUSE_MS = 1

/**
 * Ingests the events of concurrent requests in one transaction. A request that arrives while a group is written waits for the next group, so the
 * cost of a transaction is shared by as many requests as arrive meanwhile, and a single request waits for nobody. Requests are answered after the
 * commit. If a group fails, its requests are ingested one by one, so that an error concerns only the request that caused it.
 */
export class EventGroups {
  readonly #waiting = new Map<string, PendingEvents[]>()
  readonly #grown = ['resources', 'resource_origins', 'lineage_edges'].map((table) => new TableGrowth(table))

  /** Only requests of the same actor for the same integration share a transaction: who sends an event decides what it can see. */
  add(ctx: Context, events: readonly Event[], integration: string | undefined): Promise<void> {
    const key = JSON.stringify([ctx.actor, integration, ctx.workspace_id])
    return new Promise((resolve, reject) => {
      const pending = { ctx, events, size: measureEvents(events), resolve, reject }
      const queue = this.#waiting.get(key)
      if (queue) queue.push(pending)
      else {
        this.#waiting.set(key, [pending])
        void this.#run(key, integration)
      }
    })
  }

  async #run(key: string, integration: string | undefined): Promise<void> {
    const queue = this.#waiting.get(key)!
    while (queue.length > 0) {
      const group = takeGroup(queue)
      const { db } = group[0]!.ctx
      const created = await ingestTogether(group, integration)
      for (const table of this.#grown) await table.add(db, created)
      // Senders that were answered together send together again: without the pause, the next group would be those that came too late for this one.
      if (group.length > 1 && queue.length < group.length) await setTimeout(PAUSE_MS)
    }
    this.#waiting.delete(key)
  }
}

/** The next requests that fit into a transaction, at least one. */
const takeGroup = (queue: PendingEvents[]): PendingEvents[] => {
  let [n, events, size] = [0, 0, 0]
  for (const pending of queue) {
    events += pending.events.length
    size += pending.size
    if (n > 0 && (events > MAX_EVENTS || size > MAX_SIZE)) break
    n += 1
  }
  return queue.splice(0, n)
}

/** Never throws: every request is answered. Returns how many resources were created at most. */
const ingestTogether = async (requests: readonly PendingEvents[], integration: string | undefined): Promise<number> => {
  let group = rejectAborted(requests)
  while (group.length > 1) {
    const created = await tryTogether(group, integration)
    if (created !== undefined) return created
    const before = group.length
    group = rejectAborted(group)
    if (group.length === before) break
  }
  let created = 0
  for (const { ctx, events, resolve, reject } of group)
    await ingestRequest(ctx, events, integration).then((n) => {
      created += n
      resolve()
    }, reject)
  return created
}

/** Requests that timed out or whose client disconnected are answered; returns the others. */
const rejectAborted = (group: readonly PendingEvents[]): PendingEvents[] =>
  group.filter(({ ctx, reject }) => {
    const { signal } = ctx.limits
    if (signal?.aborted) reject(signal.reason)
    return !signal?.aborted
  })

/** Undefined if it failed. */
const tryTogether = async (group: readonly PendingEvents[], integration: string | undefined): Promise<number | undefined> => {
  const transactions = group.flatMap(({ ctx }) => ctx.limits.transactions ?? [])
  const signals = group.flatMap(({ ctx }) => ctx.limits.signal ?? [])
  // A request that times out meanwhile is told that nothing was saved, so the group must not be committed then.
  const ctx: Context = { ...group[0]!.ctx, limits: signals.length > 0 ? { signal: AbortSignal.any(signals) } : {} }
  const events = group.flatMap(({ events }) => events)
  for (const each of transactions) each.begun += 1
  let created: number
  try {
    created = await retryOnDuplicates((attempt) => ingestGroup(ctx, events, { named: integration, unreported: attempt > 1 }))
  } catch {
    return undefined
  }
  for (const each of transactions) each.committed += 1
  for (const { resolve } of group) resolve()
  return created
}

const ingestRequest = async (ctx: Context, events: readonly Event[], integration: string | undefined): Promise<number> => {
  let created = 0
  for (const some of splitEvents(events))
    created += await retryOnDuplicates((attempt) => ingestGroup(ctx, some, { named: integration, unreported: attempt > 1 }))
  return created
}

/** A request may contain more than fits into a transaction. */
const splitEvents = (events: readonly Event[]): Event[][] => {
  const groups: Event[][] = []
  let size = 0
  for (const event of events) {
    const group = groups.at(-1)
    size += measureEvents([event])
    if (group && group.length < MAX_EVENTS && size <= MAX_SIZE) group.push(event)
    else {
      groups.push([event])
      size = measureEvents([event])
    }
  }
  return groups
}

const measureEvents = (events: readonly Event[]): number =>
  events.reduce(
    (sum, { inputs, outputs }) => [...inputs, ...outputs].reduce((sum, dataset) => sum + 1 + countFields(dataset.facets), sum + 1),
    0,
  )

const countFields = ({ schema, columnLineage }: Event['inputs'][number]['facets']): number =>
  (Array.isArray(schema?.fields) ? schema.fields.length : 0) + Object.keys(columnLineage?.fields ?? {}).length

/** Two jobs reported the same new dataset at the same time, or it exists without having been reported: the retry finds it. */
const retryOnDuplicates = async <T>(work: (attempt: number) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work(attempt)
    } catch (error) {
      if (!isUniqueViolation(error) || attempt === MAX_ATTEMPTS) throw error
    }
}
