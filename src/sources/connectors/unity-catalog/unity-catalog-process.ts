import { runConnector } from '../../../../connector/src/define.ts'
import { unityCatalog } from './unity-catalog.ts'

await runConnector(unityCatalog)
