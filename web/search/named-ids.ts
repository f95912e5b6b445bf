import { useMemo } from 'react'
import type { SearchPage } from '../api/types.ts'
import type { Row } from './queries.ts'
import { isId, PROPERTY_FACET } from './search-params.ts'

const NAMED_FACETS = ['owners', 'integration', 'tags', 'terms', 'teams', 'collections']

/** The IDs in results and facets that are shown by name. */
export const useNamedIds = (rows: readonly Row[], facets: SearchPage['facets']): readonly string[] =>
  useMemo(() => {
    const ids = new Set<string>()
    for (const [name, { values }] of Object.entries(facets ?? {}))
      if (NAMED_FACETS.includes(name) || name.startsWith(PROPERTY_FACET))
        for (const { value, label } of values) if (!label && isId(String(value))) ids.add(String(value))
    for (const { owners, integration, tags, terms } of rows)
      for (const id of [...owners, ...tags, ...terms, ...(integration ? [integration] : [])]) ids.add(id)
    return [...ids]
  }, [rows, facets])
