import type { Discovered } from '../../../../connector/src/define.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { childKey } from '../bi/item-parts.ts'
import { describeSyncedTable, findDatabaseDialect, toNamedTable } from '../orchestration/synced-tables.ts'
import type { NamedTable } from '../orchestration/table-uri.ts'

/** The streams of a connection: tables of its source, and where they go. Pure. */

export const connectionKey = (id: string): string => childKey('connection', id)

export interface Ends {
  readonly source: Shape | undefined
  readonly destination: Shape | undefined
}

/** The names of the fields of each stream. */
export type Fields = readonly { readonly name: string; readonly namespace: string | undefined; readonly fields: readonly string[] }[]

/** Schemas may have tables of the same name. */
const findFields = (streams: Fields, namespace: string | undefined, name: string): readonly string[] => {
  const named = streams.filter((stream) => stream.name === name)
  return (named.find((stream) => stream.namespace === namespace) ?? (named.length === 1 ? named[0] : undefined))?.fields ?? []
}

export const readStreams = (connection: Shape, { source, destination }: Ends, fields: Fields): Discovered[] => {
  const type = source?.optionalText('sourceType') ?? 'stream'
  const dialect = findDatabaseDialect(source?.optionalText('sourceType') ?? '')
  const database = source?.optionalObject('configuration')?.optionalText('database')
  return (connection.optionalObject('configurations')?.optionalList('streams') ?? []).flatMap((stream) => {
    const name = stream.text('name')
    const namespace = stream.optionalText('namespace') ?? findOnlySchema(source)
    const known = findFields(fields, namespace, name)
    const chosen = stream.optionalList('selectedFields').flatMap((field) =>
      field
        .optionalList('fieldPath')
        .map(({ value }) => String(value))
        .slice(0, 1),
    )
    return describeSyncedTable({
      job: connectionKey(connection.text('connectionId')),
      path: namespace === undefined ? [name] : [namespace, name],
      native_type: type,
      origin: dialect === 'mysql' ? toNamedTable(dialect, namespace ?? database, name) : toNamedTable(dialect, database, namespace, name),
      target: findTarget(connection, destination, namespace, name),
      columns: [...new Set([...known, ...chosen])].map((field) => ({
        name: field,
        ...(chosen.length === 0 || chosen.includes(field) ? findMappedName(stream, field) : {}),
      })),
    })
  })
}

/** The column a field is written to. Mappers are applied in their order. */
const findMappedName = (stream: Shape, field: string): { target?: string } => {
  let target = field
  for (const mapper of stream.optionalList('mappers')) {
    const [type, config] = [mapper.text('type'), mapper.object('mapperConfiguration')]
    if (type === 'field-renaming' && config.text('originalFieldName') === target) target = config.text('newFieldName')
    else if ((type === 'hashing' || type === 'encryption') && config.text('targetField') === target)
      target += config.optionalText('fieldNameSuffix') ?? ''
    else if (type === 'field-filtering' && config.text('targetField') === target) return {}
  }
  return { target }
}

/** A source that reads one schema does not repeat it with every stream. */
const findOnlySchema = (source: Shape | undefined): string | undefined => {
  const schemas = source?.optionalObject('configuration')?.at('schemas').value
  return Array.isArray(schemas) && schemas.length === 1 && typeof schemas[0] === 'string' ? schemas[0] : undefined
}

const findTarget = (
  connection: Shape,
  destination: Shape | undefined,
  namespace: string | undefined,
  name: string,
): NamedTable | undefined => {
  const config = destination?.optionalObject('configuration')
  const find = (...names: readonly string[]) => names.map((each) => config?.optionalText(each)).find((value) => value)
  const dialect = findDatabaseDialect(destination?.optionalText('destinationType') ?? '')
  const standard = find('schema', 'dataset_id', 'default_schema')
  const definition = connection.optionalText('namespaceDefinition') ?? 'destination'
  const format = connection.optionalText('namespaceFormat') ?? ''
  const schemas: Readonly<Record<string, string | undefined>> = {
    source: namespace ?? standard,
    custom_format: format.replaceAll('$' + '{SOURCE_NAMESPACE}', namespace ?? standard ?? '') || undefined,
  }
  const schema = schemas[definition] ?? standard
  const table = `${connection.optionalText('prefix') ?? ''}${name}`
  // MySQL and ClickHouse have no schemas: a namespace is a database there.
  return dialect === 'mysql' || dialect === 'clickhouse'
    ? toNamedTable(dialect, schema ?? find('database'), table)
    : toNamedTable(dialect, find('database', 'project_id'), schema, table)
}
