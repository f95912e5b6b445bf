import { useEffect, useSyncExternalStore } from 'react'
import { api } from './client.ts'
import type { Schemas } from './types.ts'

type Health = Schemas['Health'][string]

const MOST = 200 // IDs in one request
const FRESH_MS = 30_000
const GATHER_MS = 20

/** Open incidents by resource. Not TanStack Query: a lineage graph has a thousand boxes, and a query per box costs more than painting them. */
const known = new Map<string, number>()
const asked = new Map<string, number>() // request times
const listeners = new Set<() => void>()
let waiting: string[] = []

/** IDs requested within 20 ms are sent as one request. */
const ask = (id: string): void => {
  const now = Date.now()
  if (now - (asked.get(id) ?? 0) < FRESH_MS) return
  asked.set(id, now)
  if (waiting.push(id) === 1) setTimeout(send, GATHER_MS)
}

const send = async (): Promise<void> => {
  const all = waiting
  waiting = []
  while (all.length > 0) {
    const ids = all.splice(0, MOST)
    const found = await api
      .get<Record<string, Health>>('/ui/health', { query: { ids: ids.join() } })
      .catch((): Record<string, Health> => ({})) // a missing badge must not break the page
    for (const id of ids) known.set(id, found[id]?.open_incidents ?? 0)
    for (const listener of listeners) listener()
  }
}

const listen = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Number of open incidents of a resource; a table includes those of its columns. */
export const useOpenIncidents = (id = ''): number => {
  useEffect(() => {
    if (id) ask(id)
  }, [id])
  return useSyncExternalStore(listen, () => known.get(id) ?? 0)
}
