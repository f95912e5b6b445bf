import { t } from '../i18n/messages.ts'

/** URL state of the catalog: everything that decides what is shown, so that the link can be shared. */
export const FACETS = ['entity_type', 'integration', 'owners', 'tags', 'health', 'published', 'verified', 'pii', 'stale'] as const
export type FacetName = (typeof FACETS)[number]

export const COLUMNS = ['description', 'owners', 'tags', 'flags', 'integration', 'usage', 'rows', 'updated'] as const
export type ColumnName = (typeof COLUMNS)[number]

export const SORTS = {
  relevance: t('Best match'),
  usage: t('Most used'),
  title: t('Name'),
  updated: t('Recently updated'),
  created: t('Newest'),
  health: t('Health'),
} as const
export type SortName = keyof typeof SORTS

/** The sort order; by default relevance with a search term, usage without. */
export const getSort = ({ q, sort }: Pick<CatalogSearch, 'q' | 'sort'>): SortName => sort ?? (q ? 'relevance' : 'usage')

/** The sort order for the URL; the default is omitted. */
export const toSortParam = (sort: SortName, q: string | undefined): CatalogSearch['sort'] =>
  sort === 'relevance' || (sort === 'usage' && !q) ? undefined : sort

/** Selected facet values. */
export type FacetSelection = { readonly [F in FacetName]?: string }

export type CatalogSearch = FacetSelection & {
  readonly q?: string
  /** Absent: relevance with a search term, usage without. */
  readonly sort?: Exclude<SortName, 'relevance'>
  /** Visible columns in order; absent: the default ones. */
  readonly columns?: string
  /** The resource in the preview pane. */
  readonly peek?: string
}

const toOptionalText = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined)

export const parseCatalogSearch = (params: Record<string, unknown>): CatalogSearch => ({
  q: toOptionalText(params.q)?.slice(0, 500),
  ...Object.fromEntries(FACETS.map((name) => [name, toOptionalText(params[name])])),
  sort:
    typeof params.sort === 'string' && Object.hasOwn(SORTS, params.sort) && params.sort !== 'relevance'
      ? (params.sort as CatalogSearch['sort'])
      : undefined,
  columns: toOptionalText(params.columns),
  peek: toOptionalText(params.peek),
})

export const getFacetSelection = (address: CatalogSearch): FacetSelection => Object.fromEntries(FACETS.map((name) => [name, address[name]]))

export const getSelectedValues = (address: FacetSelection, name: FacetName): readonly string[] => address[name]?.split(',') ?? []

/** The URL state with one facet value toggled. A flag has at most one value. */
export const toggleFacetValue = <T extends FacetSelection>(address: T, name: FacetName, value: string): T => {
  const before = getSelectedValues(address, name)
  const flag = value === 'true' || value === 'false'
  const now = before.includes(value) ? before.filter((each) => each !== value) : flag ? [value] : [...before, value]
  return { ...address, [name]: now.length > 0 ? now.join(',') : undefined }
}

export const hasFilters = (address: FacetSelection): boolean => FACETS.some((name) => address[name])
