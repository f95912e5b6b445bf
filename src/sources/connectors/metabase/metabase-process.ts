import { runConnector } from '../../../../connector/src/define.ts'
import { metabase } from './metabase.ts'

await runConnector(metabase)
