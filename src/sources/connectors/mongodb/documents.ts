import { isObject } from '../../../../connector/src/protocol.ts'
import type { SampledValue } from '../stores/sampled.ts'

/** A document as the driver returns it, with the types of BSON. Pure. */
export const toSampledDocument = (document: object): ReadonlyMap<string, SampledValue> =>
  new Map(Object.entries(document).map(([name, value]) => [name, toSampledValue(value)]))

const toSampledValue = (value: unknown): SampledValue => {
  if (value === null || value === undefined) return { type: 'null' }
  if (Array.isArray(value)) return { type: 'array', elements: value.map(toSampledValue) }
  if (typeof value === 'string') return { type: 'string' }
  if (typeof value === 'boolean') return { type: 'bool' }
  if (typeof value === 'number') return { type: 'double' }
  if (value instanceof Date) return { type: 'date' }
  const bson = (value as { readonly _bsontype?: string })._bsontype
  if (bson !== undefined) return { type: BSON_TYPES[bson] ?? bson.toLowerCase() }
  return isObject(value) ? { type: 'object', fields: toSampledDocument(value) } : { type: typeof value }
}

/** As `$type` names them. */
const BSON_TYPES: Readonly<Record<string, string>> = {
  ...{ ObjectId: 'objectId', Int32: 'int', Long: 'long', Double: 'double', Decimal128: 'decimal', Binary: 'binData' },
  ...{ Timestamp: 'timestamp', BSONRegExp: 'regex', Code: 'javascript', MinKey: 'minKey', MaxKey: 'maxKey', UUID: 'uuid' },
}
