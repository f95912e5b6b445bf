import type { Db } from '../db/connect.ts'
import { ENGINE_VERSION } from '../lineage/read-sql.ts'
import { fingerprintOf, hashOf, type Item, storable } from './item.ts'
import { findUnchanged, insertItems, type StagedItem } from './store.ts'

const BATCH = 1000
const BATCH_CHARACTERS = 4 * 1024 * 1024

/** Puts everything the source has beside the catalog. While one batch is written, the next is read. Answers with how many there are, by kind. */
export const stage = async (
  db: Db,
  integration: string,
  sync_id: string,
  items: AsyncIterable<Item>,
  step: (found: number) => Promise<void>,
): Promise<Map<string, number>> => {
  const found = new Map<string, number>()
  let number = 0
  let size = 0
  let batch: StagedItem[] = []
  let writing: Promise<void> = Promise.resolve()
  const write = async () => {
    const full = batch
    batch = []
    size = 0
    await writing
    writing = insert(full)
    writing.catch(() => {}) // told with the next batch, or at the end
    await step(number)
  }
  const insert = async (full: readonly StagedItem[]) => {
    // What says nothing new need not be written down: that it is still there is enough.
    const unchanged = await findUnchanged(db, integration, full)
    const rows = full.map((each) => ({ ...each, item: unchanged.has(each.key) ? null : each.item, used: each.item.used ?? null }))
    for (const { entity_type, n } of await insertItems(db, sync_id, rows)) found.set(entity_type, (found.get(entity_type) ?? 0) + n)
  }
  try {
    for await (const told of items) {
      const item = storable(told)
      number += 1
      batch.push(stagedOf(number, item))
      size += (item.fields.description?.length ?? 0) + (item.made_by?.sql.length ?? 0) + 500
      if (batch.length >= BATCH || size > BATCH_CHARACTERS) await write()
    }
    if (batch.length > 0) await write()
  } finally {
    await writing
  }
  return found
}

const stagedOf = (number: number, item: Item): StagedItem => ({
  number,
  entity_type: item.entity_type,
  key: item.key,
  stable_id: item.stable_id ?? null,
  fingerprint: fingerprintOf(item),
  lineage: item.made_by ? hashOf(`${ENGINE_VERSION} ${JSON.stringify(item.made_by)}`) : null,
  item,
})
