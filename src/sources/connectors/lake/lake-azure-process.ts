import { runConnector } from '../../../../connector/src/define.ts'
import { lakeAzure } from './lakes.ts'

await runConnector(lakeAzure)
