import type { Json } from '../../platform/core/json-value.ts'
import type { Dataset, Facets } from './event.ts'
import { toBoundedText, toJsonObject, toJsonObjects } from './json-values.ts'

/** Column lineage from facets. Pure. */
export interface ColumnFlow {
  readonly from: { readonly namespace: string; readonly name: string; readonly field: string }
  /** Null: it affects which rows exist. */
  readonly to: string | null
  readonly kind: 'identity' | 'expression' | 'aggregation' | 'filter'
}

const MAX_FLOWS = 10_000

/**
 * Version 1-0-x of the column lineage facet has one transformation per field, later versions one per input, and support whole datasets. The
 * newer lineage facet uses other names for the inputs.
 */
export const parseColumnFlows = ({ columnLineage, lineage }: Facets): ColumnFlow[] => {
  const inputs = (values: unknown, to: string | null, defaultType: unknown) =>
    toJsonObjects(values).flatMap((input): ColumnFlow[] => {
      const [namespace, name, field] = [toBoundedText(input.namespace), toBoundedText(input.name), toBoundedText(input.field)]
      if (!namespace || !name || !field) return []
      return [
        {
          from: { namespace, name, field },
          to,
          kind: to === null ? 'filter' : getFlowKind(toJsonObjects(input.transformations), defaultType),
        },
      ]
    })
  return [
    ...Object.entries(toJsonObject(columnLineage?.fields)).flatMap(([to, field]) =>
      inputs(toJsonObject(field).inputFields, to, toJsonObject(field).transformationType),
    ),
    ...Object.entries(toJsonObject(lineage?.fields)).flatMap(([to, field]) => inputs(toJsonObject(field).inputs, to, undefined)),
    ...inputs(columnLineage?.dataset, null, undefined),
    ...inputs(lineage?.inputs, null, undefined),
  ].slice(0, MAX_FLOWS)
}

/** An indirect input (a join, a window) is not the origin of a value, but the value depends on it. */
const getFlowKind = (transformations: readonly Json[], defaultType: unknown): ColumnFlow['kind'] => {
  const subtypes = transformations.filter(({ type }) => type === 'DIRECT').map(({ subtype }) => subtype)
  if (subtypes.includes('AGGREGATION')) return 'aggregation'
  if (transformations.length === 0) return defaultType === 'IDENTITY' ? 'identity' : 'expression'
  return subtypes.length > 0 && subtypes.every((subtype) => subtype === 'IDENTITY') ? 'identity' : 'expression'
}

const MAX_NAMED_DATASETS = 1000

/** Datasets named only in column lineage are inputs as well. */
export const findImpliedInputs = ({ facets }: Dataset): Pick<Dataset, 'namespace' | 'name'>[] => [
  ...parseColumnFlows(facets).map(({ from }) => from),
  ...toJsonObjects(facets.lineage?.inputs)
    .slice(0, MAX_NAMED_DATASETS)
    .flatMap(({ namespace, name, type }) =>
      type !== 'JOB' && toBoundedText(namespace) && toBoundedText(name) ? [{ namespace: namespace as string, name: name as string }] : [],
    ),
]

/** Moves the lineage facets of a job or run to the datasets they describe; datasets named only there become outputs. */
export const distributeLineage = (outputs: readonly Dataset[], ...facetSets: readonly Facets[]): Dataset[] => {
  const datasets = new Map(outputs.map((output) => [`${output.namespace}\0${output.name}`, output]))
  for (const entry of facetSets.flatMap(({ lineage }) => toJsonObjects(lineage?.lineage)).slice(0, MAX_NAMED_DATASETS)) {
    const [namespace, name] = [toBoundedText(entry.namespace), toBoundedText(entry.name)]
    if (!namespace || !name || entry.type === 'JOB') continue
    const key = `${namespace}\0${name}`
    const output = datasets.get(key) ?? { namespace, name, facets: {}, use: {} }
    datasets.set(key, { ...output, facets: { ...output.facets, lineage: { ...entry, ...output.facets.lineage } } })
  }
  return [...datasets.values()]
}
