import type { Resource } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'

type FacetMap = Readonly<Record<string, unknown>>

const getFacets = (metadata: unknown): FacetMap => {
  const { facets } = (metadata ?? {}) as { facets?: FacetMap }
  return typeof facets === 'object' && facets !== null ? facets : {}
}

/** OpenLineage facets of a run, job or dataset that the page does not show elsewhere, as JSON. */
export const OpenLineageFacets = ({ resource: { display_metadata } }: { resource: Resource }) => {
  const facets = Object.entries({ ...getFacets(display_metadata), ...getFacets(display_metadata.openlineage) })
  if (facets.length === 0) return null
  return (
    <section className="grid gap-1 border-b border-line py-2.5">
      <h2 className="text-xs font-semibold text-faint">{t('OpenLineage facets')}</h2>
      {facets.map(([name, facet]) => (
        <details key={name}>
          <summary className="cursor-pointer wrap-anywhere" dir="auto">
            {name}
          </summary>
          <pre
            className="mt-1 max-h-60 overflow-auto rounded-md bg-sunken p-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
            dir="ltr"
          >
            {JSON.stringify(facet, null, 2)}
          </pre>
        </details>
      ))}
    </section>
  )
}
