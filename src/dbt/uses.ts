import type { DbtNode, DbtUse } from './project.ts'
import { given, givenWithin, type Json, listOf, objectOf, objectsOf, textOf, valuesOf } from './values.ts'

/** What a project defines besides tables and tests. Pure. */
export const usesOf = (manifest: Json, nodes: readonly Json[]): (readonly [DbtUse['kind'], Json])[] => [
  ...valuesOf(manifest.exposures).map((node) => ['exposure', node] as const),
  ...valuesOf(manifest.metrics).map((node) => ['metric', node] as const),
  ...valuesOf(manifest.semantic_models).map((node) => ['semantic model', node] as const),
  ...valuesOf(manifest.saved_queries).map((node) => ['saved query', node] as const),
  ...valuesOf(manifest.functions).map((node) => ['function', node] as const),
  ...nodes.filter(({ resource_type }) => resource_type === 'analysis').map((node) => ['analysis', node] as const),
]

export const asUse = (kind: DbtUse['kind'], node: Json, base: DbtNode): DbtUse => ({
  ...base,
  kind,
  type: textOf(node.type),
  label: textOf(node.label),
  url: httpOnly(textOf(node.url)),
  facts: given({ ...base.facts, kind, type: node.type, ...factsOf(kind, node) }),
})

const httpOnly = (url: string | null): string | null => (url && /^https?:\/\//i.test(url) ? url : null)

const factsOf = (kind: DbtUse['kind'], node: Json): Json => {
  if (kind === 'exposure') return { maturity: node.maturity }
  if (kind === 'metric')
    return {
      filter: givenWithin(node.filter),
      type_params: givenWithin(node.type_params),
      // In manifests up to version 9.
      calculation_method: textOf(node.calculation_method),
      expression: textOf(node.expression) ?? textOf(node.sql),
    }
  if (kind === 'semantic model')
    return {
      model: textOf(node.model),
      ...Object.fromEntries(['entities', 'dimensions', 'measures'].map((part) => [part, partsOf(node[part])])),
    }
  if (kind === 'saved query') return { query: givenWithin(node.query_params), exports: partsOf(node.exports) }
  if (kind === 'function')
    return {
      place: [node.database, node.schema, node.alias].flatMap((part) => textOf(part) ?? []).join('.'),
      language: node.language,
      function_type: textOf(objectOf(node.config)?.type),
      arguments: partsOf(node.arguments),
      returns: textOf(objectOf(node.returns)?.data_type),
    }
  return {}
}

const MOST_PARTS = 200

/** The parts of a definition, without their locations in files. */
const partsOf = (parts: unknown): Json[] =>
  objectsOf(listOf(parts))
    .slice(0, MOST_PARTS)
    .map(({ name, type, agg, expr, data_type, default_value, description }) =>
      given({ name, type, agg, expr, data_type, default_value, description }),
    )
