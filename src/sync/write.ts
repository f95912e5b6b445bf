import type { Context } from '../context.ts'
import { applyItems } from './apply.ts'
import type { LastTime } from './last-time.ts'
import type { Tally } from './report.ts'
import { nextItems, type PlannedItem } from './store.ts'

const BATCH = 2000

export interface Writing {
  readonly integration: string
  readonly sync_id: string
  readonly last: LastTime
  readonly tally: Tally
  readonly signal?: AbortSignal | undefined
}

/** A batch that is being written. */
interface Way {
  readonly keys: ReadonlySet<string>
  readonly renames: boolean
  readonly done: Promise<void>
}
const ARRIVED: Way = { keys: new Set(), renames: false, done: Promise.resolve() }

/**
 * Writes the staged items in batches, two at a time: while the database writes one, the next is prepared. A batch that depends on the previous
 * one, through a parent or a rename, waits for it.
 */
export const writeItems = async (now: () => Context, writing: Writing, step: (after: number) => Promise<void>): Promise<void> => {
  const { integration, sync_id, last, tally, signal } = writing
  const next = async (after: number) => whole(await nextItems(now().db, integration, sync_id, last, after, BATCH))
  let before = ARRIVED
  try {
    for (let after = 0; ; ) {
      signal?.throwIfAborted()
      if (before.renames) before = await arrived(before)
      let planned = await next(after)
      if (standsOn(planned, before)) {
        before = await arrived(before)
        planned = await next(after)
      }
      if (planned.length === 0) return
      const done = applyItems(now(), integration, planned, tally)
      done.catch(() => {}) // the error is thrown where the batch is awaited
      const earlier = before
      before = { keys: new Set(planned.map(({ key }) => key)), renames: planned.some(({ renamed }) => renamed), done }
      await earlier.done
      after = planned.at(-1)!.number
      await step(after)
    }
  } finally {
    await before.done
  }
}

/** Ends the batch where the parent changes: two batches with the same parent would block each other. */
const whole = (planned: PlannedItem[]): PlannedItem[] => {
  const parent = planned.at(-1)?.item.parent
  const end = planned.findLastIndex(({ item }) => item.parent !== parent) + 1
  return planned.length < BATCH || end < BATCH / 2 ? planned : planned.slice(0, end)
}

const arrived = async ({ done }: Way): Promise<Way> => {
  await done
  return ARRIVED
}

const standsOn = (planned: readonly PlannedItem[], { keys }: Way): boolean =>
  keys.size > 0 && planned.some(({ renamed, item }) => renamed || (item.parent !== undefined && keys.has(item.parent)))
