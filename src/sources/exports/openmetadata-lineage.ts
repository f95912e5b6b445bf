import { type EventWriter, type Json, toRecords, toText, toUrnPart } from './event-writer.ts'
import { buildUrn, splitName } from './openmetadata-names.ts'

/** Lineage of OpenMetadata. Pure. */

/** What flows into an entity: the URN of each upstream, with details of the edge. */
export type Upstreams = ReadonlyMap<string, Json | undefined>

/** The upstreams of each entity. Adds the entities that only lineage names to `urns`. */
export const collectUpstreams = (lineage: readonly Json[], urns: Map<string, string>, writer: EventWriter): Map<string, Upstreams> => {
  const upstreams = new Map<string, Map<string, Json | undefined>>()
  for (const { entity, nodes, upstreamEdges, downstreamEdges } of lineage) {
    const edges = [...toList(upstreamEdges), ...toList(downstreamEdges)]
    const named = [...toList(nodes).map((node) => (node.entity ?? node) as Json), ...toRecords([entity])]
    for (const node of [...named, ...edges.flatMap(({ fromEntity, toEntity }) => toRecords([fromEntity, toEntity]))]) {
      const type = toText(node.type) ?? toText(node.entityType)
      const urn = urns.get(node.id) ?? (type ? buildUrn(type, node) : undefined)
      if (urn) urns.set(node.id, urn)
    }
    for (const edge of edges) {
      const { fromEntity, toEntity } = edge
      const details: Json = edge.lineageDetails ?? { ...edge, columnsLineage: edge.columns }
      const [from, to] = [fromEntity, toEntity].map((end) => urns.get(typeof end === 'object' ? end?.id : end))
      const names = `lineage from ${JSON.stringify(fromEntity)} to ${JSON.stringify(toEntity)}`
      if (!from || !to) {
        writer.losses.add(`${names}, one of which is not in the export.`)
        continue
      }
      writer.reportUnread('lineage edge', details, READ_DETAILS)
      const known = upstreams.get(to) ?? new Map<string, Json | undefined>()
      upstreams.set(to, known)
      // The lineage of each of its ends has the same edge, not always with its columns.
      const columns = [...toRecords(known.get(from)?.columnsLineage), ...toRecords(details.columnsLineage)]
      known.set(from, { columnsLineage: [...new Map(columns.map((each) => [JSON.stringify(each), each])).values()] })
    }
  }
  return upstreams
}

/** Lists, or since version 1.6 objects by ID. */
const toList = (value: unknown): Json[] => toRecords(Array.isArray(value) ? value : Object.values(value ?? {}))

const READ_DETAILS = new Set([
  'columnsLineage',
  'columns',
  'fromEntity',
  'toEntity',
  'source',
  'docId',
  'docUniqueId',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
])

export const toUpstreamLineage = (to: string, edges: Upstreams, writer: EventWriter): object => {
  const from = [...edges.keys()]
  const fineGrainedLineages = [...edges.values()].flatMap((details) =>
    toRecords(details?.columnsLineage).map(({ fromColumns, toColumn }) => ({
      upstreams: (Array.isArray(fromColumns) ? fromColumns : []).flatMap((column: unknown) => toColumnUrn(column, from, writer) ?? []),
      downstreams: [toColumnUrn(toColumn, [to], writer)].filter((urn) => urn !== undefined),
    })),
  )
  return { upstreams: from.map((dataset) => ({ dataset, type: 'TRANSFORMED' })), fineGrainedLineages }
}

/** The name of a column begins with that of its table. */
const toColumnUrn = (column: unknown, tables: readonly string[], writer: EventWriter): string | undefined => {
  const parts = splitName(toText(column) ?? '')
  for (const table of tables)
    for (let length = parts.length - 1; length > 0; length -= 1)
      if (table.includes(`,${toUrnPart(parts.slice(0, length).join('.'))},`))
        return `urn:li:schemaField:(${table},${toUrnPart(parts.slice(length).join('.'))})`
  writer.losses.add(`column lineage with ${String(column)}, whose table is not part of the edge.`)
  return undefined
}
