import { runConnector } from '../../../../connector/src/define.ts'
import { redash } from './redash.ts'

await runConnector(redash)
