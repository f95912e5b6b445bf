import type { Db } from '../db/connect.ts'
import { ENGINE_VERSION } from '../lineage/read-sql.ts'
import { hashOf, type Item, storedForm } from './item.ts'
import type { LastTime } from './last-time.ts'
import { insertItems, type StagedItem } from './store.ts'

const BATCH = 1000
const BATCH_CHARACTERS = 4 * 1024 * 1024
const STEP = 5000

export interface Staged {
  /** Number of items the source listed, by entity type. */
  readonly found: ReadonlyMap<string, number>
  /** Number of staged items. */
  readonly count: number
}

/**
 * Stages the new and changed items of a source; `last` tracks which unchanged ones are still there. While one batch is written, the next one
 * is read.
 */
export const stage = async (
  db: Db,
  last: LastTime,
  sync_id: string,
  items: AsyncIterable<Item>,
  step: (found: number) => Promise<void>,
): Promise<Staged> => {
  const found = new Map<string, number>()
  let [number, size, count] = [0, 0, 0]
  let batch: StagedItem[] = []
  let writing: Promise<void> = Promise.resolve()
  const add = (entity_type: string, n: number) => found.set(entity_type, (found.get(entity_type) ?? 0) + n)
  const insert = async (full: readonly StagedItem[]) => {
    for (const { entity_type, n } of await insertItems(db, sync_id, full)) add(entity_type, n)
  }
  const write = async () => {
    const full = batch
    batch = []
    size = 0
    await writing
    writing = insert(full)
    writing.catch(() => {}) // reported with the next batch, or at the end
    await step(number)
  }
  try {
    for await (const told of items) {
      number += 1
      const { item, fingerprint } = storedForm(told)
      const staged = stagedOf(number, item, fingerprint)
      const outcome = last.tell(staged.key, staged.fingerprint, staged.lineage)
      if (outcome === 'again') continue
      // Usage is counted with every sync.
      if (outcome === 'unchanged' && !item.used) {
        add(item.entity_type, 1)
        if (number % STEP === 0) await step(number)
        continue
      }
      batch.push(outcome === 'unchanged' ? { ...staged, item: null } : staged)
      count += 1
      size += (item.fields.description?.length ?? 0) + (item.made_by?.sql.length ?? 0) + 500
      if (batch.length >= BATCH || size > BATCH_CHARACTERS) await write()
    }
    if (batch.length > 0) await write()
  } finally {
    await writing
  }
  return { found, count }
}

const stagedOf = (number: number, item: Item, fingerprint: string): StagedItem => ({
  number,
  entity_type: item.entity_type,
  key: item.key,
  stable_id: item.stable_id ?? null,
  fingerprint,
  lineage: item.made_by ? hashOf(`${ENGINE_VERSION} ${JSON.stringify(item.made_by)}`) : null,
  item,
  used: item.used ?? null,
})
