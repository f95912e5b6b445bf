import { getNumberCredential, getTextCredential, type Source } from '../shared/connector.ts'
import { ProgramConnection, toNodeProgram } from '../shared/program-connection.ts'
import type { OpenOptions } from './mysql-process.ts'

/** Time for a second connection, which kills the query. */
const GRACE_MS = 3_000

export const openMysqlProgram = (source: Source, catalog_ms?: number): ProgramConnection => {
  const opening: OpenOptions = {
    host: getTextCredential(source, 'host')!,
    port: getNumberCredential(source, 'port'),
    database: getTextCredential(source, 'database'),
    user: getTextCredential(source, 'user')!,
    password: getTextCredential(source, 'password'),
    ssl: source.credentials.ssl === true,
    ca: getTextCredential(source, 'ca'),
    catalog_ms,
  }
  return new ProgramConnection({
    name: 'The driver of MySQL',
    program: toNodeProgram(new URL('./mysql-process.ts', import.meta.url)),
    settings: { ...opening },
    graceMs: GRACE_MS,
  })
}
