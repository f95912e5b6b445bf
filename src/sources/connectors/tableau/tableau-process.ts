import { runConnector } from '../../../../connector/src/define.ts'
import { tableau } from './tableau.ts'

await runConnector(tableau)
