import { type QueryKey, useMutation } from '@tanstack/react-query'
import { queryClient } from '../api/query.ts'
import { at, Conflict, saveEdit } from '../api/save-edit.ts'
import type { Resource, ResourceEdit } from '../api/types.ts'
import { toldFailure } from '../ui/toast.tsx'
import { t } from '../words/words.ts'
import { type ResourceView, resourceQuery } from './queries.ts'

export const saveResource = (base: Resource, edit: ResourceEdit): Promise<Resource> => saveEdit(`/resource/all/${base.id}`, base, edit)

/** Puts a newer record into what is on screen. */
export const keepResource = (resource: Resource): void => {
  queryClient.setQueryData(resourceQuery(resource.id).queryKey, (view) => view && { ...view, resource })
}

/** Where a resource stands on screen while it is edited: its page, a row of the catalog. */
interface Place {
  /** An answer under way would bring back what was there before. */
  readonly queryKey: QueryKey
  readonly exact: boolean
  readonly find: () => Resource | undefined
  readonly keep: (change: Partial<Resource>) => void
}

/** Edits a resource in place: shown at once, and taken back with a message when the server says no. */
export const useEditAt = (resource: Resource, { queryKey, exact, find, keep }: Place) =>
  useMutation({
    mutationKey: ['edit', resource.id],
    scope: { id: `edit ${resource.id}` }, // one after the other: each starts from what the last one left
    mutationFn: (edit: ResourceEdit) => saveResource({ ...(find() ?? resource), ...fieldsOf(resource, edit) }, edit),
    onMutate: async (edit) => {
      await queryClient.cancelQueries({ queryKey, exact })
      keep(edit as Partial<Resource>)
      return fieldsOf(resource, edit)
    },
    onSuccess: (after) => {
      const waiting = waitingOn(resource.id)
      keep(Object.assign({}, after, ...waiting))
      if (waiting.length > 0) return // an answer now would bring back what they are about to change
      void queryClient.invalidateQueries({ queryKey: ['catalog'] })
      void queryClient.invalidateQueries({ queryKey: ['resource', resource.id] })
    },
    onError: (error, _, before) => {
      keep(error instanceof Conflict ? (error.theirs as Resource) : (before ?? {}))
      toldFailure(t('Not saved.'), error)
      void queryClient.invalidateQueries({ queryKey: ['resource', resource.id] })
    },
  })

/** Edits that wait for the one under way: they are on screen already. */
const waitingOn = (id: string): readonly Partial<Resource>[] =>
  queryClient
    .getMutationCache()
    .findAll({ mutationKey: ['edit', id], status: 'pending' })
    .slice(1)
    .map(({ state }) => state.variables as Partial<Resource>)

export const useEdit = ({ resource }: ResourceView) => {
  const { queryKey } = resourceQuery(resource.id)
  const find = () => queryClient.getQueryData(queryKey)?.resource
  return useEditAt(resource, { queryKey, exact: true, find, keep: (change) => keepResource({ ...(find() ?? resource), ...change }) })
}

/** The fields of an edit as the record has them. */
const fieldsOf = (resource: Resource, edit: ResourceEdit): Partial<Resource> =>
  Object.fromEntries(Object.keys(edit).map((field) => [field, at(resource, field)]))
