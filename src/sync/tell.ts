import type { Context } from '../context.ts'
import { VERSIONED_FIELDS } from '../resources/change.ts'
import { ownNames } from '../resources/own-fields.ts'
import { applyItems } from './apply.ts'
import { fingerprintOf, type Item, storable } from './item.ts'
import { Tally } from './report.ts'
import { findByKeys, findPlanned, forgetDeleted, type Planned } from './store.ts'

/**
 * Updates a few items from a source that pushes, in the caller's transaction. The same merge as in a sync, except that fields the source does
 * not send keep their last reported value. Unchanged items write nothing. Returns the resource IDs by key.
 */
export const tellItems = async (ctx: Context, integration: string, items: readonly Item[]): Promise<Map<string, string>> => {
  const told = new Map(items.map(storable).map((item) => [item.key, item]))
  if (told.size === 0) return new Map()
  const known = await findPlanned(ctx.db, integration, [...told.keys()])
  const unknown = [...told.keys()].filter((key) => !known.has(key))
  if (unknown.length > 0) await forgetDeleted(ctx.db, integration, unknown)
  const fresh = [...told.values()].flatMap((item, number) => {
    const found = known.get(item.key)
    const whole = found?.said ? completed(item, found) : item
    const fingerprint = fingerprintOf(whole)
    if (found?.fingerprint === fingerprint && !found.was_gone) return []
    return [
      {
        ...{ number, entity_type: item.entity_type, key: item.key, stable_id: null, fingerprint, lineage: null, item: whole },
        ...{ resource_id: found?.resource_id ?? null, said: found?.said ?? null, renamed: false, was_gone: found?.was_gone ?? false },
      },
    ]
  })
  if (fresh.length > 0) await applyItems(ctx, integration, fresh, new Tally())
  const ids = new Map([...known].map(([key, { resource_id }]) => [key, resource_id]))
  const made = fresh.flatMap(({ key }) => (ids.has(key) ? [] : [key]))
  for (const [key, id] of await findByKeys(ctx.db, integration, made)) ids.set(key, id)
  return ids
}

/** Completes an item with its last reported values. Keys are sorted so that the same values have the same fingerprint. */
const completed = (item: Item, { said, facts }: Planned): Item => {
  const own = new Set(ownNames(item.entity_type))
  const before = (names: (name: string) => boolean) => Object.fromEntries(Object.entries(said ?? {}).filter(([name]) => names(name)))
  return {
    ...item,
    fields: ordered({ ...before((name) => SPOKEN.has(name) && !own.has(name)), ...item.fields }),
    ...(own.size > 0 ? { own: ordered({ ...before((name) => own.has(name)), ...item.own }) } : {}),
    ...(item.facts || facts ? { facts: ordered({ ...(facts as object | null), ...item.facts }) } : {}),
  }
}

const SPOKEN = new Set(VERSIONED_FIELDS.filter((field) => !['entity_type', 'parent', 'integration', 'archived'].includes(field)))

const ordered = <T extends object>(value: T): T => Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) as T
