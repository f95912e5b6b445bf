import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import type { Column, ResultPage } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'
import { showErrorToast, showToast } from '../../ui/toast.tsx'
import { columnsQuery } from '../queries.ts'
import { saveResource } from '../use-edit.ts'
import type { ColumnEdit } from './column-row.tsx'

interface Described {
  readonly id: string
  readonly description: string | null
}

/** A change of descriptions, in both directions. */
interface DescriptionChange {
  readonly before: readonly Described[]
  readonly after: readonly Described[]
}

/** Changes of descriptions that can be undone and redone, as in a spreadsheet. A new change ends what could be redone. */
export const useDescriptionHistory = (table: string) => {
  const describe = useDescriptions(table)
  const done = useRef<DescriptionChange[]>([])
  const undone = useRef<DescriptionChange[]>([])
  const record = (change: DescriptionChange) => {
    done.current.push(change)
    undone.current = []
  }
  const undo = () => {
    const change = done.current.pop()
    if (!change) return
    undone.current.push(change)
    describe.mutate({ edits: change.before })
  }
  const redo = () => {
    const change = undone.current.pop()
    if (!change) return
    done.current.push(change)
    describe.mutate({ edits: change.after })
  }
  const apply = (change: DescriptionChange) => {
    record(change)
    describe.mutate({ edits: change.after, onUndo: undo })
  }
  return { record, apply, undo, redo }
}

const MAX_EDITS_PER_REQUEST = 100 // the API's limit

/** Saves several descriptions at once, with Undo. */
const useDescriptions = (table: string) => {
  const { queryKey } = columnsQuery(table)
  const put = (edits: readonly Described[]) => {
    const byId = new Map(edits.map(({ id, description }) => [id, description]))
    queryClient.setQueryData(
      queryKey,
      (page: ResultPage<Column> | undefined) =>
        page && { ...page, results: page.results.map((each) => (byId.has(each.id) ? { ...each, description: byId.get(each.id)! } : each)) },
    )
  }
  return useMutation({
    mutationKey: editKey(table),
    mutationFn: async ({ edits }: { edits: readonly Described[]; onUndo?: () => void }) => {
      for (let i = 0; i < edits.length; i += MAX_EDITS_PER_REQUEST)
        await api.post(
          '/resource/all/bulk_update/',
          edits.slice(i, i + MAX_EDITS_PER_REQUEST).map(({ id, description }) => ({ id, data: { description } })),
        )
    },
    onMutate: async ({ edits }) => {
      await queryClient.cancelQueries({ queryKey })
      put(edits)
    },
    onSuccess: (_, { edits, onUndo }) => showToast(t('{n:# description|# descriptions} changed', { n: edits.length }), onUndo),
    onError: (error) => showErrorToast(t('Couldn’t apply all changes.'), error),
    onSettled: () => readAgain(table),
  })
}

const editKey = (table: string) => ['edit columns', table]

/** What is read while another edit is being saved would replace what the page already shows of it. The last one reads everything. */
const readAgain = (table: string): void => {
  if (queryClient.isMutating({ mutationKey: editKey(table) }) === 1) void queryClient.invalidateQueries(columnsQuery(table))
}

/** Optimistic edit, rolled back with a message on an error. */
export const useColumnEdit = (table: string) => {
  const { queryKey } = columnsQuery(table)
  const put = (id: string, change: Partial<Column>) =>
    queryClient.setQueryData(
      queryKey,
      (page: ResultPage<Column> | undefined) =>
        page && { ...page, results: page.results.map((each) => (each.id === id ? { ...each, ...change } : each)) },
    )
  return useMutation({
    mutationKey: editKey(table),
    mutationFn: ({ column, edit }: { column: Column; edit: ColumnEdit }) => saveResource(column, edit),
    onMutate: async ({ column, edit }) => {
      await queryClient.cancelQueries({ queryKey })
      put(column.id, edit)
    },
    onSuccess: ({ id, version, description, pii }) => void put(id, { version, description, pii }),
    onError: (error, { column }) => {
      put(column.id, { description: column.description, pii: column.pii })
      showErrorToast(t('Couldn’t save changes to {title}.', { title: column.title }), error)
    },
    onSettled: () => readAgain(table),
  })
}
