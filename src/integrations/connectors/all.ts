import { bigqueryConnector } from './bigquery.ts'
import { clickhouseConnector } from './clickhouse.ts'
import type { Connector } from './connector.ts'
import { databricksConnector } from './databricks.ts'
import { dbtConnector } from './dbt.ts'
import { duckdbConnector } from './duckdb.ts'
import { mysqlConnector } from './mysql.ts'
import { postgresConnector } from './postgres.ts'
import { redshiftConnector } from './redshift.ts'
import { snowflakeConnector } from './snowflake.ts'
import { sqliteConnector } from './sqlite.ts'
import { trinoConnector } from './trino.ts'

/** All connectors by integration type. */
export const CONNECTORS: Map<string, Connector> = new Map([
  ['postgres', postgresConnector],
  ['sqlite', sqliteConnector],
  ['mysql', mysqlConnector],
  ['clickhouse', clickhouseConnector],
  ['duckdb', duckdbConnector],
  ['dbt', dbtConnector],
  ['redshift', redshiftConnector],
  ['snowflake', snowflakeConnector],
  ['bigquery', bigqueryConnector],
  ['databricks', databricksConnector],
  ['trino', trinoConnector],
])
