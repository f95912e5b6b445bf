import { runConnector } from '../../../../connector/src/define.ts'
import { powerbi } from './powerbi.ts'

await runConnector(powerbi)
