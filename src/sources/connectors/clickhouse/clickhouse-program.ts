import { getNumberCredential, getTextCredential, type Source } from '../shared/connector.ts'
import { ProgramConnection, toNodeProgram } from '../shared/program-connection.ts'
import type { ClickhouseSettings } from './clickhouse-client.ts'

/** Time for a second request, which kills the query. */
const GRACE_MS = 3_000

/** Without a database, all names are qualified: as in the queries of the catalog. */
export const openClickhouseProgram = (source: Source, database?: string): ProgramConnection => {
  const opening: ClickhouseSettings = {
    host: getTextCredential(source, 'host')!,
    port: getNumberCredential(source, 'port'),
    database,
    user: getTextCredential(source, 'user')!,
    password: getTextCredential(source, 'password'),
    ssl: source.credentials.ssl === true,
    ca: getTextCredential(source, 'ca'),
  }
  return new ProgramConnection({
    name: 'The driver of ClickHouse',
    program: toNodeProgram(new URL('./clickhouse-process.ts', import.meta.url)),
    settings: { ...opening },
    graceMs: GRACE_MS,
  })
}
