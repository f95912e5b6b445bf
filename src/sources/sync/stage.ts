import { ENGINE_VERSION } from '../../lineage/queries/parse-sql.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { hashText, type Item, toStoredItem } from './item.ts'
import type { PreviousSync } from './previous-sync.ts'
import { insertItems, type StagedItem } from './sync-rows.ts'

const BATCH_ITEMS = 1000
const BATCH_CHARACTERS = 4 * 1024 * 1024
/** Reading is shown as 0 to 29 %, in proportion to the number of items of the last sync. For a new source, each thousand items are one percent. */
const MAX_PROGRESS = 29
const NEW_ITEMS = 29_000
const [MIN_STEP, MAX_STEP] = [100, 5000]

export interface StagingResult {
  /** Number of items the source listed, by entity type. */
  readonly found: Map<string, number>
  /** Number of staged items. */
  readonly count: number
}

/**
 * Stages the new and changed items of a source; `last` tracks which unchanged ones are still there. While one batch is written, the next one
 * is read.
 */
export const stageItems = async (
  ctx: Context,
  previous: PreviousSync,
  sync_id: string,
  items: AsyncIterable<Item>,
  reportProgress: (percent: number) => Promise<void>,
): Promise<StagingResult> => {
  const found = new Map<string, number>()
  const expected = previous.unseenCount || NEW_ITEMS
  const step = Math.min(MAX_STEP, Math.max(MIN_STEP, Math.ceil(expected / MAX_PROGRESS)))
  let [number, size, count] = [0, 0, 0]
  let batch: StagedItem[] = []
  let writing: Promise<void> = Promise.resolve()
  const add = (entity_type: string, n: number) => found.set(entity_type, (found.get(entity_type) ?? 0) + n)
  const insert = async (full: readonly StagedItem[]) => {
    for (const { entity_type, n } of await inTransaction(ctx, ({ db }) => insertItems(db, sync_id, full))) add(entity_type, n)
  }
  const write = async () => {
    const full = batch
    batch = []
    size = 0
    await writing
    writing = insert(full)
    writing.catch(() => {}) // reported with the next batch, or at the end
  }
  try {
    for await (const reported of items) {
      number += 1
      if (number % step === 0) await reportProgress(MAX_PROGRESS * Math.min(1, number / expected))
      const { item, fingerprint } = toStoredItem(reported)
      const staged = toStagedItem(number, item, fingerprint)
      const outcome = previous.markSeen(staged.key, staged.fingerprint, staged.lineage)
      if (outcome === 'again') continue
      // Usage is counted with every sync.
      if (outcome === 'unchanged' && !item.used) {
        add(item.entity_type, 1)
        continue
      }
      batch.push(outcome === 'unchanged' ? { ...staged, item: null } : staged)
      count += 1
      size += (item.fields.description?.length ?? 0) + (item.made_by?.sql.length ?? 0) + 500
      if (batch.length >= BATCH_ITEMS || size > BATCH_CHARACTERS) await write()
    }
    if (batch.length > 0) await write()
  } finally {
    await writing
  }
  return { found, count }
}

const toStagedItem = (number: number, item: Item, fingerprint: string): StagedItem => ({
  number,
  entity_type: item.entity_type,
  key: item.key,
  stable_id: item.stable_id ?? null,
  fingerprint,
  lineage: item.made_by ? hashText(`${ENGINE_VERSION} ${JSON.stringify(item.made_by)}`) : null,
  item,
  used: item.used ?? null,
})
