import { v5 } from 'uuid'
import { DEMO_INTEGRATION } from '../../sources/credentials/demo-connection.ts'

const NAMESPACE = '6f0d4c1e-5b1a-4d0e-9a57-0d3e70a11a5e'

/** The ID of a demo record, derived from its name: the same on every machine, so that links in texts stay valid. */
export const demoId = (name: string): string => v5(name, NAMESPACE)

/** The demo's integrations: the warehouse and two tools. */
export const INTEGRATIONS = {
  warehouse: { id: DEMO_INTEGRATION, name: 'Shop warehouse (demo)', type: 'postgres' },
  pipelines: { id: demoId('integration:pipelines'), name: 'Shop pipelines (demo)', type: 'custom' },
  dashboards: { id: demoId('integration:dashboards'), name: 'Shop dashboards (demo)', type: 'custom' },
} as const
