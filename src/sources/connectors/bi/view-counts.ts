import { HttpError } from '../../../../connector/src/http.ts'
import { concernsWholeSource } from './bi-client.ts'

/** Counts who viewed what in the last day, for sources that list single views. */

/** A log can have millions of views of a busy day. */
const MAX_READ = 50_000
const MAX_USERS = 20
const HOURS = 24

export interface View {
  /** The key of what was viewed. Undefined: another event of the log. */
  readonly key?: string
  /** ISO 8601, in UTC. Undefined: not known. */
  readonly at?: string
  readonly user?: string
}

export class ViewCounts {
  readonly #views = new Map<string, { count: number; readonly users: Map<string, number> }>()

  /** Reads events, newest first, until they are older than a day. Undefined if they cannot be read: usage then stays as it was. */
  static async read(events: AsyncIterable<View>, log: (line: string) => Promise<void>): Promise<ViewCounts | undefined> {
    const views = new ViewCounts()
    const oldest = Date.now() - HOURS * 3_600_000
    let read = 0
    try {
      for await (const { key, at, user } of events) {
        if (read >= MAX_READ || (at && Date.parse(at) < oldest)) break
        read += 1
        if (key) views.#add(key, user)
      }
      return views
    } catch (error) {
      if (!(error instanceof HttpError) || concernsWholeSource(error)) throw error
      await log(`Views are not known: ${error.message}`)
      return undefined
    }
  }

  #add(key: string, user: string | undefined): void {
    const views = this.#views.get(key) ?? { count: 0, users: new Map<string, number>() }
    this.#views.set(key, views)
    views.count += 1
    if (user) views.users.set(user, (views.users.get(user) ?? 0) + 1)
  }

  /** Without a view, none: the log was read. */
  usageOf(key: string): { usage: { count: number; hours: number; users?: string[] } } {
    const { count = 0, users = new Map<string, number>() } = this.#views.get(key) ?? {}
    const names = [...users].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name]) => name)
    return { usage: { count, hours: HOURS, ...(names.length > 0 ? { users: names.slice(0, MAX_USERS) } : {}) } }
  }

  /** The views of everything below a key; undefined without any. Another text if they are others. */
  describeBelow(prefix: string): string | undefined {
    const below = [...this.#views].filter(([key]) => key.startsWith(`${prefix}.`)).toSorted(([a], [b]) => (a < b ? -1 : 1))
    return below.length === 0 ? undefined : JSON.stringify(below.map(([key]) => [key, this.usageOf(key)]))
  }
}

/** Nothing if views are not known. */
export const toViews = (views: ViewCounts | undefined, key: string): Partial<ReturnType<ViewCounts['usageOf']>> => views?.usageOf(key) ?? {}
