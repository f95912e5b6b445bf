import { useMutation } from '@tanstack/react-query'
import { queryClient } from '../api/query.ts'
import { told, toldFailure } from '../ui/toast.tsx'

interface Writing<T, V> {
  readonly perform: (value: V) => Promise<T>
  /** What is old afterwards: the first words of query keys. */
  readonly old: readonly string[]
  /** Said in passing when it is done. */
  readonly done?: string
  /** What did not happen when it fails; without it the form says so itself. */
  readonly failed?: string
  readonly onDone?: (answer: T) => void
}

/** A change of the settings: done at the server, then what shows it is fetched again. */
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
