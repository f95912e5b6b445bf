import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createConnection } from 'mysql2'
import { mysqlConnector } from '../src/sources/connectors/mysql/mysql.ts'
import type { QueryLimits, Source, SqlConnection } from '../src/sources/connectors/shared/connector.ts'
import { createMariadbSource, skipWithoutMariadb } from '../test/servers/mariadb.ts'
import { table } from './table.ts'

/**
 * What it costs that the driver of a source runs in a program of its own: a new connection, small statements and many rows on MariaDB, against the
 * same driver in this process, with the same transactions and settings.
 */
const STATEMENTS = 1_000
const ROWS = 150_000
const STARTS = 10

const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

export const benchSourcePrograms = async (): Promise<string> => {
  if (skipWithoutMariadb) return `### Drivers in programs of their own\n\nNot run: ${skipWithoutMariadb}\n`
  await using source = await createMariadbSource('create table t (id int, name varchar(50), price decimal(10, 2), at datetime)')
  await source.run(`insert into t select seq, concat('name of ', seq), seq / 100, '2026-01-01' + interval seq second from seq_1_to_${ROWS}`)
  const settings: Source = { id: '', name: '', credentials: source.credentials }
  const rows = [
    await measureAll('program', (signal) => mysqlConnector.sql!.open(settings, signal)),
    await measureAll('in this process', () => openDirectly(source.credentials)),
  ]
  const head = [
    '',
    'new connection, ms to the first row',
    'CPU ms, server',
    'CPU ms, program',
    'small statement, CPU ms, server',
    'CPU ms, program',
    `${ROWS.toLocaleString('en')} rows, CPU s, server`,
    'CPU s, program',
    'MB, program',
  ]
  return table('Driver of MySQL in a program of its own', head, rows)
}

const measureAll = async (name: string, open: (signal: AbortSignal) => Promise<SqlConnection>): Promise<(string | number)[]> => {
  const { signal } = new AbortController()
  const limits = { signal, timeout_ms: 60_000, max_rows: 10 }
  const opened: Cost[] = []
  for (let i = 0; i < STARTS; i += 1) {
    const began = await Clock.start()
    const connection = await open(signal)
    await connection.query('select 1', limits)
    opened.push(began.stop())
    await connection[Symbol.asyncDispose]()
  }
  await using connection = await open(signal)
  const small = await measure(async () => {
    for (let i = 0; i < STATEMENTS; i += 1) await connection.query(`select id, name, price from t where id = ${i + 1}`, limits)
  })
  const many = await measure(() => connection.query('select * from t', { ...limits, max_rows: ROWS + 1 }))
  const memory = findPrograms().reduce((sum, pid) => sum + readMemory(pid), 0)
  const median = (field: keyof Cost) => opened.map((each) => each[field]).toSorted((a, b) => a - b)[STARTS / 2]!
  return [
    name,
    median('ms'),
    median('server'),
    median('program'),
    small.server / STATEMENTS,
    small.program / STATEMENTS,
    many.server / 1000,
    many.program / 1000,
    memory,
  ]
}

interface Cost {
  readonly ms: number
  readonly server: number
  readonly program: number
}

class Clock {
  readonly #began = performance.now()
  readonly #cpu = process.cpuUsage()
  readonly #program = readCpu()

  /** A new connection begins with nothing left to do for this process. */
  static async start(): Promise<Clock> {
    await new Promise((done) => setTimeout(done, 50))
    return new Clock()
  }

  stop(): Cost {
    const { user, system } = process.cpuUsage(this.#cpu)
    return { ms: performance.now() - this.#began, server: (user + system) / 1000, program: readCpu() - this.#program }
  }
}

const measure = async (work: () => Promise<unknown>): Promise<Cost> => {
  const began = await Clock.start()
  await work()
  return began.stop()
}

/** Processes of drivers that this one has started. */
const findPrograms = (): string[] =>
  execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => (line.includes('-process.') ? (/^\s*(\d+)/.exec(line)?.[1] ?? []) : []))

/** Milliseconds of all of them. */
const readCpu = (): number =>
  findPrograms().reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return sum + ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS
  }, 0)

const readMemory = (pid: string): number => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

/** The least that the driver needs for the same: one transaction for each statement, raw values that become cells. */
const openDirectly = async (credentials: {
  host: string
  port: number
  user: string
  password: string
  database: string
}): Promise<SqlConnection> => {
  const connection = createConnection({ ...credentials, charset: 'UTF8MB4_UNICODE_CI' }).promise()
  const run = async (...statements: string[]) => {
    for (const each of statements) await connection.query(each)
  }
  await run('set session transaction read only', "set session time_zone = '+00:00'")
  return {
    query: async (sql, { max_rows }: QueryLimits) => {
      await run(
        'rollback',
        'set session max_statement_time = 60',
        `set session sql_select_limit = ${max_rows + 1}`,
        'start transaction read only',
      )
      const [rows, fields] = await connection.query({ sql, rowsAsArray: true, dateStrings: true })
      await run('rollback')
      return { columns: fields.map(({ name }) => ({ name, type: '' })), rows: rows as never, truncated: false }
    },
    [Symbol.asyncDispose]: () => connection.end(),
  }
}
