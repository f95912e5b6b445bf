import { useEffect, useSyncExternalStore } from 'react'
import { api } from './client.ts'
import type { Schemas } from './types.ts'

type Health = Schemas['Health'][string]

const MAX_IDS = 200 // IDs in one request
const FRESH_MS = 30_000
const BATCH_MS = 20

/** Health by resource. Not TanStack Query: a lineage graph has a thousand boxes, and a query per box costs more than painting them. */
const healthById = new Map<string, Health>()
const requestedAt = new Map<string, number>() // request times
const listeners = new Set<() => void>()
let pendingIds: string[] = []

/** IDs requested within 20 ms are sent as one request. */
const requestHealth = (id: string): void => {
  const now = Date.now()
  if (now - (requestedAt.get(id) ?? 0) < FRESH_MS) return
  requestedAt.set(id, now)
  if (pendingIds.push(id) === 1) setTimeout(sendBatch, BATCH_MS)
}

const sendBatch = async (): Promise<void> => {
  const all = pendingIds
  pendingIds = []
  while (all.length > 0) {
    const ids = all.splice(0, MAX_IDS)
    const found = await api
      .get<Record<string, Health>>('/ui/health', { query: { ids: ids.join() } })
      .catch((): Record<string, Health> => ({})) // a missing badge must not break the page
    for (const id of ids) if (found[id]) healthById.set(id, found[id])
    for (const listener of listeners) listener()
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Loads the health of resources outside of React and calls back when it is known or changes. */
export const watchHealth = (ids: readonly string[], onChange: (find: (id: string) => Health | undefined) => void): (() => void) => {
  const listener = () => onChange((id) => healthById.get(id))
  for (const id of ids) requestHealth(id)
  listener()
  return subscribe(listener)
}

/** Asks again for everything that was shown: an incident changes the health of all resources downstream. */
export const refreshHealth = (): void => {
  const shown = [...healthById.keys()].slice(-MAX_REFRESHED)
  requestedAt.clear()
  for (const id of shown) requestHealth(id)
}
const MAX_REFRESHED = 1000

/** The health of a resource, and whether it is deprecated; undefined until it is loaded. */
export const useHealth = (id = ''): Health | undefined => {
  useEffect(() => {
    if (id) requestHealth(id)
  }, [id])
  return useSyncExternalStore(subscribe, () => healthById.get(id))
}
