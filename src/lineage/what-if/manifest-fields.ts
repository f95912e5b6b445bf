import { isObject } from '../../platform/core/json-value.ts'

/** The fields of a dbt manifest that are compared with the catalog. Pure. */

const NODE_FIELDS = ['resource_type', 'name', 'alias', 'database', 'schema', 'compiled_code', 'compiled_sql'] as const

export const toObject = (value: unknown): Record<string, unknown> | undefined => (isObject(value) ? value : undefined)

export const isComparedNode = (node: Record<string, unknown>): boolean =>
  node.resource_type === 'model' || node.resource_type === 'snapshot'

/** A manifest without everything else: most of it is about columns, tests and macros. */
export const pickManifestFields = (manifest: unknown): unknown => {
  const all = toObject(manifest)
  if (!all) return manifest
  const nodes = toObject(all.nodes)
  return {
    metadata: all.metadata,
    nodes: nodes && Object.values(nodes).flatMap((each) => pickNodeFields(toObject(each))),
  }
}

const pickNodeFields = (node: Record<string, unknown> | undefined): Record<string, unknown>[] => {
  if (!node || !isComparedNode(node)) return []
  const picked = Object.fromEntries(NODE_FIELDS.map((name) => [name, node[name]]))
  return [{ ...picked, config: { materialized: toObject(node.config)?.materialized } }]
}
