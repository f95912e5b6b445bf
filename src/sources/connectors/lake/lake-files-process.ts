import { runConnector } from '../../../../connector/src/define.ts'
import { lakeFiles } from './lakes.ts'

await runConnector(lakeFiles)
