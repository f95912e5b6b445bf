import { countUnread } from '../../notifications/inbox/inbox.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { ControlConnection } from '../../platform/db/control.ts'
import { isForeignSnapshot } from '../../platform/history/commits.ts'
import { JOBS_CHANNEL } from '../../platform/jobs/run.ts'
import { type Actor, can, canSee, getVisibilityKey } from '../../platform/permissions/permissions.ts'
import { findInboxVersions, findJobs, readCurrentPosition, readWrittenActivities, type WrittenActivity } from './changes.ts'

declare module '../../platform/context/runtime.ts' {
  interface Runtime {
    readonly eventBroadcaster: EventBroadcaster
  }
}

/** A connected browser. */
export interface BrowserStream {
  actor: Actor
  /** Authenticates the caller again. Undefined if the session or token has ended. */
  readonly reauthenticate: () => Promise<Actor | undefined>
  readonly send: (event: string, data: unknown, id?: string) => void
  readonly ping: () => void
  readonly end: () => void
}

const POLL_INTERVAL_MS = 1_000
const JOB_BATCH_MS = 100 // progress of several jobs is sent together
const PING_EVERY_POLLS = 15 // polls
const CHUNK_ROWS = 1_000
const MAX_IDS = 200
const MAX_MISSED = 5_000

/**
 * Sends committed changes to every stream of this process. Polls the database once a second for all streams, and only while there are any.
 * NOTIFY on each write would slow down writers, because Postgres then serializes commits.
 */
export class EventBroadcaster {
  readonly #db: Db
  readonly #control: ControlConnection
  readonly #streams = new Set<BrowserStream>()
  readonly #unread = new Map<BrowserStream, number>()
  #inboxVersions = new Map<string, string>()
  #position?: { snapshot: string; access: string }
  #polling?: Promise<void>
  #timer?: NodeJS.Timeout
  #polls = 0
  #followingJobs?: Promise<unknown>

  constructor(db: Db, control: ControlConnection) {
    this.#db = db
    this.#control = control
  }

  /** Adds a stream. First sends what it missed since its last position. Returns a function that removes it. */
  async add(stream: BrowserStream, missed?: string): Promise<() => void> {
    if (this.#streams.size === 0) {
      const here = await readCurrentPosition(this.#db)
      // Another stream may have been added in the meantime.
      if (this.#streams.size === 0) this.#position = here
    }
    while (this.#polling) await this.#polling // a stream added during a poll would miss part of it
    const { snapshot } = this.#position!
    this.#streams.add(stream)
    this.#timer ??= setInterval(() => this.#poll(), POLL_INTERVAL_MS).unref()
    try {
      const unread_count = await this.#countUnread(stream)
      if (this.#streams.has(stream)) this.#unread.set(stream, unread_count)
      stream.send('hello', { unread_count }, snapshot)
      if (missed !== undefined) await catchUp(this.#db, stream, missed, snapshot)
    } catch (error) {
      this.#remove(stream)
      throw error
    }
    return () => this.#remove(stream)
  }

  /** Subscribes to job notifications when the first stream is added. */
  async followJobs(): Promise<void> {
    let gathered: Set<string> | undefined
    this.#followingJobs ??= this.#control.listen(JOBS_CHANNEL, (id) => {
      if (gathered) return void gathered.add(id)
      gathered = new Set([id])
      setTimeout(() => {
        const ids = [...gathered!]
        gathered = undefined
        this.#sendJobs(ids).catch(() => {})
      }, JOB_BATCH_MS).unref()
    })
    this.#followingJobs.catch(() => {
      this.#followingJobs = undefined
    })
    await this.#followingJobs
  }

  /** Sends job updates to callers who can see the job. */
  async #sendJobs(ids: readonly string[]): Promise<void> {
    if (this.#streams.size === 0) return
    for (const job of await findJobs(this.#db, ids))
      for (const { actor, send } of this.#streams)
        if (can(actor, 'jobs.read') && (can(actor, 'people.manage') || job.user === actor.user_id)) send('job', job)
  }

  #remove(stream: BrowserStream): void {
    this.#streams.delete(stream)
    this.#unread.delete(stream)
    if (this.#streams.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#inboxVersions = new Map()
  }

  /** One poll at a time. A failed poll is repeated by the next one. */
  #poll(): void {
    this.#polling ??= this.#pollOnce()
      .catch(() => {})
      .finally(() => {
        this.#polling = undefined
      })
  }

  async #pollOnce(): Promise<void> {
    const before = this.#position!
    const now = await readCurrentPosition(this.#db)
    this.#polls += 1
    const isPing = this.#polls % PING_EVERY_POLLS === 0
    if (isPing || now.access !== before.access) await this.#reauthenticateAll()
    if (isForeignSnapshot(before.snapshot, now.snapshot)) for (const { send } of this.#streams) send('resource.changed', { ids: null })
    else if (now.snapshot !== before.snapshot) await this.#sendChanges(before.snapshot, now.snapshot)
    this.#position = now
    if (this.#polls % 2 === 0) await this.#sendInboxCounts()
    if (isPing) for (const stream of this.#streams) stream.ping()
  }

  /** In parallel, so that the lookups are batched into one statement. */
  async #reauthenticateAll(): Promise<void> {
    await Promise.all(
      [...this.#streams].map(async (stream) => {
        const actor = await stream.reauthenticate()
        if (!actor) return stream.end()
        const changed = JSON.stringify(actor) !== JSON.stringify(stream.actor)
        stream.actor = actor
        if (changed) stream.send('access', {})
      }),
    )
  }

  async #sendChanges(seen: string, target: string): Promise<void> {
    const listeners = Map.groupBy(this.#streams, getStreamKey)
    const batches = [...listeners.values()].map((streams) => ({ streams, batch: new EventBatch(streams[0]!.actor) }))
    let after: Awaited<ReturnType<typeof readWrittenActivities>>['last']
    do {
      const { written, last } = await readWrittenActivities(this.#db, seen, target, CHUNK_ROWS, after)
      for (const { batch } of batches) batch.add(written)
      after = last
    } while (after)
    for (const { streams, batch } of batches) for (const { send } of streams) batch.sendTo(send, target)
  }

  #countUnread({ actor }: BrowserStream): Promise<number> {
    return countUnread({ db: this.#db, actor, limits: {} })
  }

  async #sendInboxCounts(): Promise<void> {
    const users = new Set([...this.#streams].flatMap(({ actor }) => actor.user_id ?? []))
    const marks = await findInboxVersions(this.#db, [...users])
    const changed = [...users].filter((user) => marks.get(user) !== this.#inboxVersions.get(user))
    this.#inboxVersions = marks
    for (const stream of [...this.#streams].filter(({ actor }) => changed.includes(actor.user_id ?? ''))) {
      const unread_count = await this.#countUnread(stream)
      if (unread_count !== this.#unread.get(stream) && this.#streams.has(stream)) stream.send('inbox', { unread_count })
      if (this.#streams.has(stream)) this.#unread.set(stream, unread_count)
    }
  }
}

/** Streams with the same visibility receive the same events. */
const getStreamKey = ({ actor }: BrowserStream): string => JSON.stringify([getVisibilityKey(actor), can(actor, 'monitors.read')])

/** Collects the events for callers with the same visibility. */
class EventBatch {
  readonly #actor: Actor
  readonly #ids = new Set<string>()
  readonly #others: [event: string, data: object][] = []

  constructor(actor: Actor) {
    this.#actor = actor
  }

  add(written: readonly WrittenActivity[]): void {
    for (const each of written) {
      if (!canSee(this.#actor, each)) continue
      const { activity_type, resource_id: target, related } = each
      const [noun] = activity_type.split('_', 1)
      if (noun === 'incident' || noun === 'monitor') {
        if (!can(this.#actor, 'monitors.read') || this.#others.length >= MAX_IDS) continue
        const [id, monitor] = related ?? []
        this.#others.push([noun, { id, ...(noun === 'incident' ? { monitor } : {}), target, activity_type }])
      } else if (this.#ids.size <= MAX_IDS) this.#ids.add(target)
    }
  }

  sendTo(send: BrowserStream['send'], position: string): void {
    for (const [event, data] of this.#others) send(event, data, position)
    if (this.#ids.size > 0) send('resource.changed', { ids: this.#ids.size > MAX_IDS ? null : [...this.#ids] }, position)
  }
}

/** Sends what a reconnecting stream missed. If that is too much, only that something changed. */
const catchUp = async (db: Db, stream: BrowserStream, seen: string, target: string): Promise<void> => {
  if (isForeignSnapshot(seen, target)) return stream.send('resource.changed', { ids: null }, target)
  const { written, last } = await readWrittenActivities(db, seen, target, MAX_MISSED)
  if (last) return stream.send('resource.changed', { ids: null }, target)
  const batch = new EventBatch(stream.actor)
  batch.add(written)
  batch.sendTo(stream.send, target)
}
