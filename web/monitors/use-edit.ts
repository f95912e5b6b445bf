import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '../api/query-client.ts'
import { EditConflictError, saveEdit } from '../api/save-edit.ts'
import { t } from '../i18n/messages.ts'
import { showErrorToast } from '../ui/toast.tsx'
import { type Monitor, type MonitorEdit, monitorQuery } from './queries.ts'

/** Invalidates every query that shows monitors. */
export const invalidateMonitors = (id?: string): void => {
  for (const queryKey of [['monitors'], ['incidents'], ['home'], ...(id ? [['monitor', id]] : [])])
    void queryClient.invalidateQueries({ queryKey })
}

export interface MonitorEditing {
  /** Saves an edit made on `base`; without it, on the monitor on screen. */
  readonly save: (edit: MonitorEdit, base?: Monitor) => void
  /** A concurrent edit of the same fields: the saved monitor and the rejected edit. */
  readonly conflict?: { readonly theirs: Monitor; readonly edit: MonitorEdit }
  readonly keepMine: () => void
  readonly takeTheirs: () => void
}

/** Edits a monitor in place: plain fields update optimistically and roll back with an error toast when the server rejects them. */
export const useEditMonitor = (monitor: Monitor): MonitorEditing => {
  const { id } = monitor
  const { queryKey } = monitorQuery(id)
  const [conflict, setConflict] = useState<MonitorEditing['conflict']>()
  const { mutate } = useMutation({
    scope: { id: `monitor ${id}` },
    mutationFn: ({ edit, base }: { edit: MonitorEdit; base: Monitor }) => saveEdit(`/monitor/monitors/${id}`, base, edit),
    onMutate: async ({ edit: { name, is_enabled } }) => {
      await queryClient.cancelQueries({ queryKey, exact: true })
      const before = queryClient.getQueryData(queryKey)
      if (before) queryClient.setQueryData(queryKey, { ...before, name: name ?? before.name, is_enabled: is_enabled ?? before.is_enabled })
      return before
    },
    onSuccess: (after) => {
      queryClient.setQueryData(queryKey, after)
      invalidateMonitors(id)
    },
    onError: (error, { edit }, before) => {
      if (error instanceof EditConflictError) {
        const theirs = error.theirs as Monitor
        queryClient.setQueryData(queryKey, theirs)
        return setConflict({ theirs, edit })
      }
      if (before) queryClient.setQueryData(queryKey, before)
      showErrorToast(t('Not saved.'), error)
    },
  })
  return {
    save: (edit, base = monitor) => mutate({ edit, base }),
    conflict,
    keepMine: () => {
      if (conflict) mutate({ edit: conflict.edit, base: conflict.theirs })
      setConflict(undefined)
    },
    takeTheirs: () => setConflict(undefined),
  }
}
