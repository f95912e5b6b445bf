import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Column, Resource, ResourceBrief, ResourceView, ResultPage, Schemas } from '../api/types.ts'

/** Queries of a resource page. Keys start with `['resource', id]`, so that an event invalidates them together. */
export const resourceQuery = (id: string) =>
  queryOptions({ queryKey: ['resource', id], queryFn: ({ signal }) => api.get<ResourceView>(`/ui/resource/${id}`, { signal }) })

/** For each field, whether a person or a source set it. */
export const provenanceQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', id, 'provenance'],
    queryFn: ({ signal }) => api.get<Schemas['Provenance'][]>(`/resource/all/${id}/provenance`, { signal }),
  })

/** What a user may do with the resource, and why. Depends on role and teams as well, so it is never cached. */
export const accessQuery = (id: string, user: string) =>
  queryOptions({
    queryKey: ['resource', id, 'access', user],
    queryFn: ({ signal }) => api.get<Schemas['Access']>(`/resource/all/${id}/access`, { query: { user }, signal }),
    staleTime: 0,
  })

const COLUMNS_PAGE_SIZE = 1000

/** All columns of a table; filtered in the browser. */
export const columnsQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', id, 'columns'],
    queryFn: async ({ signal }): Promise<ResultPage<Column>> => {
      const fetchPage = (page: number) =>
        api.get<ResultPage<Column>>('/table/columns', { query: { parent_id: id, page_size: COLUMNS_PAGE_SIZE, page }, signal })
      const first = await fetchPage(1)
      const results = [...first.results]
      for (let page = 2; page <= first.total_pages; page++) results.push(...(await fetchPage(page)).results)
      return { ...first, results }
    },
  })

export const FIRST_COLUMNS = 12

export const firstColumnsQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', id, 'columns', FIRST_COLUMNS],
    queryFn: ({ signal }) => api.get<ResultPage<Column>>('/table/columns', { query: { parent_id: id, page_size: FIRST_COLUMNS }, signal }),
  })

export const firstColumnFactsQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', id, 'column-facts', FIRST_COLUMNS],
    queryFn: ({ signal }) => api.get<Schemas['ColumnFactsById']>(`/ui/columns/${id}`, { query: { limit: FIRST_COLUMNS }, signal }),
  })

/** Keys, statistics, lineage counts and health of all columns, by ID. */
export const columnFactsQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', id, 'column-facts'],
    queryFn: ({ signal }) => api.get<Schemas['ColumnFactsById']>(`/ui/columns/${id}`, { signal }),
  })

export const codeQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', id, 'code'],
    queryFn: ({ signal }) => api.get<Schemas['Code']>(`/resource/all/${id}/code`, { signal }),
  })

/** How the columns of a table changed in its source, newest first. */
export const schemaHistoryQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['resource', id, 'schema'],
    initialPageParam: '',
    queryFn: ({ pageParam: cursor, signal }) =>
      api.get<Schemas['SchemaHistoryPage']>(`/table/tables/${id}/schema_history`, { query: { cursor, page_size: 50 }, signal }),
    getNextPageParam: ({ meta }) => meta.next_cursor,
  })

/** Uses and views on each day. */
export const usageQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', id, 'usage'],
    queryFn: ({ signal }) => api.get<Schemas['ResourceUsage']>(`/resource/all/${id}/usage`, { signal }),
  })

/** The runs of a job, newest first. */
export const runsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['resource', id, 'runs'],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      api.get<ResultPage<Schemas['JobRun']>>(`/resource/all/${id}/runs`, { query: { page, page_size: 50 }, signal }),
    getNextPageParam: ({ meta }) => meta.next_page,
  })

/** Children of a resource that is not a table: schemas, tables, charts. */
export const childrenQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['resource', id, 'children'],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      api.get<ResultPage<Resource>>('/resource/catalog', {
        query: { parent_id: id, page, page_size: 200, sort: '{"field":"title","order":"asc"}' },
        signal,
      }),
    getNextPageParam: ({ meta }) => meta.next_page,
  })

type ResourceLog = Pick<Schemas['ResourceLogPage'], 'version_histories' | 'non_versioned_logs'> & {
  readonly meta: { next_page: number | null }
}

/** The full log for those who can edit the resource, only its versions for others. */
export const logQuery = (id: string, writes: boolean) =>
  infiniteQueryOptions({
    queryKey: ['resource', id, 'log', writes],
    initialPageParam: 1,
    queryFn: async ({ pageParam: page, signal }): Promise<ResourceLog> => {
      if (writes)
        return api.get<Schemas['ResourceLogPage']>('/activity_log/resource_logs/', {
          query: { resource_id: id, page, page_size: 50 },
          signal,
        })
      const { results, meta } = await api.get<Schemas['VersionHistoryPage']>(`/resource/all/${id}/versions`, {
        query: { page, page_size: 50 },
        signal,
      })
      return { version_histories: results, non_versioned_logs: [], meta }
    },
    getNextPageParam: ({ meta }) => meta.next_page,
  })

export const questionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', id, 'questions'],
    queryFn: ({ signal }) =>
      api.get<ResultPage<Schemas['Question']>>('/question/questions', {
        query: {
          filter: JSON.stringify({ operator: 'exact', field: 'base_entity_id', value: id }),
          sort: '{"field":"created_at","order":"desc"}',
          page_size: 100,
        },
        signal,
      }),
  })

const MAX_COMMENTS = 500

/** Comments on a resource and its columns, thread by thread. */
export const commentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', id, 'comments'],
    queryFn: ({ signal }) =>
      api.get<ResultPage<Schemas['Comment']>>('/comments', { query: { resource_id: id, page_size: MAX_COMMENTS }, signal }),
  })

export const questionQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', id, 'question'],
    queryFn: ({ signal }) => api.get<Schemas['Question']>(`/question/questions/${id}`, { signal }),
  })

export const repliesQuery = (question: string) =>
  queryOptions({
    queryKey: ['resource', question, 'replies'],
    queryFn: ({ signal }) =>
      api.get<ResultPage<Resource>>('/question/replies', {
        query: { parent_id: question, sort: '{"field":"created_at","order":"asc"}', page_size: 200 },
        signal,
      }),
  })

/** Queries that read this table, the most useful first. */
export const exampleQueriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', id, 'queries'],
    queryFn: ({ signal }) =>
      api.get<ResultPage<Schemas['ExampleQuery']>>(`/resource/all/${id}/queries`, { query: { page_size: 50 }, signal }),
  })

export const backlinksQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', id, 'backlinks'],
    queryFn: ({ signal }) => api.get<ResultPage<ResourceBrief>>(`/resource/all/${id}/backlinks`, { query: { page_size: 100 }, signal }),
  })

/** Open suggested changes of a resource and its columns, or of everything. */
export const changeSuggestionsQuery = (resource_id?: string) =>
  queryOptions({
    queryKey: ['change-suggestions', resource_id ?? null],
    queryFn: ({ signal }) =>
      api.get<ResultPage<Schemas['ChangeSuggestion']>>('/change_suggestions', {
        query: { resource_id, status: 'open', page_size: 50 },
        signal,
      }),
  })
