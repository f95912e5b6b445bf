import { useMutation } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query.ts'
import { toldFailure } from '../ui/toast.tsx'
import { type Monitor, type MonitorEdit, monitorQuery } from './queries.ts'

/** Everything that shows monitors is old. */
export const monitorsChanged = (id?: string): void => {
  for (const queryKey of [['monitors'], ['incidents'], ['home'], ...(id ? [['monitor', id]] : [])])
    void queryClient.invalidateQueries({ queryKey })
}

/** Edits a monitor in place: plain fields are shown at once, and taken back with a message when the server says no. */
export const useEditMonitor = ({ id }: Monitor) => {
  const { queryKey } = monitorQuery(id)
  return useMutation({
    scope: { id: `monitor ${id}` },
    mutationFn: (edit: MonitorEdit) => api.patch<Monitor>(`/monitor/monitors/${id}`, edit),
    onMutate: async ({ name, is_enabled }) => {
      await queryClient.cancelQueries({ queryKey, exact: true })
      const before = queryClient.getQueryData(queryKey)
      if (before) queryClient.setQueryData(queryKey, { ...before, name: name ?? before.name, is_enabled: is_enabled ?? before.is_enabled })
      return before
    },
    onSuccess: (after) => {
      queryClient.setQueryData(queryKey, after)
      monitorsChanged(id)
    },
    onError: (error, _, before) => {
      if (before) queryClient.setQueryData(queryKey, before)
      toldFailure('Not saved.', error)
    },
  })
}
