import { runConnector } from '../../../../connector/src/define.ts'
import { looker } from './looker.ts'

await runConnector(looker)
