import { runConnector } from '../../../../connector/src/define.ts'
import { hive } from './hive-metastore.ts'

await runConnector(hive)
