import { runConnector } from '../../../../connector/src/define.ts'
import { mongodb } from './mongodb.ts'

await runConnector(mongodb)
