import { type Json, omitEmpty } from '../../platform/core/json-value.ts'
import type { DbtConsumer, DbtNode } from './project.ts'
import { omitEmptyDeep, toList, toObject, toObjects, toObjectValues, toText } from './values.ts'

/** What a project defines besides tables and tests. Pure. */
export const findConsumers = (manifest: Json, nodes: readonly Json[]): (readonly [DbtConsumer['kind'], Json])[] => [
  ...toObjectValues(manifest.exposures).map((node) => ['exposure', node] as const),
  ...toObjectValues(manifest.metrics).map((node) => ['metric', node] as const),
  ...toObjectValues(manifest.semantic_models).map((node) => ['semantic model', node] as const),
  ...toObjectValues(manifest.saved_queries).map((node) => ['saved query', node] as const),
  ...toObjectValues(manifest.functions).map((node) => ['function', node] as const),
  ...nodes.filter(({ resource_type }) => resource_type === 'analysis').map((node) => ['analysis', node] as const),
]

export const toConsumer = (kind: DbtConsumer['kind'], node: Json, base: DbtNode): DbtConsumer => ({
  ...base,
  kind,
  type: toText(node.type),
  label: toText(node.label),
  url: toHttpUrl(toText(node.url)),
  facts: omitEmpty({ ...base.facts, kind, type: node.type, ...toConsumerFacts(kind, node) }),
})

const toHttpUrl = (url: string | null): string | null => (url && /^https?:\/\//i.test(url) ? url : null)

const toConsumerFacts = (kind: DbtConsumer['kind'], node: Json): Json => {
  if (kind === 'exposure') return { maturity: node.maturity }
  if (kind === 'metric')
    return {
      filter: omitEmptyDeep(node.filter),
      type_params: omitEmptyDeep(node.type_params),
      // In manifests up to version 9.
      calculation_method: toText(node.calculation_method),
      expression: toText(node.expression) ?? toText(node.sql),
    }
  if (kind === 'semantic model')
    return {
      model: toText(node.model),
      ...Object.fromEntries(['entities', 'dimensions', 'measures'].map((part) => [part, toParts(node[part])])),
    }
  if (kind === 'saved query') return { query: omitEmptyDeep(node.query_params), exports: toParts(node.exports) }
  if (kind === 'function')
    return {
      place: [node.database, node.schema, node.alias].flatMap((part) => toText(part) ?? []).join('.'),
      language: node.language,
      function_type: toText(toObject(node.config)?.type),
      arguments: toParts(node.arguments),
      returns: toText(toObject(node.returns)?.data_type),
    }
  return {}
}

const MAX_PARTS = 200

/** The parts of a definition, without their locations in files. */
const toParts = (parts: unknown): Json[] =>
  toObjects(toList(parts))
    .slice(0, MAX_PARTS)
    .map(({ name, type, agg, expr, data_type, default_value, description }) =>
      omitEmpty({ name, type, agg, expr, data_type, default_value, description }),
    )
