import type { SettingsSchema } from '../../../connector/src/protocol.ts'
import { AIRBYTE_SETTINGS } from '../connectors/airbyte/airbyte-settings.ts'
import { AIRFLOW_SETTINGS } from '../connectors/airflow/airflow-settings.ts'
import { CASSANDRA_SETTINGS } from '../connectors/cassandra/cassandra-settings.ts'
import { DAGSTER_SETTINGS } from '../connectors/dagster/dagster-settings.ts'
import { DBT_CLOUD_SETTINGS } from '../connectors/dbt-cloud/dbt-cloud-settings.ts'

import { DYNAMODB_SETTINGS } from '../connectors/dynamodb/dynamodb-settings.ts'
import { ELASTICSEARCH_SETTINGS } from '../connectors/elasticsearch/elasticsearch-settings.ts'

import { FIVETRAN_SETTINGS } from '../connectors/fivetran/fivetran-settings.ts'
import { GLUE_SETTINGS } from '../connectors/glue/glue-settings.ts'
import { GRAFANA_SETTINGS } from '../connectors/grafana/grafana-settings.ts'
import { HIVE_SETTINGS } from '../connectors/hive/hive-settings.ts'
import { ICEBERG_SETTINGS } from '../connectors/iceberg/iceberg-settings.ts'
import { KAFKA_SETTINGS } from '../connectors/kafka/kafka-settings.ts'
import { LAKE_AZURE_SETTINGS, LAKE_FILES_SETTINGS, LAKE_GCS_SETTINGS, LAKE_S3_SETTINGS } from '../connectors/lake/lake-settings.ts'
import { LOOKER_SETTINGS } from '../connectors/looker/looker-settings.ts'
import { METABASE_SETTINGS } from '../connectors/metabase/metabase-settings.ts'
import { MODE_SETTINGS } from '../connectors/mode/mode-settings.ts'
import { MONGODB_SETTINGS } from '../connectors/mongodb/mongodb-settings.ts'
import { POWERBI_SETTINGS } from '../connectors/powerbi/powerbi-settings.ts'
import { PREFECT_SETTINGS } from '../connectors/prefect/prefect-settings.ts'
import { REDASH_SETTINGS } from '../connectors/redash/redash-settings.ts'
import { SUPERSET_SETTINGS } from '../connectors/superset/superset-settings.ts'
import { TABLEAU_SETTINGS } from '../connectors/tableau/tableau-settings.ts'
import { UNITY_CATALOG_SETTINGS } from '../connectors/unity-catalog/unity-catalog-settings.ts'

/** The types of integration and how they differ, as data: forms are rendered from it and request bodies are checked against it. */
export interface CredentialField {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'number' | 'boolean'
  /** Required to connect to the source. */
  readonly required: boolean
  /** Write-only: never returned. */
  readonly secret: boolean
  /** Affects where secrets are sent or how they are protected: when it changes, secrets must be entered again. */
  readonly destination: boolean
  /** May span several lines: a key, a certificate. */
  readonly multiline: boolean
  readonly default: string | number | boolean | null
  readonly help: string | null
}

export interface IntegrationType {
  readonly type: string
  readonly label: string
  readonly icon: string
  readonly category: 'push' | 'database' | 'warehouse' | 'transformation' | 'bi' | 'orchestration' | 'connector'
  /** Sends metadata through the API and has no connection. */
  readonly pushes_only: boolean
  readonly fields: readonly CredentialField[]
}

type FieldOptions = Partial<Omit<CredentialField, 'name' | 'label' | 'kind'>>

const field = (kind: CredentialField['kind'], name: string, label: string, more: FieldOptions = {}): CredentialField => ({
  name,
  label,
  kind,
  required: false,
  secret: false,
  destination: false,
  multiline: false,
  default: null,
  help: null,
  ...more,
})
const textField = (name: string, label: string, more?: FieldOptions) => field('text', name, label, more)
const secretField = (name: string, label: string, more?: FieldOptions) => field('text', name, label, { ...more, secret: true })

const REQUIRED = { required: true }
const DESTINATION = { destination: true }
const HOST = textField('host', 'Host', { ...REQUIRED, ...DESTINATION })
const DATABASE = textField('database', 'Database')
const USER = textField('user', 'User', REQUIRED)
const PASSWORD = secretField('password', 'Password')
const port = (defaultPort: number) => field('number', 'port', 'Port', { ...DESTINATION, default: defaultPort })
const ssl = (defaultValue: boolean) => field('boolean', 'ssl', 'Use TLS', { ...DESTINATION, default: defaultValue })
const serverFields = (defaultPort: number) => [HOST, port(defaultPort), { ...DATABASE, ...REQUIRED }, USER, PASSWORD, ssl(false)]
const PATTERNS = 'Comma-separated patterns, e.g. public.*, *.tmp_*'
const SYNC_FIELDS = [
  textField('include', 'Include', { help: `${PATTERNS}. Leave empty to include everything.` }),
  textField('exclude', 'Exclude', { help: `${PATTERNS}.` }),
  field('number', 'archive_after_days', 'Archive after', {
    default: 30,
    help: 'Days after which a resource that is missing from the source is archived.',
  }),
]
const FUNCTIONS_FIELD = textField('allowed_functions', 'Functions', {
  help: 'Additional functions that custom SQL may call, comma-separated, e.g. app.score, st_area.',
})
/** Every source that runs queries, except those that limit the billed bytes themselves. */
export const ROW_LIMIT_FIELD = 'max_million_rows'
const ROW_LIMIT = field('number', ROW_LIMIT_FIELD, 'Maximum million rows', {
  default: 1000,
  help: 'Monitor queries that would scan more rows are rejected.',
})
const QUERY_FIELDS = [ROW_LIMIT, FUNCTIONS_FIELD, ...SYNC_FIELDS]
const HISTORY_FIELD = field('boolean', 'query_history', 'Query history', {
  default: false,
  help: 'Import the 500 most frequent queries from pg_stat_statements. Reading the texts of other roles requires the role pg_read_all_stats.',
})
const historyField = (help: string) => ({
  ...HISTORY_FIELD,
  help: `Import the 500 most frequent queries of the last week, without literal values. ${help}`,
})
const CA = textField('ca', 'Certificate authority', {
  ...DESTINATION,
  multiline: true,
  help: 'PEM. The certificate authority of the server, if the system does not trust it.',
})
const FILE_FIELDS = [textField('path', 'Path', { ...REQUIRED, ...DESTINATION, help: 'Path inside the folder TABLINUM_FILES.' })]

const ARCHIVE_FIELD = SYNC_FIELDS.at(-1)!

const NAMES = 'Comma-separated patterns of names with their folders, e.g. Sales.*, *.tmp_*'
/** The same patterns for what is not a table. */
const NAME_FIELDS = [
  textField('include', 'Include', { help: `${NAMES}. Leave empty to include everything.` }),
  textField('exclude', 'Exclude', { help: `${NAMES}.` }),
]

const KINDS = { string: 'text', integer: 'number', boolean: 'boolean' } as const

/** The settings of a connector that was written with the kit. */
const settingFields = ({ properties, required = [] }: SettingsSchema): CredentialField[] => [
  ...Object.entries(properties).map(
    ([name, { type, title, description = null, default: value = null, secret = false, destination = false, multiline = false }]) =>
      field(KINDS[type], name, title, {
        required: required.includes(name),
        help: description,
        default: value,
        secret,
        destination,
        multiline,
      }),
  ),
  ARCHIVE_FIELD,
]

const biType = (type: string, label: string, settings: SettingsSchema): IntegrationType => ({
  type,
  label,
  icon: 'layout-dashboard',
  category: 'bi',
  pushes_only: false,
  fields: [...settingFields(settings).slice(0, -1), ...NAME_FIELDS, ARCHIVE_FIELD],
})

const orchestrationType = (type: string, label: string, settings: SettingsSchema): IntegrationType => ({
  ...biType(type, label, settings),
  icon: 'workflow',
  category: 'orchestration',
})

/** A store that is read with the kit: it has no SQL of its own. */
const storeType = (type: string, label: string, category: IntegrationType['category'], settings: SettingsSchema): IntegrationType => ({
  ...biType(type, label, settings),
  icon: category === 'warehouse' ? 'warehouse' : 'database',
  category,
  fields: settingFields(settings), // patterns among them: what they leave out is not read
})

const ALL: readonly IntegrationType[] = [
  { type: 'custom', label: 'Custom', icon: 'plug', category: 'push', pushes_only: true, fields: [] },
  { type: 'openlineage', label: 'OpenLineage', icon: 'workflow', category: 'push', pushes_only: true, fields: [] },
  { type: 'datahub', label: 'DataHub connectors', icon: 'workflow', category: 'push', pushes_only: false, fields: [ARCHIVE_FIELD] },
  {
    type: 'query_log',
    label: 'Query log',
    icon: 'workflow',
    category: 'push',
    pushes_only: false,
    fields: [
      textField('dialect', 'SQL dialect', { help: 'As in lineage from SQL, e.g. snowflake or tsql. Default: postgres.' }),
      textField('warehouse', 'Warehouse', { help: 'ID of the integration whose tables the queries read. Default: any.' }),
      textField('database', 'Database', { help: 'Of queries without one.' }),
      textField('schema', 'Schema', { help: 'Of queries without one.' }),
      textField('log_integration', 'Integration of the log', { help: 'ID of the integration with the table that contains the queries.' }),
      textField('log_table', 'Table of the log', { help: 'A table or view with a row for each executed query, e.g. history.queries.' }),
      textField('sql_column', 'SQL column', { help: 'Default: by its name, as for the other columns.' }),
      textField('time_column', 'Time column', { help: 'When a query ended or started. Every sync reads the rows since the last one.' }),
      textField('user_column', 'User column'),
      textField('duration_column', 'Duration column', { help: 'In milliseconds.' }),
      textField('database_column', 'Database column'),
      textField('schema_column', 'Schema column'),
      ARCHIVE_FIELD,
    ],
  },
  {
    type: 'postgres',
    label: 'PostgreSQL',
    icon: 'database',
    category: 'database',
    pushes_only: false,
    fields: [...serverFields(5432), CA, ...QUERY_FIELDS, HISTORY_FIELD],
  },
  {
    type: 'mysql',
    label: 'MySQL, MariaDB',
    icon: 'database',
    category: 'database',
    pushes_only: false,
    fields: [
      HOST,
      port(3306),
      { ...DATABASE, help: 'Leave empty for all databases the user can see.' },
      USER,
      PASSWORD,
      ssl(false),
      CA,
      ...QUERY_FIELDS,
      {
        ...HISTORY_FIELD,
        help: 'Import the 500 most frequent queries from performance_schema. Requires SELECT on events_statements_summary_by_digest.',
      },
    ],
  },
  {
    type: 'sqlite',
    label: 'SQLite',
    icon: 'database',
    category: 'database',
    pushes_only: false,
    fields: [...FILE_FIELDS, ...QUERY_FIELDS],
  },
  {
    type: 'duckdb',
    label: 'DuckDB',
    icon: 'database',
    category: 'database',
    pushes_only: false,
    fields: [
      textField('path', 'Path', {
        ...REQUIRED,
        ...DESTINATION,
        help: 'Path inside the folder TABLINUM_FILES: a database file, or a folder of Parquet, CSV and JSON files.',
      }),
      ...QUERY_FIELDS,
    ],
  },
  {
    type: 'clickhouse',
    label: 'ClickHouse',
    icon: 'database',
    category: 'warehouse',
    pushes_only: false,
    fields: [
      HOST,
      port(8123),
      { ...DATABASE, help: 'Leave empty for all databases the user can see.' },
      USER,
      PASSWORD,
      ssl(false),
      CA,
      ...QUERY_FIELDS,
      historyField('Requires SELECT on system.query_log.'),
    ],
  },
  {
    type: 'redshift',
    label: 'Amazon Redshift',
    icon: 'warehouse',
    category: 'warehouse',
    pushes_only: false,
    fields: [
      ...serverFields(5439).slice(0, -1),
      ssl(true),
      CA,
      ...QUERY_FIELDS,
      historyField('Seeing the queries of other users requires SYSLOG ACCESS UNRESTRICTED.'),
    ],
  },
  {
    type: 'snowflake',
    label: 'Snowflake',
    icon: 'warehouse',
    category: 'warehouse',
    pushes_only: false,
    fields: [
      textField('account', 'Account', { ...REQUIRED, ...DESTINATION, help: 'The account identifier in <account>.snowflakecomputing.com.' }),
      USER,
      PASSWORD,
      secretField('private_key', 'Private key', { multiline: true, help: 'PEM (PKCS #8), instead of a password.' }),
      textField('warehouse', 'Warehouse', REQUIRED),
      textField('role', 'Role'),
      { ...DATABASE, help: 'Leave empty for all databases the role can use.' },
      ...QUERY_FIELDS,
      historyField('Requires IMPORTED PRIVILEGES on the database SNOWFLAKE.'),
    ],
  },
  {
    type: 'bigquery',
    label: 'Google BigQuery',
    icon: 'warehouse',
    category: 'warehouse',
    pushes_only: false,
    fields: [
      textField('project', 'Project', REQUIRED),
      textField('location', 'Location'),
      secretField('service_account', 'Service account', { ...REQUIRED, multiline: true, help: 'The JSON key file.' }),
      field('number', 'max_gigabytes', 'Maximum gigabytes', {
        default: 100,
        help: 'BigQuery rejects queries that would be billed for more.',
      }),
      FUNCTIONS_FIELD,
      ...SYNC_FIELDS,
      historyField('Requires the role BigQuery Resource Viewer and a location.'),
    ],
  },
  {
    type: 'databricks',
    label: 'Databricks',
    icon: 'warehouse',
    category: 'warehouse',
    pushes_only: false,
    fields: [
      HOST,
      textField('http_path', 'HTTP path', {
        ...REQUIRED,
        ...DESTINATION,
        help: 'HTTP path of a SQL warehouse, e.g. /sql/1.0/warehouses/….',
      }),
      secretField('token', 'Token', REQUIRED),
      textField('catalog', 'Catalog', { help: 'Leave empty for all catalogs the token can use.' }),
      ...QUERY_FIELDS,
      historyField('Requires SELECT on system.query.history.'),
    ],
  },
  {
    type: 'trino',
    label: 'Trino',
    icon: 'warehouse',
    category: 'warehouse',
    pushes_only: false,
    fields: [
      HOST,
      port(8080),
      USER,
      { ...PASSWORD, help: 'Requires TLS.' },
      textField('catalog', 'Catalog', { help: 'Leave empty for all catalogs.' }),
      ssl(false),
      CA,
      ...QUERY_FIELDS,
      historyField('Limited to what the coordinator still keeps in system.runtime.queries.'),
    ],
  },
  {
    type: 'sqlserver',
    label: 'SQL Server',
    icon: 'database',
    category: 'database',
    pushes_only: false,
    fields: [
      HOST,
      port(1433),
      { ...DATABASE, help: 'Leave empty for all databases the user can see.' },
      USER,
      PASSWORD,
      ssl(true),
      CA,
      ROW_LIMIT,
      ...SYNC_FIELDS,
    ],
  },
  {
    type: 'oracle',
    label: 'Oracle',
    icon: 'database',
    category: 'database',
    pushes_only: false,
    fields: [
      HOST,
      port(1521),
      textField('service', 'Service', { ...REQUIRED, help: 'The name of the service, e.g. ORCLPDB1.' }),
      USER,
      PASSWORD,
      ssl(false),
      CA,
      ...SYNC_FIELDS,
    ],
  },
  storeType('kafka', 'Kafka', 'database', KAFKA_SETTINGS),
  storeType('mongodb', 'MongoDB', 'database', MONGODB_SETTINGS),
  storeType('elasticsearch', 'Elasticsearch, OpenSearch', 'database', ELASTICSEARCH_SETTINGS),
  storeType('dynamodb', 'Amazon DynamoDB', 'database', DYNAMODB_SETTINGS),
  storeType('cassandra', 'Apache Cassandra', 'database', CASSANDRA_SETTINGS),
  storeType('unity_catalog', 'Unity Catalog', 'warehouse', UNITY_CATALOG_SETTINGS),
  storeType('hive', 'Hive metastore', 'warehouse', HIVE_SETTINGS),
  storeType('glue', 'AWS Glue', 'warehouse', GLUE_SETTINGS),
  storeType('iceberg', 'Iceberg REST catalog', 'warehouse', ICEBERG_SETTINGS),
  storeType('lake_s3', 'Delta Lake, Iceberg on S3', 'warehouse', LAKE_S3_SETTINGS),
  storeType('lake_gcs', 'Delta Lake, Iceberg on Google Cloud Storage', 'warehouse', LAKE_GCS_SETTINGS),
  storeType('lake_azure', 'Delta Lake, Iceberg on Azure', 'warehouse', LAKE_AZURE_SETTINGS),
  storeType('lake_files', 'Delta Lake, Iceberg in a folder', 'warehouse', LAKE_FILES_SETTINGS),
  {
    type: 'dbt',
    label: 'dbt',
    icon: 'git-branch',
    category: 'transformation',
    pushes_only: false,
    fields: [
      textField('path', 'Path', { ...DESTINATION, help: 'Folder of the artifacts, inside the folder TABLINUM_FILES.' }),
      textField('url', 'URL', { ...DESTINATION, help: 'URL to download the artifacts from.' }),
      secretField('token', 'Token', { help: 'Sent to the URL as a bearer token.' }),
      CA,
      textField('warehouse', 'Warehouse', {
        help: 'ID of the integration the project builds in. Needed when several have tables of the same name.',
      }),
      ARCHIVE_FIELD,
    ],
  },
  biType('metabase', 'Metabase', METABASE_SETTINGS),
  biType('superset', 'Apache Superset', SUPERSET_SETTINGS),
  biType('tableau', 'Tableau', TABLEAU_SETTINGS),
  biType('powerbi', 'Power BI', POWERBI_SETTINGS),
  biType('looker', 'Looker', LOOKER_SETTINGS),
  biType('redash', 'Redash', REDASH_SETTINGS),
  biType('grafana', 'Grafana', GRAFANA_SETTINGS),
  biType('mode', 'Mode', MODE_SETTINGS),
  orchestrationType('airflow', 'Apache Airflow', AIRFLOW_SETTINGS),
  orchestrationType('dagster', 'Dagster', DAGSTER_SETTINGS),
  orchestrationType('prefect', 'Prefect', PREFECT_SETTINGS),
  orchestrationType('fivetran', 'Fivetran', FIVETRAN_SETTINGS),
  orchestrationType('airbyte', 'Airbyte', AIRBYTE_SETTINGS),
  {
    type: 'dbt_cloud',
    label: 'dbt Cloud',
    icon: 'git-branch',
    category: 'transformation',
    pushes_only: false,
    fields: settingFields(DBT_CLOUD_SETTINGS),
  },
  {
    type: 'connector',
    label: 'Your own connector',
    icon: 'plug',
    category: 'connector',
    pushes_only: false,
    fields: [
      textField('connector', 'Connector', {
        ...REQUIRED,
        ...DESTINATION,
        help: 'The name under which an operator registered it with TABLINUM_CONNECTORS.',
      }),
      textField('settings', 'Settings', { ...DESTINATION, multiline: true, help: 'JSON, e.g. {"url": "https://example.com"}.' }),
      secretField('secrets', 'Secrets', { multiline: true, help: 'JSON with the settings that are secret, e.g. {"token": "…"}.' }),
      ...NAME_FIELDS,
      ARCHIVE_FIELD,
    ],
  },
]

export const INTEGRATION_TYPES: ReadonlyMap<string, IntegrationType> = new Map(ALL.map((each) => [each.type, each]))
export const TYPE_NAMES: readonly string[] = [...INTEGRATION_TYPES.keys()]

export const getIntegrationType = (type: string): IntegrationType => {
  const found = INTEGRATION_TYPES.get(type)
  if (!found) throw new Error(`unknown integration type ${type}`)
  return found
}
