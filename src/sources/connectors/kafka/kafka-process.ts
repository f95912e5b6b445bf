import { runConnector } from '../../../../connector/src/define.ts'
import { kafka } from './kafka.ts'

await runConnector(kafka)
