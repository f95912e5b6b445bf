import { useMutation } from '@tanstack/react-query'
import { queryClient } from '../api/query.ts'
import { told, toldFailure } from '../ui/toast.tsx'

interface Writing<T, V> {
  readonly perform: (value: V) => Promise<T>
  /** Query keys to invalidate afterwards, by their first element. */
  readonly old: readonly string[]
  /** Toast on success. */
  readonly done?: string
  /** Title of the error toast; without it the form shows the error itself. */
  readonly failed?: string
  readonly onDone?: (answer: T) => void
}

/** Mutation for settings: performs the request, then invalidates the queries that show the result. */
export const useWrite = <T, V = void>({ perform, old, done, failed, onDone }: Writing<T, V>) =>
  useMutation<T, Error, V>({
    mutationFn: perform,
    onSuccess: async (answer) => {
      await Promise.all(old.map((noun) => queryClient.invalidateQueries({ queryKey: [noun] })))
      if (done) told(done)
      onDone?.(answer)
    },
    onError: (error) => {
      if (failed) toldFailure(failed, error)
    },
  })
