import type { FieldPacket } from 'mysql2'
import { toNumberCell, toTextCell } from '../../../../connector/src/cells.ts'
import type { QueryColumn } from '../../../../connector/src/protocol.ts'

/** Converts raw values of the MySQL protocol. Pure. */

const FIELD_TYPES: Readonly<Record<number, string>> = {
  0: 'decimal',
  1: 'tinyint',
  2: 'smallint',
  3: 'int',
  4: 'float',
  5: 'double',
  6: 'null',
  7: 'timestamp',
  8: 'bigint',
  9: 'mediumint',
  10: 'date',
  11: 'time',
  12: 'datetime',
  13: 'year',
  15: 'varchar',
  16: 'bit',
  242: 'vector',
  245: 'json',
  246: 'decimal',
  247: 'enum',
  248: 'set',
  249: 'tinytext',
  250: 'mediumtext',
  251: 'longtext',
  252: 'text',
  253: 'varchar',
  254: 'char',
  255: 'geometry',
}
const BINARY_TYPES: Readonly<Record<string, string>> = {
  tinytext: 'tinyblob',
  mediumtext: 'mediumblob',
  longtext: 'longblob',
  text: 'blob',
  varchar: 'varbinary',
  char: 'binary',
}
const NUMBER_TYPES = new Set(['decimal', 'tinyint', 'smallint', 'int', 'float', 'double', 'bigint', 'mediumint', 'year'])
const BYTE_TYPES = new Set(['geometry', 'vector', ...Object.values(BINARY_TYPES)])
const BINARY_CHARSET = 63 // the character set of binary data

const getFieldType = ({ columnType, characterSet }: FieldPacket): string => {
  const type = FIELD_TYPES[columnType ?? -1] ?? 'unknown'
  return (characterSet === BINARY_CHARSET && BINARY_TYPES[type]) || type
}

export const toColumn = (field: FieldPacket): QueryColumn => ({ name: toTextCell(field.name), type: getFieldType(field) })

/** What the values of this column become: bytes and long texts are left to the library of connectors. */
export const getCellReader = (field: FieldPacket): ((bytes: Buffer | null) => unknown) => {
  const type = getFieldType(field)
  if (type === 'bit') return (bytes) => bytes && toNumberCell(BigInt(`0x${bytes.toString('hex') || '0'}`).toString())
  if (BYTE_TYPES.has(type)) return (bytes) => bytes
  if (NUMBER_TYPES.has(type)) return (bytes) => bytes && toNumberCell(bytes.toString('latin1'))
  return (bytes) => bytes?.toString('utf8')
}
