import { runConnector } from '../../../../connector/src/define.ts'
import { dynamodb } from './dynamodb.ts'

await runConnector(dynamodb)
