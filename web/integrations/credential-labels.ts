import { language } from '../i18n/language.ts'
import { t } from '../i18n/messages.ts'
import type { CredentialField } from './queries.ts'

/** Labels of credential fields by name. The server describes the fields in English. */
const LABELS: Readonly<Record<string, string>> = {
  host: t('Host'),
  port: t('Port'),
  database: t('Database'),
  user: t('User'),
  password: t('Password'),
  ssl: t('Use TLS'),
  include: t('Include // only these tables'),
  exclude: t('Exclude // these tables'),
  archive_after_days: t('Archive after'),
  allowed_functions: t('Functions'),
  max_million_rows: t('Maximum million rows'),
  max_gigabytes: t('Maximum gigabytes'),
  query_history: t('Query history'),
  ca: t('Certificate authority'),
  path: t('Path // of a file'),
  account: t('Account'),
  private_key: t('Private key'),
  warehouse: t('Warehouse'),
  role: t('Role'),
  project: t('Project'),
  location: t('Location'),
  service_account: t('Service account'),
  http_path: t('HTTP path'),
  token: t('Token'),
  catalog: t('Catalog'),
  url: t('URL'),
  api_key: t('API key'),
  personal_collections: t('Personal collections'),
  provider: t('Sign-in provider'),
  connector: t('Connector'),
  settings: t('Settings'),
  secrets: t('Secrets'),
}

const PATTERNS = t('Comma-separated patterns, e.g. public.*, *.tmp_*.')
const FREQUENT_QUERIES = t('Import the 500 most frequent queries of the last week, without literal values.')

/** Help by type and name, or by name. */
const HELP: Readonly<Record<string, string>> = {
  include: `${PATTERNS} ${t('Leave empty to include everything.')}`,
  exclude: PATTERNS,
  archive_after_days: t('Days after which a resource that is missing from the source is archived.'),
  allowed_functions: t('Additional functions that custom SQL may call, comma-separated, e.g. app.score, st_area.'),
  max_million_rows: t('Monitor queries that would scan more rows are rejected.'),
  max_gigabytes: t('BigQuery rejects queries that would be billed for more.'),
  ca: t('PEM. The certificate authority of the server, if the system does not trust it.'),
  database: t('Leave empty for all databases the user can see.'),
  account: t('The account identifier in <account>.snowflakecomputing.com.'),
  private_key: t('PEM (PKCS #8), instead of a password.'),
  service_account: t('The JSON key file.'),
  http_path: t('HTTP path of a SQL warehouse, e.g. /sql/1.0/warehouses/….'),
  catalog: t('Leave empty for all catalogs.'),
  api_key: t('Instead of a user and password.'),
  personal_collections: t('Also read personal collections that the user can see.'),
  provider: t('How Superset checks the password: db or ldap.'),
  connector: t('The name under which an operator registered it with TABLINUM_CONNECTORS.'),
  settings: t('JSON, e.g. {example}.', { example: '{"url": "https://example.com"}' }),
  secrets: t('JSON with the settings that are secret, e.g. {example}.', { example: '{"token": "…"}' }),
  'sqlite.path': t('Path inside the folder TABLINUM_FILES.'),
  'duckdb.path': t('Path inside the folder TABLINUM_FILES: a database file, or a folder of Parquet, CSV and JSON files.'),
  'dbt.path': t('Folder of the artifacts, inside the folder TABLINUM_FILES.'),
  'dbt.url': t('URL to download the artifacts from.'),
  'dbt.token': t('Sent to the URL as a bearer token.'),
  'dbt.warehouse': t('ID of the integration the project builds in. Needed when several have tables of the same name.'),
  'metabase.url': t('The address of Metabase, e.g. https://metabase.example.com.'),
  'metabase.user': t('E-mail address of a Metabase user.'),
  'superset.url': t('The address of Superset, e.g. https://superset.example.com.'),
  'trino.password': t('Requires TLS.'),
  'postgres.query_history': t(
    'Import the 500 most frequent queries from pg_stat_statements. Reading the texts of other roles requires the role pg_read_all_stats.',
  ),
  'mysql.query_history': t(
    'Import the 500 most frequent queries from performance_schema. Requires SELECT on events_statements_summary_by_digest.',
  ),
  'clickhouse.query_history': `${FREQUENT_QUERIES} ${t('Requires {grant}.', { grant: 'SELECT on system.query_log' })}`,
  'redshift.query_history': `${FREQUENT_QUERIES} ${t('Requires {grant}.', { grant: 'SYSLOG ACCESS UNRESTRICTED' })}`,
  'snowflake.query_history': `${FREQUENT_QUERIES} ${t('Requires {grant}.', { grant: 'IMPORTED PRIVILEGES on SNOWFLAKE' })}`,
  'bigquery.query_history': `${FREQUENT_QUERIES} ${t('Requires {grant}.', { grant: 'BigQuery Resource Viewer' })}`,
  'databricks.query_history': `${FREQUENT_QUERIES} ${t('Requires {grant}.', { grant: 'SELECT on system.query.history' })}`,
  'trino.query_history': FREQUENT_QUERIES,
}

/** Label and help of a credential field in the language of the app; what is not known here as the server describes it. */
export const translateField = (type: string, field: CredentialField): CredentialField => {
  if (language === 'en') return field
  const { name, label, help } = field
  return { ...field, label: LABELS[name] ?? label, help: help && (HELP[`${type}.${name}`] ?? HELP[name] ?? help) }
}
