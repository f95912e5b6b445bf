import { type QueryKey, useMutation } from '@tanstack/react-query'
import { queryClient } from '../api/query-client.ts'
import { EditConflictError, getField, saveEdit } from '../api/save-edit.ts'
import type { Resource, ResourceEdit, ResourceView } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { showErrorToast } from '../ui/toast.tsx'
import { resourceQuery } from './queries.ts'

export const saveResource = (base: Resource, edit: ResourceEdit): Promise<Resource> => saveEdit(`/resource/all/${base.id}`, base, edit)

/** Puts a newer record into the cache of its page. */
export const cacheResource = (resource: Resource): void => {
  queryClient.setQueryData(resourceQuery(resource.id).queryKey, (view) => view && { ...view, resource })
}

/** The cached queries that show the edited resource: its page, or a row of the catalog. */
interface EditTarget {
  /** Queries to cancel: a running request would bring back the old value. */
  readonly queryKey: QueryKey
  readonly exact: boolean
  readonly find: () => Resource | undefined
  readonly keep: (change: Partial<Resource>) => void
}

/** Optimistic edit of a resource, rolled back with a message on an error. */
export const useEditAt = (resource: Resource, { queryKey, exact, find, keep }: EditTarget) =>
  useMutation({
    mutationKey: ['edit', resource.id],
    scope: { id: `edit ${resource.id}` }, // serial: each edit starts from the result of the previous one
    mutationFn: (edit: ResourceEdit) => saveResource({ ...(find() ?? resource), ...pickFields(resource, edit) }, edit),
    onMutate: async (edit) => {
      await queryClient.cancelQueries({ queryKey, exact })
      keep(edit as Partial<Resource>)
      return pickFields(resource, edit)
    },
    onSuccess: (after) => {
      const waiting = findPendingEdits(resource.id)
      keep(Object.assign({}, after, ...waiting))
      if (waiting.length > 0) return // refetching now would bring back values that the pending edits change
      void queryClient.invalidateQueries({ queryKey: ['catalog'] })
      void queryClient.invalidateQueries({ queryKey: ['resource', resource.id] })
    },
    onError: (error, _, before) => {
      keep(error instanceof EditConflictError ? (error.theirs as Resource) : (before ?? {}))
      showErrorToast(t('Not saved.'), error)
      void queryClient.invalidateQueries({ queryKey: ['resource', resource.id] })
    },
  })

/** Edits waiting for the running one; they are already on screen. */
const findPendingEdits = (id: string): readonly Partial<Resource>[] =>
  queryClient
    .getMutationCache()
    .findAll({ mutationKey: ['edit', id], status: 'pending' })
    .slice(1)
    .map(({ state }) => state.variables as Partial<Resource>)

export const useEdit = ({ resource }: ResourceView) => {
  const { queryKey } = resourceQuery(resource.id)
  const find = () => queryClient.getQueryData(queryKey)?.resource
  return useEditAt(resource, { queryKey, exact: true, find, keep: (change) => cacheResource({ ...(find() ?? resource), ...change }) })
}

/** The current values of the edited fields. */
const pickFields = (resource: Resource, edit: ResourceEdit): Partial<Resource> =>
  Object.fromEntries(Object.keys(edit).map((field) => [field, getField(resource, field)]))
