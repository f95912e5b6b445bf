import { runConnector } from '../../../../connector/src/define.ts'
import { elasticsearch } from './elasticsearch.ts'

await runConnector(elasticsearch)
