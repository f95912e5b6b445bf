import { runConnector } from '../../../../connector/src/define.ts'
import { grafana } from './grafana.ts'

await runConnector(grafana)
