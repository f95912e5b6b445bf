import type { Dataset, Facets } from './event.ts'
import { type Json, list, object, text } from './facets.ts'

/** Column lineage from facets. Pure. */
export interface ColumnFlow {
  readonly from: { readonly namespace: string; readonly name: string; readonly field: string }
  /** Null: it affects which rows exist. */
  readonly to: string | null
  readonly kind: 'identity' | 'expression' | 'aggregation' | 'filter'
}

const MOST_FLOWS = 10_000

/**
 * Version 1-0-x of the column lineage facet has one transformation per field, later versions one per input, and support whole datasets. The
 * newer lineage facet uses other names for the inputs.
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

/** An indirect input (a join, a window) is not the origin of a value, but the value depends on it. */
const kindOf = (transformations: readonly Json[], usual: unknown): ColumnFlow['kind'] => {
  const subtypes = transformations.filter(({ type }) => type === 'DIRECT').map(({ subtype }) => subtype)
  if (subtypes.includes('AGGREGATION')) return 'aggregation'
  if (transformations.length === 0) return usual === 'IDENTITY' ? 'identity' : 'expression'
  return subtypes.length > 0 && subtypes.every((subtype) => subtype === 'IDENTITY') ? 'identity' : 'expression'
}

const MOST_NAMED = 1000

/** Datasets named only in column lineage are inputs as well. */
export const namedBy = ({ facets }: Dataset): Pick<Dataset, 'namespace' | 'name'>[] => [
  ...columnFlowsOf(facets).map(({ from }) => from),
  ...list(facets.lineage?.inputs)
    .slice(0, MOST_NAMED)
    .flatMap(({ namespace, name, type }) =>
      type !== 'JOB' && text(namespace) && text(name) ? [{ namespace: namespace as string, name: name as string }] : [],
    ),
]

/** Moves the lineage facets of a job or run to the datasets they describe; datasets named only there become outputs. */
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
