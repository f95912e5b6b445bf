import { v5 } from 'uuid'
import { DEMO_INTEGRATION } from '../integrations/own-database.ts'

const NAMESPACE = '6f0d4c1e-5b1a-4d0e-9a57-0d3e70a11a5e'

/** The ID of a thing of the demo, from its name: the same on every machine, so a link to it in a text stays valid. */
export const demoId = (name: string): string => v5(name, NAMESPACE)

/** Where the demo's metadata comes from: the warehouse, and the two tools around it. */
export const INTEGRATIONS = {
  warehouse: { id: DEMO_INTEGRATION, name: 'Shop warehouse (demo)', type: 'postgres' },
  pipelines: { id: demoId('integration:pipelines'), name: 'Shop pipelines (demo)', type: 'custom' },
  dashboards: { id: demoId('integration:dashboards'), name: 'Shop dashboards (demo)', type: 'custom' },
} as const
