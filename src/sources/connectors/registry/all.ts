import { datahubConnector } from '../../datahub/connector.ts'
import { dbtCloudConnector } from '../../dbt/cloud.ts'
import { dbtConnector } from '../../dbt/connector.ts'
import { queryLogConnector } from '../../query-log/connector.ts'
import { AIRBYTE_SETTINGS } from '../airbyte/airbyte-settings.ts'
import { AIRFLOW_SETTINGS } from '../airflow/airflow-settings.ts'
import { bigqueryConnector } from '../bigquery/bigquery.ts'
import { CASSANDRA_SETTINGS } from '../cassandra/cassandra-settings.ts'
import { clickhouseConnector } from '../clickhouse/clickhouse.ts'
import { DAGSTER_SETTINGS } from '../dagster/dagster-settings.ts'
import { databricksConnector } from '../databricks/databricks.ts'
import { duckdbConnector } from '../duckdb/duckdb.ts'
import { DYNAMODB_SETTINGS } from '../dynamodb/dynamodb-settings.ts'
import { ELASTICSEARCH_SETTINGS } from '../elasticsearch/elasticsearch-settings.ts'
import { FIVETRAN_SETTINGS } from '../fivetran/fivetran-settings.ts'
import { GLUE_SETTINGS } from '../glue/glue-settings.ts'
import { GRAFANA_SETTINGS } from '../grafana/grafana-settings.ts'
import { HIVE_SETTINGS } from '../hive/hive-settings.ts'
import { ICEBERG_SETTINGS } from '../iceberg/iceberg-settings.ts'
import { KAFKA_SETTINGS } from '../kafka/kafka-settings.ts'
import { LAKE_AZURE_SETTINGS, LAKE_FILES_SETTINGS, LAKE_GCS_SETTINGS, LAKE_S3_SETTINGS } from '../lake/lake-settings.ts'
import { LOOKER_SETTINGS } from '../looker/looker-settings.ts'
import { METABASE_SETTINGS } from '../metabase/metabase-settings.ts'
import { MODE_SETTINGS } from '../mode/mode-settings.ts'
import { MONGODB_SETTINGS } from '../mongodb/mongodb-settings.ts'
import { mysqlConnector } from '../mysql/mysql.ts'
import { oracleConnector } from '../oracle/oracle.ts'
import { postgresConnector } from '../postgres/postgres.ts'
import { POWERBI_SETTINGS } from '../powerbi/powerbi-settings.ts'
import { PREFECT_SETTINGS } from '../prefect/prefect-settings.ts'
import { createBundledConnector, createFolderConnector } from '../programs/bundled.ts'
import { registeredConnector } from '../programs/registered.ts'
import { REDASH_SETTINGS } from '../redash/redash-settings.ts'
import { redshiftConnector } from '../redshift/redshift.ts'
import type { Connector } from '../shared/connector.ts'
import { snowflakeConnector } from '../snowflake/snowflake.ts'
import { sqliteConnector } from '../sqlite/sqlite.ts'
import { sqlserverConnector } from '../sqlserver/sqlserver.ts'
import { SUPERSET_SETTINGS } from '../superset/superset-settings.ts'
import { TABLEAU_SETTINGS } from '../tableau/tableau-settings.ts'
import { trinoConnector } from '../trino/trino.ts'
import { UNITY_CATALOG_SETTINGS } from '../unity-catalog/unity-catalog-settings.ts'

/** All connectors by integration type. */
export const CONNECTORS: Map<string, Connector> = new Map([
  ['postgres', postgresConnector],
  ['sqlite', sqliteConnector],
  ['mysql', mysqlConnector],
  ['clickhouse', clickhouseConnector],
  ['duckdb', duckdbConnector],
  ['dbt', dbtConnector],
  ['datahub', datahubConnector],
  ['query_log', queryLogConnector],
  ['redshift', redshiftConnector],
  ['snowflake', snowflakeConnector],
  ['bigquery', bigqueryConnector],
  ['databricks', databricksConnector],
  ['trino', trinoConnector],
  ['metabase', createBundledConnector(new URL('../metabase/metabase-process.ts', import.meta.url), METABASE_SETTINGS)],
  ['superset', createBundledConnector(new URL('../superset/superset-process.ts', import.meta.url), SUPERSET_SETTINGS)],
  ['tableau', createBundledConnector(new URL('../tableau/tableau-process.ts', import.meta.url), TABLEAU_SETTINGS)],
  ['powerbi', createBundledConnector(new URL('../powerbi/powerbi-process.ts', import.meta.url), POWERBI_SETTINGS)],
  ['looker', createFolderConnector(new URL('../looker/looker-process.ts', import.meta.url), LOOKER_SETTINGS)],
  ['redash', createBundledConnector(new URL('../redash/redash-process.ts', import.meta.url), REDASH_SETTINGS)],
  ['grafana', createBundledConnector(new URL('../grafana/grafana-process.ts', import.meta.url), GRAFANA_SETTINGS)],
  ['mode', createBundledConnector(new URL('../mode/mode-process.ts', import.meta.url), MODE_SETTINGS)],
  ['kafka', createBundledConnector(new URL('../kafka/kafka-process.ts', import.meta.url), KAFKA_SETTINGS)],
  ['elasticsearch', createBundledConnector(new URL('../elasticsearch/elasticsearch-process.ts', import.meta.url), ELASTICSEARCH_SETTINGS)],
  ['dynamodb', createBundledConnector(new URL('../dynamodb/dynamodb-process.ts', import.meta.url), DYNAMODB_SETTINGS)],
  ['glue', createBundledConnector(new URL('../glue/glue-process.ts', import.meta.url), GLUE_SETTINGS)],
  ['iceberg', createBundledConnector(new URL('../iceberg/iceberg-process.ts', import.meta.url), ICEBERG_SETTINGS)],
  ['lake_s3', createBundledConnector(new URL('../lake/lake-s3-process.ts', import.meta.url), LAKE_S3_SETTINGS)],
  ['lake_gcs', createBundledConnector(new URL('../lake/lake-gcs-process.ts', import.meta.url), LAKE_GCS_SETTINGS)],
  ['lake_azure', createBundledConnector(new URL('../lake/lake-azure-process.ts', import.meta.url), LAKE_AZURE_SETTINGS)],
  ['lake_files', createFolderConnector(new URL('../lake/lake-files-process.ts', import.meta.url), LAKE_FILES_SETTINGS)],
  ['mongodb', createBundledConnector(new URL('../mongodb/mongodb-process.ts', import.meta.url), MONGODB_SETTINGS)],
  ['sqlserver', sqlserverConnector],
  ['oracle', oracleConnector],
  ['cassandra', createBundledConnector(new URL('../cassandra/cassandra-process.ts', import.meta.url), CASSANDRA_SETTINGS)],
  ['unity_catalog', createBundledConnector(new URL('../unity-catalog/unity-catalog-process.ts', import.meta.url), UNITY_CATALOG_SETTINGS)],
  ['hive', createBundledConnector(new URL('../hive-metastore/hive-metastore-process.ts', import.meta.url), HIVE_SETTINGS)],
  ['airflow', createBundledConnector(new URL('../airflow/airflow-process.ts', import.meta.url), AIRFLOW_SETTINGS)],
  ['dagster', createBundledConnector(new URL('../dagster/dagster-process.ts', import.meta.url), DAGSTER_SETTINGS)],
  ['prefect', createBundledConnector(new URL('../prefect/prefect-process.ts', import.meta.url), PREFECT_SETTINGS)],
  ['fivetran', createBundledConnector(new URL('../fivetran/fivetran-process.ts', import.meta.url), FIVETRAN_SETTINGS)],
  ['airbyte', createBundledConnector(new URL('../airbyte/airbyte-process.ts', import.meta.url), AIRBYTE_SETTINGS)],
  ['dbt_cloud', dbtCloudConnector],
  ['connector', registeredConnector],
])
