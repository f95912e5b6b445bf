import { constants, DatabaseSync, type StatementSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { toCell } from '../shared/cells.ts'
import type { Cell, SourceRows } from '../shared/connector.ts'

/** The process that queries an SQLite file, one query at a time. */
export type SqliteResponse = SourceRows | { readonly error: string }

/** A running query blocks this thread: a worker thread ends the process when its parent is gone. */
new Worker(`const parent = process.ppid; setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGKILL'), 1000)`, {
  eval: true,
}).unref()

const MAX_VALUE_BYTES = 50_000_000

/** The file may come from an untrusted source: its definitions are not executed, no other file is opened, and nothing is written. */
const open = (path: string): DatabaseSync => {
  const file = new DatabaseSync(path, { readOnly: true, allowExtension: false, timeout: 5_000 })
  file.exec('pragma trusted_schema = off; pragma cell_size_check = on; pragma query_only = on')
  file.limits.attach = 0
  file.limits.length = MAX_VALUE_BYTES
  const { SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE, SQLITE_OK, SQLITE_DENY } = constants
  const fine = new Set([SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE])
  file.setAuthorizer((action) => (fine.has(action) ? SQLITE_OK : SQLITE_DENY))
  return file
}

const readRows = (statement: StatementSync, maxRows: number): SourceRows => {
  statement.setReturnArrays(true)
  statement.setReadBigInts(true)
  const rows: Cell[][] = []
  let truncated = false
  for (const row of statement.iterate() as unknown as Iterable<unknown[]>) {
    truncated = rows.length === maxRows
    if (truncated) break
    rows.push(row.map(toCell))
  }
  return { columns: statement.columns().map(({ name, type }) => ({ name, type: type ?? '' })), rows, truncated }
}

let file: DatabaseSync | undefined
process.on('message', ({ sql, max_rows }: { sql: string; max_rows: number }) => {
  let response: SqliteResponse
  try {
    file ??= open(process.argv[2]!)
    response = readRows(file.prepare(sql), max_rows)
  } catch (error) {
    response = { error: (error as Error).message }
  }
  process.send!(response)
})
process.on('disconnect', () => process.exit())
