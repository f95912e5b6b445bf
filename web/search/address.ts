import { t } from '../words/words.ts'

/** URL state of the catalog: everything that decides what is shown, so that the link can be shared. */
export const FACETS = ['entity_type', 'integration', 'owners', 'tags', 'published', 'verified', 'pii', 'stale'] as const
export type FacetName = (typeof FACETS)[number]

export const COLUMNS = ['description', 'owners', 'tags', 'flags', 'integration', 'usage', 'rows', 'updated'] as const
export type ColumnName = (typeof COLUMNS)[number]

export const SORTS = {
  relevance: t('Best match'),
  usage: t('Most used'),
  title: t('Name'),
  updated: t('Recently updated'),
  created: t('Newest'),
} as const
export type SortName = keyof typeof SORTS

/** The sort order; by default relevance with a search term, usage without. */
export const sortOf = ({ q, sort }: Pick<SearchAddress, 'q' | 'sort'>): SortName => sort ?? (q ? 'relevance' : 'usage')

/** The sort order for the URL; the default is omitted. */
export const addressedSort = (sort: SortName, q: string | undefined): SearchAddress['sort'] =>
  sort === 'relevance' || (sort === 'usage' && !q) ? undefined : sort

/** Selected facet values. */
export type Choices = { readonly [F in FacetName]?: string }

export type SearchAddress = Choices & {
  readonly q?: string
  /** Absent: relevance with a search term, usage without. */
  readonly sort?: Exclude<SortName, 'relevance'>
  /** Visible columns in order; absent: the default ones. */
  readonly columns?: string
  /** The resource in the preview pane. */
  readonly peek?: string
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined)

export const searchAddress = (said: Record<string, unknown>): SearchAddress => ({
  q: text(said.q)?.slice(0, 500),
  ...Object.fromEntries(FACETS.map((name) => [name, text(said[name])])),
  sort:
    typeof said.sort === 'string' && Object.hasOwn(SORTS, said.sort) && said.sort !== 'relevance'
      ? (said.sort as SearchAddress['sort'])
      : undefined,
  columns: text(said.columns),
  peek: text(said.peek),
})

export const choicesOf = (address: SearchAddress): Choices => Object.fromEntries(FACETS.map((name) => [name, address[name]]))

export const chosenValues = (address: Choices, name: FacetName): readonly string[] => address[name]?.split(',') ?? []

/** The URL state with one facet value toggled. A flag has at most one value. */
export const toggled = <T extends Choices>(address: T, name: FacetName, value: string): T => {
  const before = chosenValues(address, name)
  const flag = value === 'true' || value === 'false'
  const now = before.includes(value) ? before.filter((each) => each !== value) : flag ? [value] : [...before, value]
  return { ...address, [name]: now.length > 0 ? now.join(',') : undefined }
}

export const hasFilters = (address: Choices): boolean => FACETS.some((name) => address[name])
