/** What a saved view of the catalog shows, as parameters of the list. Pure. The web app reads the same query string (web/search/search-params.ts). */
export interface ViewSearch {
  readonly search_term?: string
  readonly spelling?: 'off'
  readonly filter?: string
}

const FACETS = [
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
]

export const toViewSearch = (query: string): ViewSearch => {
  const params = new URLSearchParams(query)
  const facets = FACETS.flatMap((field): unknown[] => {
    const value = params.get(field)
    if (!value) return []
    if (value === 'true' || value === 'false') return [{ operator: 'exact', field, value: value === 'true' }]
    return [{ operator: 'in', field, value: value.split(',') }]
  })
  const properties = Object.entries(parseObject(params.get('properties'))).map(([id, value]) => ({
    operator: 'in',
    field: `custom_property:${id}`,
    value,
  }))
  const filter = params.get('filter')
  // The text of a filter is kept: its parser names the place of an error in it.
  const operands = [...(filter ? [filter] : []), ...[...facets, ...properties].map((each) => JSON.stringify(each))]
  const term = params.get('q')?.trim()
  return {
    ...(term ? { search_term: term } : {}),
    ...(params.get('spelling') === 'off' ? { spelling: 'off' as const } : {}),
    ...(operands.length > 0
      ? { filter: operands.length === 1 ? operands[0] : `{"operator":"and","operands":[${operands.join(',')}]}` }
      : {}),
  }
}

const parseObject = (text: string | null): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
