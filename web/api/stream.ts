import { queryClient } from './query.ts'
import { bootstrapQuery } from './session.ts'

/**
 * What the server tells by itself: one stream, from which the queries on screen learn that they are old. Query keys begin with their
 * noun, and those about one resource go on with its ID: `['resource', id, …]`.
 */
type Handler = (data: Record<string, unknown>) => void

const invalidate = (...queryKey: unknown[]) => void queryClient.invalidateQueries({ queryKey })
const setUnread: Handler = ({ unread_count }) => {
  queryClient.setQueryData(bootstrapQuery.queryKey, (before) => before && { ...before, unread_count: Number(unread_count) })
  invalidate('inbox')
}

const HANDLERS: Record<string, Handler> = {
  hello: ({ unread_count }) =>
    queryClient.setQueryData(bootstrapQuery.queryKey, (before) => before && { ...before, unread_count: Number(unread_count) }),
  inbox: setUnread,
  access: () => invalidate('bootstrap'),
  'resource.changed': ({ ids }) => {
    if (Array.isArray(ids)) for (const id of ids) invalidate('resource', id)
    else invalidate('resource')
    for (const list of ['catalog', 'tree', 'home']) invalidate(list)
  },
  job: (job) => {
    queryClient.setQueryData(['job', job.id], (before: object | undefined) => ({ ...before, ...job }))
    invalidate('jobs')
  },
  incident: ({ id, monitor }) => {
    for (const key of [['incident', id], ['incidents'], ['monitor', monitor], ['monitors'], ['home']]) invalidate(...key)
  },
  monitor: ({ id }) => {
    for (const key of [['monitor', id], ['monitors']]) invalidate(...key)
  },
}

const AGAIN_AFTER_MS = 10_000

const lead = (tell: (name: string, data: Record<string, unknown>) => void, signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    let source: EventSource
    let timer: ReturnType<typeof setTimeout> | undefined
    const open = () => {
      source = new EventSource('/api/v1/ui/stream')
      for (const name of Object.keys(HANDLERS))
        source.addEventListener(name, (event) => tell(name, JSON.parse((event as MessageEvent<string>).data)))
      source.onerror = () => {
        if (source.readyState !== EventSource.CLOSED) return // it comes back by itself
        invalidate('bootstrap') // refused: perhaps the session ended
        timer = setTimeout(open, AGAIN_AFTER_MS)
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
 * Listens until the returned function is called. One tab holds the stream and passes on what it hears: a browser has six connections to
 * a server, and six open tabs would leave none for anything else.
 */
export const listen = (): (() => void) => {
  const stop = new AbortController()
  const tabs = new BroadcastChannel('tablinum')
  tabs.onmessage = ({ data }) => HANDLERS[data.name]?.(data.data)
  const tell = (name: string, data: Record<string, unknown>) => {
    HANDLERS[name]?.(data)
    tabs.postMessage({ name, data })
  }
  // Locks exist on https and localhost only; elsewhere every tab listens for itself.
  if (navigator.locks)
    navigator.locks.request('tablinum-stream', { signal: stop.signal }, () => lead(tell, stop.signal)).catch(() => {}) // given up while waiting
  else void lead(tell, stop.signal)
  return () => {
    stop.abort()
    tabs.close()
  }
}
