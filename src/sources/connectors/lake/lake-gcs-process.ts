import { runConnector } from '../../../../connector/src/define.ts'
import { lakeGcs } from './lakes.ts'

await runConnector(lakeGcs)
