import { runConnector } from '../../../../connector/src/define.ts'
import { mode } from './mode.ts'

await runConnector(mode)
