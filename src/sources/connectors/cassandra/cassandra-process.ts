import { runConnector } from '../../../../connector/src/define.ts'
import { cassandra } from './cassandra.ts'

await runConnector(cassandra)
