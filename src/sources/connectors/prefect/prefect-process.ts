import { runConnector } from '../../../../connector/src/define.ts'
import { prefect } from './prefect.ts'

await runConnector(prefect)
