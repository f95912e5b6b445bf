import { dirname, join } from 'node:path'
import { DRIVERS } from '../../src/sources/drivers/driver-packages.ts'
import { createTestApp, type TestApp, type TestAppOptions } from '../support/test-app.ts'

/** Drivers that can be installed: their jobs are queued, and nothing runs them. */
const MISSING = [DRIVERS.bigquery, DRIVERS.oracle, DRIVERS.snowflake].map((driver): string => driver.package)

/** An app for requests that nobody chose: its webhooks may call this machine. */
export const createFuzzApp = (filesFolder: string, options: Pick<TestAppOptions, 'serverUrl'> = {}): Promise<TestApp> =>
  createTestApp({
    ...options,
    webhookAllow: ['127.0.0.0/8'],
    filesFolder,
    drivers: {
      folder: join(filesFolder, 'drivers'),
      npm: { env: { PATH: process.env.PATH ?? dirname(process.execPath) } },
      isPreinstalled: (name) => !MISSING.includes(name),
    },
  })
