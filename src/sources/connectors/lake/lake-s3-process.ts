import { runConnector } from '../../../../connector/src/define.ts'
import { lakeS3 } from './lakes.ts'

await runConnector(lakeS3)
