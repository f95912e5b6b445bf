import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { join } from 'node:path'

/**
 * The npm packages of drivers that neither Tablinum's own package nor the start of a checkout installs, by integration type: together they are
 * larger than everything else. Reasons: docs/decisions/0029-shipping.md.
 */
export const DRIVER_PACKAGES = {
  bigquery: '@google-cloud/bigquery',
  cassandra: 'cassandra-driver',
  databricks: '@databricks/sql',
  duckdb: '@duckdb/node-api',
  kafka: '@platformatic/kafka',
  mongodb: 'mongodb',
  oracle: 'oracledb',
  snowflake: 'snowflake-sdk',
  sqlserver: 'tedious',
} as const

/** The package to install for this type of integration, with its version, if it is missing. */
export const findMissingPackage = (type: string): string | undefined => {
  const name = Object.hasOwn(DRIVER_PACKAGES, type) ? DRIVER_PACKAGES[type as keyof typeof DRIVER_PACKAGES] : undefined
  return name === undefined || isInstalled(name) ? undefined : `${name}@${getWantedVersion(name)}`
}

const isInstalled = (name: string): boolean => {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined
  } catch {
    return false
  }
}

/** The version it was tested with: a development package of a checkout, an optional peer of the npm package. */
const getWantedVersion = (name: string): string => {
  const { devDependencies, peerDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8'))
  return { ...devDependencies, ...peerDependencies }[name]
}
