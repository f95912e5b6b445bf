import { t } from '../i18n/messages.ts'

/** URL state of the catalog: everything that decides what is shown, so that the link can be shared. */
export const FACETS = [
  'entity_type',
  'integration',
  'owners',
  'tags',
  'teams',
  'terms',
  'collections',
  'health',
  'published',
  'verified',
  'pii',
  'stale',
] as const
export type FacetName = (typeof FACETS)[number]

export const COLUMNS = ['description', 'owners', 'tags', 'terms', 'flags', 'integration', 'usage', 'rows', 'updated'] as const
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

/** Not counted: health depends on other resources and changes without them. */
export const HEALTH_LABELS: Readonly<Record<string, string>> = {
  incident: t('Open incident'),
  warning: t('Needs attention'),
  ok: t('Healthy'),
}

/** Selected facet values. */
export type FacetSelection = { readonly [F in FacetName]?: string } & {
  /** Selected values of custom properties as JSON: `{"<property ID>": ["gold"]}`. */
  readonly properties?: string
}

export type CatalogSearch = FacetSelection & {
  readonly q?: string
  /** Set to search the words as typed, without spelling corrections. */
  readonly spelling?: 'off'
  /** A filter of the API as JSON. */
  readonly filter?: string
  /** Absent: relevance with a search term, usage without. */
  readonly sort?: Exclude<SortName, 'relevance'>
  /** Visible columns in order; absent: the default ones. */
  readonly columns?: string
  /** Set to show the best results of each type. */
  readonly group?: 'type'
  /** The resource in the preview pane. */
  readonly peek?: string
}

const toOptionalText = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined)

export const parseCatalogSearch = (params: Record<string, unknown>): CatalogSearch => ({
  q: toOptionalText(params.q)?.slice(0, 500),
  spelling: params.spelling === 'off' ? 'off' : undefined,
  ...Object.fromEntries(FACETS.map((name) => [name, toOptionalText(params[name])])),
  properties: toOptionalText(params.properties),
  filter: toOptionalText(params.filter),
  sort:
    typeof params.sort === 'string' && Object.hasOwn(SORTS, params.sort) && params.sort !== 'relevance'
      ? (params.sort as CatalogSearch['sort'])
      : undefined,
  columns: toOptionalText(params.columns),
  group: params.group === 'type' ? 'type' : undefined,
  peek: toOptionalText(params.peek),
})

/** The URL state of a saved view. */
export const parseViewQuery = (query: string): CatalogSearch => parseCatalogSearch(Object.fromEntries(new URLSearchParams(query)))

/** What a view saves: everything but the preview. */
export const toViewQuery = ({ peek: _, ...saved }: CatalogSearch): string =>
  new URLSearchParams(Object.entries(saved).filter((pair): pair is [string, string] => pair[1] !== undefined)).toString()

export const getFacetSelection = (address: CatalogSearch): FacetSelection => ({
  ...Object.fromEntries(FACETS.map((name) => [name, address[name]])),
  properties: address.properties,
})

/** Selected property values by property ID. Anything else in the URL counts as nothing; the server reports it. */
export const getSelectedProperties = ({ properties }: FacetSelection): Readonly<Record<string, readonly string[]>> => {
  try {
    const json: unknown = JSON.parse(properties ?? '{}')
    if (typeof json !== 'object' || json === null) return {}
    return Object.fromEntries(Object.entries(json).filter(([, values]) => Array.isArray(values)))
  } catch {
    return {}
  }
}

/** Whether a facet value is the ID of something with a name. */
export const isId = (value: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)

/** Prefix of the facets of custom properties. */
export const PROPERTY_FACET = 'custom_property:'

export const getSelectedValues = (address: FacetSelection, name: string): readonly string[] =>
  name.startsWith(PROPERTY_FACET)
    ? (getSelectedProperties(address)[name.slice(PROPERTY_FACET.length)] ?? [])
    : (address[name as FacetName]?.split(',') ?? [])

/** The URL state with one facet value toggled. A flag has at most one value. */
export const toggleFacetValue = <T extends FacetSelection>(address: T, name: string, value: string): T => {
  const before = getSelectedValues(address, name)
  const isProperty = name.startsWith(PROPERTY_FACET)
  const flag = !isProperty && (value === 'true' || value === 'false')
  const now = before.includes(value) ? before.filter((each) => each !== value) : flag ? [value] : [...before, value]
  if (!isProperty) return { ...address, [name]: now.length > 0 ? now.join(',') : undefined }
  const { [name.slice(PROPERTY_FACET.length)]: _, ...others } = getSelectedProperties(address)
  const properties = now.length > 0 ? { ...others, [name.slice(PROPERTY_FACET.length)]: now } : others
  return { ...address, properties: Object.keys(properties).length > 0 ? JSON.stringify(properties) : undefined }
}

/** Neither a facet value is selected nor a filter set. */
export const NO_FILTERS: FacetSelection & { readonly filter: undefined } = {
  ...Object.fromEntries(FACETS.map((name) => [name, undefined])),
  properties: undefined,
  filter: undefined,
}

export const hasFilters = (address: FacetSelection & { readonly filter?: string }): boolean =>
  FACETS.some((name) => address[name]) || !!address.properties || !!address.filter
