import { runConnector } from '../../../../connector/src/define.ts'
import { fivetran } from './fivetran.ts'

await runConnector(fivetran)
