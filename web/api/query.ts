import { QueryClient } from '@tanstack/react-query'
import { isFailure } from './client.ts'

const FRESH_MS = 10_000 // the stream tells of changes; this only keeps two parts of a page from asking twice

const worthAnotherTry = (count: number, error: unknown): boolean =>
  count < 2 && isFailure(error) && (error.status === 0 || error.status === 503 || error.status === 429)

/** What the app knows of the server. Answers stay on screen while newer ones are fetched. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // Asked even where the browser believes to be offline: a question that waits forever says nothing.
    queries: { networkMode: 'always', staleTime: FRESH_MS, retry: worthAnotherTry, refetchOnWindowFocus: true },
    mutations: { networkMode: 'always', retry: false },
  },
})
