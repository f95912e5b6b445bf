import type { Dataset, Facets } from './event.ts'
import { type Json, list, object, text } from './facets.ts'

/** Which columns come from which, by the facets that say so. Pure. */
export interface ColumnFlow {
  readonly from: { readonly namespace: string; readonly name: string; readonly field: string }
  /** Nothing: it decides which rows there are. */
  readonly to: string | null
  readonly kind: 'identity' | 'expression' | 'aggregation' | 'filter'
}

const MOST_FLOWS = 10_000

/**
 * The column lineage facet: 1-0-x says how with a word for the whole field, later ones for each input, and of whole datasets. The lineage facet,
 * which is to follow it, calls the inputs otherwise.
 */
export const columnFlowsOf = ({ columnLineage, lineage }: Facets): ColumnFlow[] => {
  const inputs = (values: unknown, to: string | null, usual: unknown) =>
    list(values).flatMap((input): ColumnFlow[] => {
      const [namespace, name, field] = [text(input.namespace), text(input.name), text(input.field)]
      if (!namespace || !name || !field) return []
      return [{ from: { namespace, name, field }, to, kind: to === null ? 'filter' : kindOf(list(input.transformations), usual) }]
    })
  return [
    ...Object.entries(object(columnLineage?.fields)).flatMap(([to, field]) =>
      inputs(object(field).inputFields, to, object(field).transformationType),
    ),
    ...Object.entries(object(lineage?.fields)).flatMap(([to, field]) => inputs(object(field).inputs, to, undefined)),
    ...inputs(columnLineage?.dataset, null, undefined),
    ...inputs(lineage?.inputs, null, undefined),
  ].slice(0, MOST_FLOWS)
}

/** An input that only decides about a value (a join, a window) says nothing of where the value comes from: but that it depends on it. */
const kindOf = (transformations: readonly Json[], usual: unknown): ColumnFlow['kind'] => {
  const subtypes = transformations.filter(({ type }) => type === 'DIRECT').map(({ subtype }) => subtype)
  if (subtypes.includes('AGGREGATION')) return 'aggregation'
  if (transformations.length === 0) return usual === 'IDENTITY' ? 'identity' : 'expression'
  return subtypes.length > 0 && subtypes.every((subtype) => subtype === 'IDENTITY') ? 'identity' : 'expression'
}

const MOST_NAMED = 1000

/** Datasets that only the lineage of others names: they are inputs as well. */
export const namedBy = ({ facets }: Dataset): Pick<Dataset, 'namespace' | 'name'>[] => [
  ...columnFlowsOf(facets).map(({ from }) => from),
  ...list(facets.lineage?.inputs)
    .slice(0, MOST_NAMED)
    .flatMap(({ namespace, name, type }) =>
      type !== 'JOB' && text(namespace) && text(name) ? [{ namespace: namespace as string, name: name as string }] : [],
    ),
]

/** What a job or a run says of lineage, said by the datasets it is about: those it does not write otherwise, it writes by that. */
export const withLineage = (outputs: readonly Dataset[], ...voices: readonly Facets[]): Dataset[] => {
  const datasets = new Map(outputs.map((output) => [`${output.namespace}\0${output.name}`, output]))
  for (const entry of voices.flatMap(({ lineage }) => list(lineage?.lineage)).slice(0, MOST_NAMED)) {
    const [namespace, name] = [text(entry.namespace), text(entry.name)]
    if (!namespace || !name || entry.type === 'JOB') continue
    const key = `${namespace}\0${name}`
    const output = datasets.get(key) ?? { namespace, name, facets: {}, use: {} }
    datasets.set(key, { ...output, facets: { ...output.facets, lineage: { ...entry, ...output.facets.lineage } } })
  }
  return [...datasets.values()]
}
