import { constants, DatabaseSync, type StatementSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import type { Statement } from '../../../../connector/src/protocol.ts'
import { runDriver } from '../shared/driver-program.ts'

/** The program that queries an SQLite file. */
interface SqliteSettings {
  /** Checked by the server. */
  readonly path: string
}

/** A running query blocks this thread: a worker thread ends the process when its parent is gone. */
new Worker(`const parent = process.ppid; setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGKILL'), 1000)`, {
  eval: true,
}).unref()

const MAX_VALUE_BYTES = 50_000_000
const BATCH_ROWS = 100

/** The file may come from an untrusted source: its definitions are not executed, no other file is opened, and nothing is written. */
const openFile = (path: string): DatabaseSync => {
  const file = new DatabaseSync(path, { readOnly: true, allowExtension: false, timeout: 5_000 })
  file.exec('pragma trusted_schema = off; pragma cell_size_check = on; pragma query_only = on')
  file.limits.attach = 0
  file.limits.length = MAX_VALUE_BYTES
  const { SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE, SQLITE_OK, SQLITE_DENY } = constants
  const fine = new Set([SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE])
  file.setAuthorizer((action) => (fine.has(action) ? SQLITE_OK : SQLITE_DENY))
  file.prepare('select 1').get()
  return file
}

function* readRows(statement: StatementSync): Generator<unknown[][], void> {
  let batch: unknown[][] = []
  for (const row of statement.iterate() as unknown as Iterable<unknown[]>) {
    batch.push(row)
    if (batch.length < BATCH_ROWS) continue
    yield batch
    batch = []
  }
  yield batch
}

await runDriver<SqliteSettings>({
  name: 'sqlite',
  label: 'SQLite',
  dialect: 'sqlite',
  settings: { type: 'object', required: ['path'], properties: { path: { type: 'string', title: 'Path', destination: true } } },
  open: async ({ path }) => {
    const file = openFile(path)
    return {
      run: ({ sql }: Statement) => {
        const statement = file.prepare(sql)
        statement.setReturnArrays(true)
        statement.setReadBigInts(true)
        return { columns: statement.columns().map(({ name, type }) => ({ name, type: type ?? '' })), rows: readRows(statement) }
      },
    }
  },
})
