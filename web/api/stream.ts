import { isApiError } from './client.ts'
import { refreshHealth } from './health.ts'
import { queryClient } from './query-client.ts'
import { bootstrapQuery } from './session.ts'

/**
 * Server-sent events that invalidate queries. Query keys start with a noun; those about one resource continue with its ID:
 * `['resource', id, …]`.
 */
type Handler = (data: Record<string, unknown>) => void

const invalidate = (...queryKey: unknown[]) => void queryClient.invalidateQueries({ queryKey })
const setUnread: Handler = ({ unread_count }) => {
  queryClient.setQueryData(bootstrapQuery.queryKey, (before) => before && { ...before, unread_count: Number(unread_count) })
  invalidate('inbox')
}

const HANDLERS: Record<string, Handler> = {
  hello: ({ unread_count }) => {
    queryClient.setQueryData(bootstrapQuery.queryKey, (before) => before && { ...before, unread_count: Number(unread_count) })
    // The server is back: what a page could not read in the meantime is read again.
    void queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' && !isRejected(state.error) })
  },
  /** Sent to the tabs by the one with the stream: what changed since the last event is unknown. */
  missed: () => void queryClient.invalidateQueries(),
  inbox: setUnread,
  access: () => invalidate('bootstrap'),
  'resource.changed': ({ ids }) => {
    if (Array.isArray(ids)) for (const id of ids) invalidate('resource', id)
    else invalidate('resource')
    for (const list of ['catalog', 'tree', 'home']) invalidate(list)
  },
  job: (job) => {
    // Events have no log, whose last line says why a job failed: one that has ended is read again.
    if (job.completed) invalidate('job', job.id)
    else
      queryClient.setQueryData(['job', job.id], (before: { completed?: unknown } | undefined) =>
        before?.completed ? before : { ...before, ...job },
      )
    invalidate('jobs')
  },
  incident: ({ id, monitor }) => {
    refreshHealth()
    for (const key of [['incident', id], ['incidents'], ['monitor', monitor], ['monitors'], ['home'], ['resource']]) invalidate(...key)
  },
  monitor: ({ id }) => {
    for (const key of [['monitor', id], ['monitors']]) invalidate(...key)
  },
}

/** The server's own decision, e.g. not found, which another attempt does not change. */
const isRejected = (error: unknown): boolean => isApiError(error) && error.status >= 400 && error.status < 500

const RECONNECT_MS = 10_000

const openStream = (dispatch: (name: string, data: Record<string, unknown>) => void, signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    let source: EventSource
    let timer: ReturnType<typeof setTimeout> | undefined
    const open = (isReopened = false) => {
      source = new EventSource('/api/v1/ui/stream')
      // Unlike the browser, which names the last event when it reconnects, a new stream starts with what happens from now on.
      if (isReopened) source.addEventListener('hello', () => dispatch('missed', {}), { once: true })
      for (const name of Object.keys(HANDLERS))
        source.addEventListener(name, (event) => dispatch(name, JSON.parse((event as MessageEvent<string>).data)))
      source.onerror = () => {
        if (source.readyState !== EventSource.CLOSED) return // the browser reconnects
        invalidate('bootstrap') // rejected: the session may have ended
        timer = setTimeout(open, RECONNECT_MS, true)
      }
    }
    open()
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      source.close()
      done()
    })
  })

/**
 * Subscribes until the returned function is called. One tab holds the stream and broadcasts to the others: a browser opens at most six
 * connections to a server, and six tabs would use them all.
 */
export const subscribeToEvents = (): (() => void) => {
  const stop = new AbortController()
  const tabs = new BroadcastChannel('tablinum')
  tabs.onmessage = ({ data }) => HANDLERS[data.name]?.(data.data)
  const dispatch = (name: string, data: Record<string, unknown>) => {
    HANDLERS[name]?.(data)
    tabs.postMessage({ name, data })
  }
  // The Locks API exists on https and localhost only; elsewhere every tab opens its own stream.
  if (navigator.locks)
    navigator.locks.request('tablinum-stream', { signal: stop.signal }, () => openStream(dispatch, stop.signal)).catch(() => {}) // aborted while waiting
  else void openStream(dispatch, stop.signal)
  return () => {
    stop.abort()
    tabs.close()
  }
}
