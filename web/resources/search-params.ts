import { type LineageSearch, parseLineageSearch } from '../lineage/graph/search-params.ts'

/** URL state of a resource page: the tab and its own state. */
export interface ResourceSearch extends LineageSearch {
  readonly tab?: string
  /** Filter of the columns tab. */
  readonly q?: string
  /** Order of the columns tab; absent: as in the source. */
  readonly sort?: ColumnSort
  /** The column whose expressions the code tab highlights. */
  readonly column?: string
  /** The column that a new discussion is about. */
  readonly about?: string
  /** Opens the editor. */
  readonly edit?: string
  /** Opens the form of a new question. */
  readonly ask?: string
}

/** A `-` before it: descending. */
const COLUMN_SORTS = ['title', 'type', 'key', 'tags', 'null', 'distinct', 'lineage', 'description'] as const
export type ColumnSort = (typeof COLUMN_SORTS)[number] | `-${(typeof COLUMN_SORTS)[number]}`

const toOptionalText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

export const parseResourceSearch = (params: Record<string, unknown>): ResourceSearch => ({
  ...parseLineageSearch(params),
  tab: toOptionalText(params.tab),
  q: toOptionalText(params.q),
  sort: COLUMN_SORTS.flatMap((each): ColumnSort[] => [each, `-${each}`]).find((each) => each === params.sort),
  column: toOptionalText(params.column),
  about: toOptionalText(params.about),
  edit: toOptionalText(params.edit),
  ask: toOptionalText(params.ask),
})
