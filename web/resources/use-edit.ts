import { useMutation } from '@tanstack/react-query'
import { api, Failure, isFailure } from '../api/client.ts'
import { queryClient } from '../api/query.ts'
import type { Resource, ResourceEdit } from '../api/types.ts'
import { toldFailure } from '../ui/toast.tsx'
import { type ResourceView, resourceQuery } from './queries.ts'

/** Somebody else changed the same field in between. */
export class Conflict extends Failure {
  readonly theirs: Resource

  constructor(theirs: Resource, fields: readonly string[]) {
    super(412, { code: 'conflict', detail: `Somebody else changed the ${fields.join(' and ')} meanwhile. What they wrote is shown now.` })
    this.theirs = theirs
  }
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * Writes an edit made on `base`. When the record is newer than that, but not in the fields of the edit, it is simply made on the newer one;
 * else it is a conflict, and nothing is written.
 */
export const saveEdit = async (base: Resource, edit: ResourceEdit): Promise<Resource> => {
  let seen = base
  for (let attempt = 0; ; attempt++)
    try {
      return await api.patch<Resource>(`/resource/all/${base.id}`, edit, { if_match: seen })
    } catch (error) {
      if (!isFailure(error, 'precondition_failed') || attempt === 3) throw error
      seen = await api.get<Resource>(`/resource/all/${base.id}`)
      const fields = Object.keys(edit).filter((field) => !same(at(seen, field), at(base, field)))
      if (fields.length > 0) throw new Conflict(seen, fields)
    }
}

const at = (record: object, field: string): unknown => (record as Record<string, unknown>)[field]

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
      return saveEdit({ ...now, ...fieldsOf(resource, edit) }, edit)
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
      keepResource(error instanceof Conflict ? error.theirs : { ...resource, ...fieldsOf(resource, edit) })
      toldFailure('Not saved.', error)
      void queryClient.invalidateQueries({ queryKey: ['resource', resource.id] })
    },
  })
}

/** The fields of an edit as the record has them. */
const fieldsOf = (resource: Resource, edit: ResourceEdit): Partial<Resource> =>
  Object.fromEntries(Object.keys(edit).map((field) => [field, at(resource, field)]))
