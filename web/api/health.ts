import { useEffect, useSyncExternalStore } from 'react'
import { api } from './client.ts'
import type { Schemas } from './types.ts'

type Health = Schemas['Health'][string]

const MAX_IDS = 200 // IDs in one request
const FRESH_MS = 30_000
const BATCH_MS = 20

/** Open incidents by resource. Not TanStack Query: a lineage graph has a thousand boxes, and a query per box costs more than painting them. */
const openIncidents = new Map<string, number>()
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
    for (const id of ids) openIncidents.set(id, found[id]?.open_incidents ?? 0)
    for (const listener of listeners) listener()
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Number of open incidents of a resource; a table includes those of its columns. */
export const useOpenIncidents = (id = ''): number => {
  useEffect(() => {
    if (id) requestHealth(id)
  }, [id])
  return useSyncExternalStore(subscribe, () => openIncidents.get(id) ?? 0)
}
