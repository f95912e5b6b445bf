import { type EventWriter, type Json, toText, toUrnPart } from './event-writer.ts'
import { splitName } from './openmetadata-names.ts'

/** Databases and schemas of OpenMetadata, which the full names of tables contain. */

const containerUrn = (parts: readonly string[]): string => `urn:li:container:${toUrnPart(parts.join('.'))}`

/** The parts of the full name above the last one: service, database and schema. */
const parentOf = (record: Json): string[] => splitName(toText(record.fullyQualifiedName) ?? '').slice(0, -1)

/** A service is no container. */
export const placeInContainer = (urn: string, record: Json, writer: EventWriter): void => {
  const parent = parentOf(record)
  if (parent.length > 1) writer.add(urn, 'container', { container: containerUrn(parent) })
}

/** Adds the databases and schemas of tables that are not in the export themselves. */
export const addMissingContainers = (found: readonly { kind: string | undefined; record: Json }[], writer: EventWriter): void => {
  const present = new Set(writer.events.flatMap(({ entityUrn, aspectName }) => (aspectName === 'containerProperties' ? [entityUrn] : [])))
  for (const { kind, record } of found) {
    if ((kind !== 'table' && kind !== 'databaseschema') || record.deleted === true) continue
    for (let path = parentOf(record); path.length > 1; path = path.slice(0, -1)) {
      const urn = containerUrn(path)
      if (present.has(urn)) continue
      present.add(urn)
      writer.add(urn, 'containerProperties', { name: path.at(-1)! })
      writer.add(urn, 'subTypes', { typeNames: [path.length === 2 ? 'Database' : 'Schema'] })
      if (path.length > 2) writer.add(urn, 'container', { container: containerUrn(path.slice(0, -1)) })
    }
  }
}
