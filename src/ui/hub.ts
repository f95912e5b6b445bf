import { type Actor, can, canSee, viewOf } from '../access/permissions.ts'
import { type Context, detached } from '../context.ts'
import { isFromElsewhere } from '../history/commits.ts'
import { JOBS_CHANNEL } from '../jobs/run.ts'
import { countUnread } from '../notify/inbox.ts'
import { currentPosition, findJobs, inboxMarks, readWritten, type Written } from './changes.ts'

/** A connected browser. */
export interface Stream {
  actor: Actor
  /** Authenticates the caller again. Undefined if the session or token has ended. */
  readonly again: () => Promise<Actor | undefined>
  readonly send: (event: string, data: unknown, id?: string) => void
  readonly beat: () => void
  readonly end: () => void
}

const LOOK_MS = 1_000
const GATHER_MS = 100 // progress of several jobs is sent together
const BEAT_EVERY = 15 // polls
const CHUNK = 1_000
const MOST_IDS = 200
const MOST_MISSED = 5_000

/**
 * Sends committed changes to every stream of this process. Polls the database once a second for all streams, and only while there are any.
 * NOTIFY on each write would slow down writers, because Postgres then serializes commits.
 */
export class Hub {
  readonly #streams = new Set<Stream>()
  readonly #unread = new Map<Stream, number>()
  #marks = new Map<string, string>()
  #position?: { snapshot: string; access: string }
  #looking?: Promise<void>
  #timer?: NodeJS.Timeout
  #looks = 0
  #followingJobs?: Promise<unknown>

  /** Adds a stream. First sends what it missed since its last position. Returns a function that removes it. */
  async add(ctx: Context, stream: Stream, missed?: string): Promise<() => void> {
    const own = detached(ctx) // polling continues for other streams after this request has ended
    if (this.#streams.size === 0) {
      const here = await currentPosition(ctx.db)
      // Another stream may have been added in the meantime.
      if (this.#streams.size === 0) this.#position = here
    }
    while (this.#looking) await this.#looking // a stream added during a poll would miss part of it
    const { snapshot } = this.#position!
    this.#streams.add(stream)
    this.#timer ??= setInterval(() => this.#look(own), LOOK_MS).unref()
    try {
      const unread_count = await countUnread({ ...ctx, limits: {} })
      if (this.#streams.has(stream)) this.#unread.set(stream, unread_count)
      stream.send('hello', { unread_count }, snapshot)
      if (missed !== undefined) await catchUp(ctx, stream, missed, snapshot)
    } catch (error) {
      this.#remove(stream)
      throw error
    }
    return () => this.#remove(stream)
  }

  /** Subscribes to job notifications when the first stream is added. */
  async followJobs(ctx: Context): Promise<void> {
    const own = detached(ctx)
    let gathered: Set<string> | undefined
    this.#followingJobs ??= ctx.runtime.control.listen(JOBS_CHANNEL, (id) => {
      if (gathered) return void gathered.add(id)
      gathered = new Set([id])
      setTimeout(() => {
        const ids = [...gathered!]
        gathered = undefined
        this.tellJobs(own, ids).catch(() => {})
      }, GATHER_MS).unref()
    })
    this.#followingJobs.catch(() => {
      this.#followingJobs = undefined
    })
    await this.#followingJobs
  }

  /** Sends job updates to callers who can see the job. */
  async tellJobs({ db }: Context, ids: readonly string[]): Promise<void> {
    if (this.#streams.size === 0) return
    for (const job of await findJobs(db, ids))
      for (const { actor, send } of this.#streams)
        if (can(actor, 'jobs.read') && (can(actor, 'people.manage') || job.user === actor.user_id)) send('job', job)
  }

  #remove(stream: Stream): void {
    this.#streams.delete(stream)
    this.#unread.delete(stream)
    if (this.#streams.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#marks = new Map()
  }

  /** One poll at a time. A failed poll is repeated by the next one. */
  #look(ctx: Context): void {
    this.#looking ??= this.#lookOnce(ctx)
      .catch(() => {})
      .finally(() => {
        this.#looking = undefined
      })
  }

  async #lookOnce(ctx: Context): Promise<void> {
    const before = this.#position!
    const now = await currentPosition(ctx.db)
    this.#looks += 1
    const beat = this.#looks % BEAT_EVERY === 0
    if (beat || now.access !== before.access) await this.#askAgain()
    if (isFromElsewhere(before.snapshot, now.snapshot)) for (const { send } of this.#streams) send('resource.changed', { ids: null })
    else if (now.snapshot !== before.snapshot) await this.#tellWritten(ctx, before.snapshot, now.snapshot)
    this.#position = now
    if (this.#looks % 2 === 0) await this.#tellInboxes(ctx)
    if (beat) for (const stream of this.#streams) stream.beat()
  }

  /** In parallel, so that the lookups are batched into one statement. */
  async #askAgain(): Promise<void> {
    await Promise.all(
      [...this.#streams].map(async (stream) => {
        const actor = await stream.again()
        if (!actor) return stream.end()
        const changed = JSON.stringify(actor) !== JSON.stringify(stream.actor)
        stream.actor = actor
        if (changed) stream.send('access', {})
      }),
    )
  }

  async #tellWritten(ctx: Context, seen: string, target: string): Promise<void> {
    const listeners = Map.groupBy(this.#streams, viewKey)
    const tellers = [...listeners.values()].map((streams) => ({ streams, news: new News(streams[0]!.actor) }))
    let after: Awaited<ReturnType<typeof readWritten>>['last']
    do {
      const { written, last } = await readWritten(ctx.db, seen, target, CHUNK, after)
      for (const { news } of tellers) news.add(written)
      after = last
    } while (after)
    for (const { streams, news } of tellers) for (const { send } of streams) news.tell(send, target)
  }

  async #tellInboxes(ctx: Context): Promise<void> {
    const users = new Set([...this.#streams].flatMap(({ actor }) => actor.user_id ?? []))
    const marks = await inboxMarks(ctx.db, [...users])
    const changed = [...users].filter((user) => marks.get(user) !== this.#marks.get(user))
    this.#marks = marks
    for (const stream of [...this.#streams].filter(({ actor }) => changed.includes(actor.user_id ?? ''))) {
      const unread_count = await countUnread({ ...ctx, actor: stream.actor, limits: {} })
      if (unread_count !== this.#unread.get(stream) && this.#streams.has(stream)) stream.send('inbox', { unread_count })
      if (this.#streams.has(stream)) this.#unread.set(stream, unread_count)
    }
  }
}

/** Streams with the same visibility receive the same events. */
const viewKey = ({ actor }: Stream): string => JSON.stringify([viewOf(actor), can(actor, 'monitors.read')])

/** Collects the events for callers with the same visibility. */
class News {
  readonly #actor: Actor
  readonly #ids = new Set<string>()
  readonly #others: [event: string, data: object][] = []

  constructor(actor: Actor) {
    this.#actor = actor
  }

  add(written: readonly Written[]): void {
    for (const each of written) {
      if (!canSee(this.#actor, each)) continue
      const { activity_type, resource_id: target, related } = each
      const [noun] = activity_type.split('_', 1)
      if (noun === 'incident' || noun === 'monitor') {
        if (!can(this.#actor, 'monitors.read') || this.#others.length >= MOST_IDS) continue
        const [id, monitor] = related ?? []
        this.#others.push([noun, { id, ...(noun === 'incident' ? { monitor } : {}), target, activity_type }])
      } else if (this.#ids.size <= MOST_IDS) this.#ids.add(target)
    }
  }

  tell(send: Stream['send'], position: string): void {
    for (const [event, data] of this.#others) send(event, data, position)
    if (this.#ids.size > 0) send('resource.changed', { ids: this.#ids.size > MOST_IDS ? null : [...this.#ids] }, position)
  }
}

/** Sends what a reconnecting stream missed. If that is too much, only that something changed. */
const catchUp = async ({ db }: Context, stream: Stream, seen: string, target: string): Promise<void> => {
  if (isFromElsewhere(seen, target)) return stream.send('resource.changed', { ids: null }, target)
  const { written, last } = await readWritten(db, seen, target, MOST_MISSED)
  if (last) return stream.send('resource.changed', { ids: null }, target)
  const news = new News(stream.actor)
  news.add(written)
  news.tell(stream.send, target)
}
