/** The SQL dialects of the databases that BI tools query, by the names the tools have for them. */
const DIALECTS: Readonly<Record<string, string>> = {
  athena: 'athena',
  awsathena: 'athena',
  azure_sql_dw: 'tsql',
  azure_sqldb: 'tsql',
  bigquery: 'bigquery',
  'bigquery-cloud-sdk': 'bigquery',
  bigquery_standard_sql: 'bigquery',
  clickhouse: 'clickhouse',
  clickhousedb: 'clickhouse',
  databricks: 'databricks',
  duckdb: 'duckdb',
  mssql: 'tsql',
  mssql_odbc: 'tsql',
  mysql: 'mysql',
  oracle: 'oracle',
  oracleadb: 'oracle',
  pg: 'postgres',
  postgres: 'postgres',
  postgresql: 'postgres',
  presto: 'trino',
  'presto-jdbc': 'trino',
  rds_mysql: 'mysql',
  redshift: 'redshift',
  snowflake: 'snowflake',
  spark: 'databricks',
  sparksql: 'databricks',
  sqlite: 'sqlite',
  sqlserver: 'tsql',
  starburst: 'trino',
  trino: 'trino',
  'vertamedia-clickhouse': 'clickhouse',
}

/** Undefined for an engine whose SQL cannot be read. Names are written as `mysql+mysqlconnector`, `jdbc:redshift`, `grafana-athena-datasource`. */
export const findEngineDialect = (engine: string): string | undefined => {
  const name = engine
    .toLowerCase()
    .replace(/^(jdbc:|grafana-)/, '')
    .replace(/(\+.*|-datasource)$/, '')
  return Object.hasOwn(DIALECTS, name) ? DIALECTS[name] : undefined
}

export const DEFAULT_SCHEMAS: Readonly<Record<string, string>> = {
  postgres: 'public',
  redshift: 'public',
  tsql: 'dbo',
  snowflake: 'PUBLIC',
}
