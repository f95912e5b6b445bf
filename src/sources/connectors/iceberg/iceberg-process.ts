import { runConnector } from '../../../../connector/src/define.ts'
import { iceberg } from './iceberg.ts'

await runConnector(iceberg)
