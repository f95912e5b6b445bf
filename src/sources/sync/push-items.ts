import { VERSIONED_FIELDS } from '../../catalog/records/change.ts'
import { typeFieldNames } from '../../catalog/records/type-fields.ts'
import type { Context } from '../../platform/context/context.ts'
import { applyItems } from './apply.ts'
import { computeFingerprint, type Item, toStorable } from './item.ts'
import { OutcomeCounter } from './report.ts'
import { announceSchemaChanges } from './schema-changes.ts'
import { findKnownItems, type KnownItem } from './sync-rows.ts'

/**
 * Updates a few items from a source that pushes, in the caller's transaction. The same merge as in a sync, except that fields the source does
 * not send keep their last reported value. Unchanged items write nothing. `looked` has what the caller already looked up. Returns the resource
 * IDs by key.
 */
export const pushItems = async (
  ctx: Context,
  integration: string,
  items: readonly Item[],
  looked?: LookedUpItems,
): Promise<Map<string, string>> => {
  const itemsByKey = new Map(items.map(toStorable).map((item) => [item.key, item]))
  if (itemsByKey.size === 0) return new Map()
  const others = [...itemsByKey.keys()].filter((key) => !looked?.keys.has(key))
  const existing = new Map([...(looked?.known ?? []), ...(await findKnownItems(ctx.db, integration, others, looked))])
  const changed = [...itemsByKey.values()].flatMap((item, number) => {
    const found = existing.get(item.key)
    const complete = completeItem(item, found)
    const fingerprint = computeFingerprint(complete)
    if (found?.fingerprint === fingerprint && !found.was_gone) return []
    return [
      {
        ...{ number, entity_type: item.entity_type, key: item.key, stable_id: null, fingerprint, lineage: null, item: complete },
        ...{
          resource_id: found?.resource_id ?? null,
          reported_values: found?.reported_values ?? null,
          renamed: false,
          was_gone: found?.was_gone ?? false,
        },
      },
    ]
  })
  const ids = new Map([...existing].map(([key, { resource_id }]) => [key, resource_id]))
  if (changed.length > 0) {
    const history = { sync_id: null, isListed: (key: string) => itemsByKey.has(key) }
    const applied = await applyItems(ctx, integration, changed, new OutcomeCounter(), { history, ids, locked: looked !== undefined })
    if (applied.changedTables > 0) await announceSchemaChanges(ctx, integration)
    for (const [key, id] of applied.ids) ids.set(key, id)
  }
  return ids
}

/** Items that were looked up, and those of them that are known, by a caller who has locked the integration. */
export interface LookedUpItems {
  readonly keys: ReadonlySet<string>
  readonly known: ReadonlyMap<string, KnownItem>
  /** Whether resources that no source has reported are looked up (`findKnownItems`). */
  readonly unreported: boolean
}

/** Completes an item with its last reported values. Keys are sorted so that the same values have the same fingerprint: the database has its own order. */
const completeItem = (item: Item, found: KnownItem | undefined): Item => {
  const { reported_values, facts } = found?.reported_values ? found : NOTHING_KNOWN
  const own = new Set(typeFieldNames(item.entity_type))
  const before = (names: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(reported_values ?? {}).filter(([name]) => names(name)))
  return {
    ...item,
    fields: sortKeys({ ...before((name) => REPORTED_FIELDS.has(name) && !own.has(name)), ...item.fields }),
    ...(own.size > 0 ? { own: sortKeys({ ...before((name) => own.has(name)), ...item.own }) } : {}),
    ...(item.facts || facts ? { facts: sortAllKeys({ ...(facts as object | null), ...item.facts }) } : {}),
  }
}

const NOTHING_KNOWN: Pick<KnownItem, 'reported_values' | 'facts'> = { reported_values: null, facts: null }

const REPORTED_FIELDS = new Set(VERSIONED_FIELDS.filter((field) => !['entity_type', 'parent', 'integration', 'archived'].includes(field)))

const sortKeys = <T extends object>(value: T): T => Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) as T

const sortAllKeys = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sortAllKeys) as T
  const sorted: Record<string, unknown> = {}
  for (const name of Object.keys(value).sort()) sorted[name] = sortAllKeys(value[name as keyof T])
  return sorted as T
}
