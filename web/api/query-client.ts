import { QueryClient } from '@tanstack/react-query'
import { isApiError } from './client.ts'

const FRESH_MS = 10_000 // the event stream invalidates earlier; this only keeps two parts of a page from fetching the same twice

const shouldRetry = (count: number, error: unknown): boolean =>
  count < 2 && isApiError(error) && (error.status === 0 || error.status === 503 || error.status === 429)

/** The query cache. Old data stays on screen while newer data is fetched. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // Also when the browser reports being offline: a paused query would show neither data nor an error.
    queries: { networkMode: 'always', staleTime: FRESH_MS, retry: shouldRetry, refetchOnWindowFocus: true },
    mutations: { networkMode: 'always', retry: false },
  },
})
