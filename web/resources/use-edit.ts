import { useMutation } from '@tanstack/react-query'
import { queryClient } from '../api/query.ts'
import { at, Conflict, saveEdit } from '../api/save-edit.ts'
import type { Resource, ResourceEdit } from '../api/types.ts'
import { toldFailure } from '../ui/toast.tsx'
import { type ResourceView, resourceQuery } from './queries.ts'

export const saveResource = (base: Resource, edit: ResourceEdit): Promise<Resource> => saveEdit(`/resource/all/${base.id}`, base, edit)

/** Puts a newer record into what is on screen. */
export const keepResource = (resource: Resource): void => {
  queryClient.setQueryData(resourceQuery(resource.id).queryKey, (view) => view && { ...view, resource })
}

/** Edits a resource in place: shown at once, and taken back with a message when the server says no. */
export const useEdit = (view: ResourceView) => {
  const { resource } = view
  return useMutation({
    mutationKey: ['edit', resource.id],
    scope: { id: `edit ${resource.id}` }, // one after the other: each starts from what the last one left
    mutationFn: (edit: ResourceEdit) => {
      const now = queryClient.getQueryData(resourceQuery(resource.id).queryKey)?.resource ?? resource
      return saveResource({ ...now, ...fieldsOf(resource, edit) }, edit)
    },
    onMutate: async (edit) => {
      await queryClient.cancelQueries({ queryKey: resourceQuery(resource.id).queryKey, exact: true })
      keepResource({ ...resource, ...edit } as Resource)
    },
    onSuccess: (after) => {
      keepResource(after)
      void queryClient.invalidateQueries({ queryKey: ['catalog'] })
      void queryClient.invalidateQueries({ queryKey: ['resource', resource.id] })
    },
    onError: (error, edit) => {
      keepResource(error instanceof Conflict ? (error.theirs as Resource) : { ...resource, ...fieldsOf(resource, edit) })
      toldFailure('Not saved.', error)
      void queryClient.invalidateQueries({ queryKey: ['resource', resource.id] })
    },
  })
}

/** The fields of an edit as the record has them. */
const fieldsOf = (resource: Resource, edit: ResourceEdit): Partial<Resource> =>
  Object.fromEntries(Object.keys(edit).map((field) => [field, at(resource, field)]))
