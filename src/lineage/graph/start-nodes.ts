import { ENTITY_TYPES } from '../../catalog/entity-types/entity-types.ts'
import type { Context } from '../../platform/context/context.ts'
import { invalid, notFound } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { findNestedColumns, findNodeInfo, type GraphLevel, type NodeInfo } from '../edges/links.ts'
import type { Filters } from './graph-schema.ts'
import type { NodeFilter } from './neighbour-counts.ts'

/** Start nodes and filters of graph requests. */

export const getStartNode = async (ctx: Context, text: string, name = 'resource_id'): Promise<NodeInfo> => {
  const id = parseId(text)
  if (!id) throw invalid({ [name]: ['must be a UUID.'] })
  const node = (await findNodeInfo(ctx, [id])).get(id)
  if (!node?.visible) throw notFound('resource', id)
  return node
}

/** At table level a column is replaced by its table; at column level a table by itself and all of its columns. */
export const expandStartNodes = async (ctx: Context, node: NodeInfo, level: GraphLevel): Promise<string[]> => {
  if (level === 'table') return [(await findParentTable(ctx, node)).id]
  return node.entity_type === 'column' ? [node.id] : [node.id, ...(await findNestedColumns(ctx, node.id))]
}

/** The table of a column, if the caller sees it; else the resource itself. */
export const findParentTable = async (ctx: Context, node: NodeInfo): Promise<NodeInfo> => {
  if (node.entity_type !== 'column' || node.parent === null) return node
  const parent = (await findNodeInfo(ctx, [node.parent])).get(node.parent)
  return parent?.visible ? findParentTable(ctx, parent) : node
}

const parseList = (text: string | undefined): string[] | undefined => {
  const parts = text
    ?.split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  return parts?.length ? parts : undefined
}

export const parseNodeFilter = ({ entity_type, without_entity_type, integration_id, include_archived = true }: Filters): NodeFilter => {
  const types = (name: string, text: string | undefined) => {
    const list = parseList(text)
    const unknown = list?.find((type) => !ENTITY_TYPES.includes(type))
    if (unknown !== undefined) throw invalid({ [name]: [`Unknown entity type "${unknown.slice(0, 100)}".`] })
    return list
  }
  return {
    entity_types: types('entity_type', entity_type),
    without: types('without_entity_type', without_entity_type),
    integrations: parseList(integration_id)?.map((text) => {
      const id = parseId(text)
      if (!id) throw invalid({ integration_id: ['must be a comma-separated list of UUIDs.'] })
      return id
    }),
    include_archived,
  }
}
