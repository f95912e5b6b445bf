import { runConnector } from '../../../../connector/src/define.ts'
import { superset } from './superset.ts'

await runConnector(superset)
