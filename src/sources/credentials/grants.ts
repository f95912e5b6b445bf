import { AIRBYTE_GRANTS } from '../connectors/airbyte/airbyte-settings.ts'
import { AIRFLOW_GRANTS } from '../connectors/airflow/airflow-settings.ts'
import { CASSANDRA_GRANTS } from '../connectors/cassandra/cassandra-settings.ts'
import { DAGSTER_GRANTS } from '../connectors/dagster/dagster-settings.ts'
import { DBT_CLOUD_GRANTS } from '../connectors/dbt-cloud/dbt-cloud-settings.ts'

import { DYNAMODB_GRANTS } from '../connectors/dynamodb/dynamodb-settings.ts'
import { ELASTICSEARCH_GRANTS } from '../connectors/elasticsearch/elasticsearch-settings.ts'

import { FIVETRAN_GRANTS } from '../connectors/fivetran/fivetran-settings.ts'
import { GLUE_GRANTS } from '../connectors/glue/glue-settings.ts'
import { GRAFANA_GRANTS } from '../connectors/grafana/grafana-settings.ts'
import { HIVE_GRANTS } from '../connectors/hive/hive-settings.ts'
import { ICEBERG_GRANTS } from '../connectors/iceberg/iceberg-settings.ts'
import { KAFKA_GRANTS } from '../connectors/kafka/kafka-settings.ts'
import { LAKE_AZURE_GRANTS, LAKE_GCS_GRANTS, LAKE_S3_GRANTS } from '../connectors/lake/lake-settings.ts'
import { LOOKER_GRANTS } from '../connectors/looker/looker-settings.ts'
import { METABASE_GRANTS } from '../connectors/metabase/metabase-settings.ts'
import { MODE_GRANTS } from '../connectors/mode/mode-settings.ts'
import { MONGODB_GRANTS } from '../connectors/mongodb/mongodb-settings.ts'
import { POWERBI_GRANTS } from '../connectors/powerbi/powerbi-settings.ts'
import { PREFECT_GRANTS } from '../connectors/prefect/prefect-settings.ts'
import { REDASH_GRANTS } from '../connectors/redash/redash-settings.ts'
import { SUPERSET_GRANTS } from '../connectors/superset/superset-settings.ts'
import { TABLEAU_GRANTS } from '../connectors/tableau/tableau-settings.ts'
import { UNITY_CATALOG_GRANTS } from '../connectors/unity-catalog/unity-catalog-settings.ts'

const POSTGRES = `create role tablinum login password '…';
grant connect on database shop to tablinum;
grant usage on schema public to tablinum;
-- only for previews, profiles and monitors
grant select on all tables in schema public to tablinum;
-- only for query history
grant pg_read_all_stats to tablinum;`

const MYSQL = `create user 'tablinum'@'%' identified by '…';
grant select, show view on shop.* to 'tablinum'@'%';
-- texts of functions and procedures: MySQL from 8.0.20
grant show_routine on *.* to 'tablinum'@'%';
-- texts of functions and procedures: MariaDB
grant select on mysql.proc to 'tablinum'@'%';
-- only for query history
grant select on performance_schema.events_statements_summary_by_digest to 'tablinum'@'%';`

const CLICKHOUSE = `create user tablinum identified by '…' settings readonly = 2;
grant select on shop.* to tablinum;
grant select on system.data_skipping_indices to tablinum;
-- only for query history
grant select on system.query_log to tablinum;`

const REDSHIFT = `create user tablinum password '…';
grant usage on schema sales to tablinum;
grant select on svv_table_info to tablinum;
-- only for previews, profiles and monitors
grant select on all tables in schema sales to tablinum;
-- only for query history
alter user tablinum syslog access unrestricted;`

const SNOWFLAKE = `create role tablinum;
grant usage on warehouse small to role tablinum;
grant usage on database shop to role tablinum;
grant usage on all schemas in database shop to role tablinum;
grant references on all tables in database shop to role tablinum;
grant references on all views in database shop to role tablinum;
-- only for previews, profiles and monitors
grant select on all tables in database shop to role tablinum;
-- only for query history
grant imported privileges on database snowflake to role tablinum;`

const BIGQUERY =
  'Roles of the service account: BigQuery Metadata Viewer and BigQuery Job User on the project. BigQuery Data Viewer only for previews, profiles and monitors, BigQuery Resource Viewer only for query history.'

const DATABRICKS = `grant use catalog on catalog shop to \`tablinum\`;
grant use schema, browse on catalog shop to \`tablinum\`;
-- only for previews, profiles and monitors
grant select on catalog shop to \`tablinum\`;
-- only for query history and column lineage
grant select on table system.query.history to \`tablinum\`;
grant select on table system.access.column_lineage to \`tablinum\`;`

const TRINO =
  'Select on information_schema of the catalogs and on system.metadata. Select on the tables only for previews, profiles and monitors; system.runtime only for query history.'

const SQLSERVER = `create login tablinum with password = '…';
-- in every database
create user tablinum for login tablinum;
grant view definition to tablinum;
-- only for previews, profiles and monitors
grant select on schema::dbo to tablinum;`

const ORACLE = `create user tablinum identified by "…";
grant create session to tablinum;
-- the dictionary, no rows of tables. Without it: what the user may read itself
grant select_catalog_role to tablinum;`

const FILES = 'The server reads files in the folder TABLINUM_FILES only, and never writes them.'

/** What the user of a source needs to be allowed to do, at the least: statements, or a sentence for an administrator. By integration type. */
export const GRANTS: Readonly<Record<string, string>> = {
  postgres: POSTGRES,
  mysql: MYSQL,
  clickhouse: CLICKHOUSE,
  redshift: REDSHIFT,
  snowflake: SNOWFLAKE,
  bigquery: BIGQUERY,
  databricks: DATABRICKS,
  trino: TRINO,
  sqlite: FILES,
  duckdb: FILES,
  metabase: METABASE_GRANTS,
  superset: SUPERSET_GRANTS,
  tableau: TABLEAU_GRANTS,
  powerbi: POWERBI_GRANTS,
  looker: LOOKER_GRANTS,
  redash: REDASH_GRANTS,
  grafana: GRAFANA_GRANTS,
  mode: MODE_GRANTS,
  airflow: AIRFLOW_GRANTS,
  dagster: DAGSTER_GRANTS,
  prefect: PREFECT_GRANTS,
  fivetran: FIVETRAN_GRANTS,
  airbyte: AIRBYTE_GRANTS,
  dbt_cloud: DBT_CLOUD_GRANTS,
  sqlserver: SQLSERVER,
  oracle: ORACLE,
  kafka: KAFKA_GRANTS,
  mongodb: MONGODB_GRANTS,
  elasticsearch: ELASTICSEARCH_GRANTS,
  dynamodb: DYNAMODB_GRANTS,
  cassandra: CASSANDRA_GRANTS,
  unity_catalog: UNITY_CATALOG_GRANTS,
  hive: HIVE_GRANTS,
  glue: GLUE_GRANTS,
  iceberg: ICEBERG_GRANTS,
  lake_s3: LAKE_S3_GRANTS,
  lake_gcs: LAKE_GCS_GRANTS,
  lake_azure: LAKE_AZURE_GRANTS,
  lake_files: FILES,
}
