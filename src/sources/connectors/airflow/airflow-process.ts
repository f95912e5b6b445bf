import { runConnector } from '../../../../connector/src/define.ts'
import { airflow } from './airflow.ts'

await runConnector(airflow)
