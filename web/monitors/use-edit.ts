import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '../api/query.ts'
import { Conflict, saveEdit } from '../api/save-edit.ts'
import { toldFailure } from '../ui/toast.tsx'
import { t } from '../words/words.ts'
import { type Monitor, type MonitorEdit, monitorQuery } from './queries.ts'

/** Invalidates every query that shows monitors. */
export const monitorsChanged = (id?: string): void => {
  for (const queryKey of [['monitors'], ['incidents'], ['home'], ...(id ? [['monitor', id]] : [])])
    void queryClient.invalidateQueries({ queryKey })
}

export interface Editing {
  /** Saves an edit made on `base`; without it, on the monitor on screen. */
  readonly save: (edit: MonitorEdit, base?: Monitor) => void
  /** A concurrent edit of the same fields: the saved monitor and the rejected edit. */
  readonly conflict?: { readonly theirs: Monitor; readonly edit: MonitorEdit }
  readonly keepMine: () => void
  readonly takeTheirs: () => void
}

/** Edits a monitor in place: plain fields update optimistically and roll back with an error toast when the server rejects them. */
export const useEditMonitor = (monitor: Monitor): Editing => {
  const { id } = monitor
  const { queryKey } = monitorQuery(id)
  const [conflict, setConflict] = useState<Editing['conflict']>()
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
      monitorsChanged(id)
    },
    onError: (error, { edit }, before) => {
      if (error instanceof Conflict) {
        const theirs = error.theirs as Monitor
        queryClient.setQueryData(queryKey, theirs)
        return setConflict({ theirs, edit })
      }
      if (before) queryClient.setQueryData(queryKey, before)
      toldFailure(t('Not saved.'), error)
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
