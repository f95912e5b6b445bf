import type { SqlSource } from '../shared/connector.ts'
import { resolveSourceFile } from '../shared/files.ts'
import { ProgramConnection, toNodeProgram } from '../shared/program-connection.ts'

/** A running query cannot be interrupted: the program is killed. */
const GRACE_MS = 500

export const sqliteSqlSource: SqlSource = {
  dialect: 'sqlite',
  open: async (source, signal) => {
    const connection = new ProgramConnection({
      name: 'SQLite',
      program: toNodeProgram(new URL('./sqlite-process.ts', import.meta.url)),
      settings: { path: await resolveSourceFile(source) },
      graceMs: GRACE_MS,
    })
    await connection.connect(signal)
    return connection
  },
}
