import { t } from '../../i18n/messages.ts'

/** SQL dialects the server parses, with their display names. */
export const DIALECTS = {
  postgres: 'PostgreSQL',
  snowflake: 'Snowflake',
  bigquery: 'BigQuery',
  redshift: 'Redshift',
  databricks: 'Databricks',
  mysql: 'MySQL',
  mariadb: 'MariaDB',
  tsql: 'SQL Server',
  oracle: 'Oracle',
  clickhouse: 'ClickHouse',
  duckdb: 'DuckDB',
  sqlite: 'SQLite',
  trino: 'Trino',
  presto: 'Presto',
  athena: 'Athena',
  spark: 'Spark',
  hive: 'Hive',
  impala: 'Impala',
  teradata: 'Teradata',
  vertica: 'Vertica',
  db2: 'Db2',
  exasol: 'Exasol',
  starrocks: 'StarRocks',
  doris: 'Doris',
  materialize: 'Materialize',
  flink: 'Flink',
  dremio: 'Dremio',
  ansi: t('Standard SQL'),
} as const
export type Dialect = keyof typeof DIALECTS

export const DEFAULT_DIALECT: Dialect = 'postgres'

/** The dialect of an integration type, if known. */
export const getDialect = (type: string | undefined): Dialect | undefined => (type && type in DIALECTS ? (type as Dialect) : undefined)
