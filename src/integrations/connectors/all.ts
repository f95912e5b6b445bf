import type { Connector } from './connector.ts'
import { postgresConnector } from './postgres.ts'
import { sqliteConnector } from './sqlite.ts'

/** Every connector, by the type of integration it serves. */
export const CONNECTORS: Map<string, Connector> = new Map([
  ['postgres', postgresConnector],
  ['sqlite', sqliteConnector],
])
