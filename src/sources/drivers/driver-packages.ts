/**
 * The drivers that neither Tablinum's own package nor the start of a checkout installs, by the type of integration that needs them: together
 * they are larger than everything else. Reasons: docs/decisions/0029-shipping.md.
 */
export const DRIVERS = {
  bigquery: { package: '@google-cloud/bigquery', megabytes: 13 },
  cassandra: { package: 'cassandra-driver', megabytes: 2 },
  databricks: { package: '@databricks/sql', megabytes: 41 },
  duckdb: { package: '@duckdb/node-api', megabytes: 72 },
  kafka: { package: '@platformatic/kafka', megabytes: 9 },
  mongodb: { package: 'mongodb', megabytes: 7 },
  oracle: { package: 'oracledb', megabytes: 4 },
  snowflake: { package: 'snowflake-sdk', megabytes: 79 },
  sqlserver: { package: 'tedious', megabytes: 51 },
} as const

export type DriverName = keyof typeof DRIVERS
export const DRIVER_NAMES = Object.keys(DRIVERS) as DriverName[]

export const isDriverName = (name: string): name is DriverName => Object.hasOwn(DRIVERS, name)
