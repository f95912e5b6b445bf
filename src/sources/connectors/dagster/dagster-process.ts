import { runConnector } from '../../../../connector/src/define.ts'
import { dagster } from './dagster.ts'

await runConnector(dagster)
