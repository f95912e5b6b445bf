import { type EventWriter, type Json, toRecords, toText, toUrnPart } from './event-writer.ts'
import { buildUrn, splitName } from './openmetadata-names.ts'

/** Lineage of OpenMetadata. Pure. */

/** What flows into an entity: the URN of each upstream, with details of the edge. */
export type Upstreams = ReadonlyMap<string, Json | undefined>

/** The upstreams of each entity. Adds the entities that only lineage names to `urns`. */
export const collectUpstreams = (lineage: readonly Json[], urns: Map<string, string>, writer: EventWriter): Map<string, Upstreams> => {
  const upstreams = new Map<string, Map<string, Json | undefined>>()
  for (const { entity, nodes, upstreamEdges, downstreamEdges } of lineage) {
    for (const node of [...toRecords(nodes), ...toRecords([entity])]) {
      const urn = urns.get(node.id) ?? (toText(node.type) ? buildUrn(node.type, node) : undefined)
      if (urn) urns.set(node.id, urn)
    }
    for (const { fromEntity, toEntity, lineageDetails } of [...toRecords(upstreamEdges), ...toRecords(downstreamEdges)]) {
      const [from, to] = [fromEntity, toEntity].map((end) => urns.get(typeof end === 'object' ? end?.id : end))
      const names = `lineage from ${JSON.stringify(fromEntity)} to ${JSON.stringify(toEntity)}`
      if (from && to) upstreams.set(to, (upstreams.get(to) ?? new Map<string, Json | undefined>()).set(from, lineageDetails))
      else writer.losses.add(`${names}, one of which is not in the export.`)
    }
  }
  return upstreams
}

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
