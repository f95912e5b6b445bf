import { BI_TYPES } from './bi-types.ts'
import { CONNECTOR_TYPES } from './connector-types.ts'
import { DATABASE_TYPES } from './database-types.ts'
import type { IntegrationType } from './integration-type.ts'
import { ORCHESTRATION_TYPES } from './orchestration-types.ts'
import { PUSH_TYPES } from './push-types.ts'
import { TRANSFORMATION_TYPES } from './transformation-types.ts'
import { WAREHOUSE_TYPES } from './warehouse-types.ts'

const ALL = [
  ...PUSH_TYPES,
  ...DATABASE_TYPES,
  ...WAREHOUSE_TYPES,
  ...TRANSFORMATION_TYPES,
  ...BI_TYPES,
  ...ORCHESTRATION_TYPES,
  ...CONNECTOR_TYPES,
]

export const INTEGRATION_TYPES: ReadonlyMap<string, IntegrationType> = new Map(ALL.map((each) => [each.type, each]))
export const TYPE_NAMES: readonly string[] = [...INTEGRATION_TYPES.keys()]

export const getIntegrationType = (type: string): IntegrationType => {
  const found = INTEGRATION_TYPES.get(type)
  if (!found) throw new Error(`unknown integration type ${type}`)
  return found
}
