import { runConnector } from '../../../../connector/src/define.ts'
import { airbyte } from './airbyte.ts'

await runConnector(airbyte)
