import { runConnector } from '../../../../connector/src/define.ts'
import { glue } from './glue.ts'

await runConnector(glue)
