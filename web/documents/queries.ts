import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import type { Resource, ResultPage, Schemas } from '../api/types.ts'

/** Queries of documents and terms. */
const PAGE_SIZE = 200
const BY_TITLE = { field: 'title', order: 'asc' }
const BY_POSITION = { field: 'sort_order', order: 'asc', tie_breaker: BY_TITLE }

/** A document as lists return it. */
export type DocumentRecord = Resource & Partial<Pick<Schemas['Document'], 'sort_order' | 'is_template'>>

interface DocumentListParams {
  readonly entity_type: 'document' | 'glossary'
  /** Children of this document; null: top level; absent: all. */
  readonly parent?: string | null
  readonly query?: string
  readonly templates?: boolean
}

/** Documents in their order, or terms by title. The keys are those of the catalog, so that changes elsewhere invalidate them. */
export const documentListQuery = ({ entity_type, parent, query, templates }: DocumentListParams) => {
  const operands: object[] = [{ operator: 'exact', field: 'entity_type', value: entity_type }]
  if (parent === null) operands.push({ operator: 'is_not_set', field: 'parent' })
  else if (parent) operands.push({ operator: 'exact', field: 'parent', value: parent })
  if (query) operands.push({ operator: 'contains', field: 'title', value: query })
  if (templates) operands.push({ operator: 'exact', field: 'is_template', value: true })
  const sort = JSON.stringify(parent === undefined ? BY_TITLE : BY_POSITION)
  const filter = JSON.stringify({ operator: 'and', operands })
  return infiniteQueryOptions({
    queryKey: ['catalog', 'listed', filter],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      api.get<ResultPage<DocumentRecord>>('/resource/catalog', { query: { page, page_size: PAGE_SIZE, filter, sort }, signal }),
    getNextPageParam: ({ meta }) => meta.next_page,
    placeholderData: keepPreviousData,
  })
}

export interface NewDocument {
  readonly title: string
  readonly description?: string
  readonly definition?: string
  /** The ID of a document to copy from. */
  readonly template?: string
  readonly parent?: string
}

export const createDocument = async (entity_type: DocumentListParams['entity_type'], text: NewDocument): Promise<Resource> => {
  const created = await api.post<Resource>(`/${entity_type}`, text)
  await queryClient.invalidateQueries({ queryKey: ['catalog', 'listed'] })
  return created
}
