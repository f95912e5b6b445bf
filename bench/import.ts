import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { connect } from '../src/platform/db/connect.ts'
import { corpus } from './corpus.ts'
import { measureCpu, measureDatabaseCpu } from './cpu.ts'
import { SIZE, startBenchPostgres, TOKEN } from './environment.ts'
import { measureMemory } from './export.ts'
import { startBenchServer } from './server.ts'
import { table } from './table.ts'

/** Imports one file into an empty catalog through the API, including history and search. */
const LINES = Math.min(SIZE, 200_000) // about 60 MB
const NAME = 'bench_import'
const INTEGRATION = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'

export const benchImport = async (): Promise<string> => {
  await using environment = await startBenchPostgres()
  const admin = connect(environment.url, { poolSize: 1 })
  await sql.raw(`drop database if exists ${NAME} with (force)`).execute(admin.db)
  await sql.raw(`create database ${NAME}`).execute(admin.db)
  await admin.close()
  const url = new URL(environment.url)
  url.pathname = `/${NAME}`
  const rows = await measureImports(url.href)
  const copy = await copyRows(url.href)
  rows.push(['the same rows by COPY, without triggers', copy.seconds, LINES / copy.seconds, '', '', (copy.cpuSeconds * 1e6) / LINES])
  return table(
    `Import of ${LINES.toLocaleString('en')} lines, one file, one transaction, with history and search`,
    ['', 'seconds', 'lines/s', 'MB RSS, most', 'Node µs/line', 'Postgres µs/line'],
    rows,
  )
}

const measureImports = async (url: string): Promise<(string | number)[][]> => {
  await using tablinum = await startBenchServer('src/server.ts', {
    DATABASE_URL: url,
    TABLINUM_ADMIN_TOKEN: TOKEN,
    TABLINUM_RATE_LIMIT: '0',
  })
  const file = [...lines()] // built before the clock starts
  const rows: (string | number)[][] = []
  for (const [what, query, created] of [
    ['dry run', '?dry_run=true', LINES],
    ['new resources', '', LINES],
    ['the same file again', '', 0],
  ] as const) {
    const [node, pg, start] = [measureCpu(tablinum.pid), measureDatabaseCpu(NAME), performance.now()]
    const result = await send(tablinum.port, query, file)
    if (result.created !== created) throw new Error(`import: ${JSON.stringify(result)}`)
    const seconds = (performance.now() - start) / 1000
    const each = (cpu: number) => (cpu * 1e6) / LINES
    const costs = [each(measureCpu(tablinum.pid) - node), each(measureDatabaseCpu(NAME) - pg)]
    rows.push([what, seconds, LINES / seconds, measureMemory(tablinum.pid, 'VmHWM'), ...costs])
  }
  return rows
}

/** What the import has written to all tables, as COPY would write it to the same tables and indexes if their triggers and foreign keys did nothing. */
const copyRows = async (url: string): Promise<{ seconds: number; cpuSeconds: number }> => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-bench-'))
  await chmod(folder, 0o777) // Postgres writes to it as its own user
  const database = connect(url, { poolSize: 1, statementTimeoutMs: 600_000 })
  try {
    const { rows: tables } = await sql<{ name: string; columns: string }>`
      select c.oid::regclass::text as name,
        (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
      from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and pg_relation_size(c.oid) > 0 order by c.relname
    `.execute(database.db)
    const file = ({ name }: { name: string }) => join(folder, name)
    for (const each of tables) await sql.raw(`copy ${each.name} (${each.columns}) to '${file(each)}'`).execute(database.db)
    await sql`set session_replication_role = replica`.execute(database.db)
    await sql.raw(`truncate ${tables.map(({ name }) => name).join(', ')} cascade`).execute(database.db)
    const [cpu, start] = [measureDatabaseCpu(NAME), performance.now()]
    await database.db.transaction().execute(async (db) => {
      for (const each of tables) await sql.raw(`copy ${each.name} (${each.columns}) from '${file(each)}'`).execute(db)
    })
    return { seconds: (performance.now() - start) / 1000, cpuSeconds: measureDatabaseCpu(NAME) - cpu }
  } finally {
    await database.close()
    await rm(folder, { recursive: true })
  }
}

const send = async (port: number, query: string, file: readonly Buffer[]): Promise<{ created: number }> => {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/integration/integrations/${INTEGRATION}/import_jsonl_metadata/${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/x-ndjson' },
    body: Readable.toWeb(Readable.from(file)) as ReadableStream,
    duplex: 'half',
  } as RequestInit)
  return (await response.json()) as { created: number }
}

function* lines(): Generator<Buffer> {
  for (const level of corpus(LINES))
    for (let i = 0; i < level.length; i += 1000)
      yield Buffer.from(
        level
          .slice(i, i + 1000)
          .map(
            ({ id, parent, integration: _, ...rest }) =>
              `${JSON.stringify({ ...rest, databuilder_id: id, parent_databuilder_id: parent })}\n`,
          )
          .join(''),
      )
}

if (import.meta.main) console.log(await benchImport())
