import { useMutation } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { t } from '../i18n/messages.ts'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { planMove } from './plan-move.ts'
import { type DocumentRecord, documentListQuery } from './queries.ts'

export interface Destination {
  /** Null: the top level. */
  readonly parent: string | null
  /** Among the documents there, without the moved one; absent: at the end. */
  readonly index?: number
}

/** The loaded documents of a level, in their order. */
export const findSiblings = (parent: string | null): readonly DocumentRecord[] => {
  const list = queryClient.getQueryData(documentListQuery({ entity_type: 'document', parent }).queryKey)
  return list?.pages.flatMap(({ results }) => results) ?? []
}

const savePosition = (id: string, edit: { readonly parent?: string | null; readonly sort_order: number | null }) =>
  api.patch(`/document/${id}`, edit)

/** Moves a document to another parent or position, with Undo. */
export const useMove = () => {
  const move = useMutation({
    mutationFn: async ({ document: { id }, to: { parent, index } }: { document: DocumentRecord; to: Destination }) => {
      const siblings = findSiblings(parent).filter((each) => each.id !== id)
      if (index === undefined) return savePosition(id, { parent, sort_order: null })
      const { sort_order, others } = planMove(siblings, index)
      for (const other of others) await savePosition(other.id, { sort_order: other.sort_order })
      return savePosition(id, { parent, sort_order })
    },
    onSuccess: async (_, { document }) => {
      await refresh(document.id)
      showToast(t('Moved'), () => undo.mutate(document))
    },
    onError: (error) => showErrorToast(t('Not saved.'), error),
  })
  const undo = useMutation({
    mutationFn: ({ id, parent, sort_order = null }: DocumentRecord) => savePosition(id, { parent, sort_order }),
    onSuccess: (_, { id }) => refresh(id),
    onError: (error) => showErrorToast(t('Not saved.'), error),
  })
  return move
}

const refresh = (id: string) => Promise.all([['catalog'], ['resource', id]].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
