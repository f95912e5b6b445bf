import { useMutation } from '@tanstack/react-query'
import { queryClient } from '../../api/query-client.ts'
import { showErrorToast, showToast } from '../../ui/toast.tsx'

interface SettingsMutationOptions<T, V> {
  readonly perform: (value: V) => Promise<T>
  /** Query keys to invalidate afterwards, by their first element. */
  readonly staleKeys: readonly string[]
  /** Toast on success. */
  readonly done?: string
  /** Title of the error toast; without it the form shows the error itself. */
  readonly failed?: string
  readonly onSuccess?: (result: T) => void
}

/** Mutation for settings: performs the request, then invalidates the queries that show the result. */
export const useSettingsMutation = <T, V = void>({ perform, staleKeys, done, failed, onSuccess }: SettingsMutationOptions<T, V>) =>
  useMutation<T, Error, V>({
    mutationFn: perform,
    onSuccess: async (result) => {
      await Promise.all(staleKeys.map((noun) => queryClient.invalidateQueries({ queryKey: [noun] })))
      if (done) showToast(done)
      onSuccess?.(result)
    },
    onError: (error) => {
      if (failed) showErrorToast(failed, error)
    },
  })
