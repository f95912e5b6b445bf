import { AIRBYTE_SETTINGS } from '../connectors/airbyte/airbyte-settings.ts'
import { AIRFLOW_SETTINGS } from '../connectors/airflow/airflow-settings.ts'
import { DAGSTER_SETTINGS } from '../connectors/dagster/dagster-settings.ts'
import { FIVETRAN_SETTINGS } from '../connectors/fivetran/fivetran-settings.ts'
import { PREFECT_SETTINGS } from '../connectors/prefect/prefect-settings.ts'
import { type IntegrationType, orchestrationType } from './integration-type.ts'

export const ORCHESTRATION_TYPES: readonly IntegrationType[] = [
  orchestrationType('airflow', 'Apache Airflow', AIRFLOW_SETTINGS),
  orchestrationType('dagster', 'Dagster', DAGSTER_SETTINGS),
  orchestrationType('prefect', 'Prefect', PREFECT_SETTINGS),
  orchestrationType('fivetran', 'Fivetran', FIVETRAN_SETTINGS),
  orchestrationType('airbyte', 'Airbyte', AIRBYTE_SETTINGS),
]
