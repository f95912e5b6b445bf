import type { Context } from '../../platform/context/context.ts'
import { analyzeAfterGrowth } from '../../platform/db/analyze-growth.ts'
import { applyItems } from './apply.ts'
import type { PreviousSync } from './previous-sync.ts'
import type { OutcomeCounter } from './report.ts'
import { nextStagedItems, type PlannedItem } from './sync-rows.ts'

const BATCH_SIZE = 2000

export interface WriteOptions {
  readonly integration: string
  readonly sync_id: string
  readonly last: PreviousSync
  /** Whether the source is synced for the first time, so that no column can have changed. */
  readonly describedFirst: boolean
  readonly tally: OutcomeCounter
  readonly signal?: AbortSignal | undefined
}

/** A batch that is being written. */
interface WriteBatch {
  readonly keys: ReadonlySet<string>
  readonly renames: boolean
  readonly done: Promise<unknown>
}
const NO_BATCH: WriteBatch = { keys: new Set(), renames: false, done: Promise.resolve() }

/**
 * Writes the staged items in batches, two at a time: while the database writes one, the next is prepared. A batch that depends on the previous
 * one, through a parent or a rename, waits for it.
 */
export const writeItems = async (
  now: () => Context,
  options: WriteOptions,
  reportProgress: (after: number) => Promise<void>,
): Promise<void> => {
  const { integration, sync_id, last, describedFirst, tally, signal } = options
  const history = describedFirst ? undefined : { sync_id, isListed: (key: string) => !last.wasNotSeen(key) }
  let [created, createdBefore] = [0, 0]
  const analyze = async () => {
    for (const table of ['resources', 'resource_origins']) await analyzeAfterGrowth(now().db, table, createdBefore, created)
    createdBefore = created
  }
  const next = async (after: number) => {
    await analyze()
    return trimToParent(await nextStagedItems(now().db, integration, sync_id, last, after, BATCH_SIZE))
  }
  let previousBatch = NO_BATCH
  try {
    for (let after = 0; ; ) {
      signal?.throwIfAborted()
      if (previousBatch.renames) previousBatch = await waitForBatch(previousBatch)
      let planned = await next(after)
      if (dependsOn(planned, previousBatch)) {
        previousBatch = await waitForBatch(previousBatch)
        planned = await next(after)
      }
      if (planned.length === 0) {
        await previousBatch.done
        return await analyze() // lineage is next
      }
      const done = applyItems(now(), integration, planned, tally, { history }).then(() => {
        created += planned.filter(({ resource_id }) => resource_id === null).length
      })
      done.catch(() => {}) // the error is thrown where the batch is awaited
      const earlierBatch = previousBatch
      previousBatch = { keys: new Set(planned.map(({ key }) => key)), renames: planned.some(({ renamed }) => renamed), done }
      await earlierBatch.done
      after = planned.at(-1)!.number
      await reportProgress(after)
    }
  } finally {
    await previousBatch.done
  }
}

/** Ends the batch where the parent changes: two batches with the same parent would block each other. */
const trimToParent = (planned: PlannedItem[]): PlannedItem[] => {
  const parent = planned.at(-1)?.item.parent
  const end = planned.findLastIndex(({ item }) => item.parent !== parent) + 1
  return planned.length < BATCH_SIZE || end < BATCH_SIZE / 2 ? planned : planned.slice(0, end)
}

const waitForBatch = async ({ done }: WriteBatch): Promise<WriteBatch> => {
  await done
  return NO_BATCH
}

const dependsOn = (planned: readonly PlannedItem[], { keys }: WriteBatch): boolean =>
  keys.size > 0 && planned.some(({ renamed, item }) => renamed || (item.parent !== undefined && keys.has(item.parent)))
