/** The SQL dialects of the databases that BI tools query, by the names the tools have for them. */
const DIALECTS: Readonly<Record<string, string>> = {
  athena: 'athena',
  awsathena: 'athena',
  bigquery: 'bigquery',
  'bigquery-cloud-sdk': 'bigquery',
  clickhouse: 'clickhouse',
  clickhousedb: 'clickhouse',
  databricks: 'databricks',
  duckdb: 'duckdb',
  mssql: 'tsql',
  mysql: 'mysql',
  oracle: 'oracle',
  postgres: 'postgres',
  postgresql: 'postgres',
  presto: 'trino',
  'presto-jdbc': 'trino',
  redshift: 'redshift',
  snowflake: 'snowflake',
  sparksql: 'databricks',
  sqlite: 'sqlite',
  sqlserver: 'tsql',
  starburst: 'trino',
  trino: 'trino',
}

/** Undefined for an engine whose SQL cannot be read. Superset adds drivers: `mysql+mysqlconnector`. */
export const findEngineDialect = (engine: string): string | undefined => {
  const name = engine.toLowerCase().split('+')[0]!
  return Object.hasOwn(DIALECTS, name) ? DIALECTS[name] : undefined
}

export const DEFAULT_SCHEMAS: Readonly<Record<string, string>> = {
  postgres: 'public',
  redshift: 'public',
  tsql: 'dbo',
  snowflake: 'PUBLIC',
}
