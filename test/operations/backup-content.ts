import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { findTables, findTaskRowsSql, selectRowsSql } from '../../src/operations/backup/tables.ts'
import { openDedicatedConnection } from '../../src/platform/db/dedicated-connection.ts'
import { readMigrations } from '../../src/platform/db/migrate.ts'
import { findCliFile } from '../support/cli.ts'

/** Every row in a backup, by table. */
export const dumpContent = async (url: string): Promise<Record<string, string | null>> => {
  await using session = await openDedicatedConnection(url, 'test')
  const selects = [...(await findTables(session, await readMigrations()))].map(([name, columns]) => [name, selectRowsSql(name, columns)])
  selects.push(['tasks', (await findTaskRowsSql(session))!])
  const content: Record<string, string | null> = {}
  for (const [name, select] of selects) {
    const [all] = await session.query<{ rows: string | null }>(
      `select string_agg(t::text, e'\\n' order by t::text) as rows from (${select}) t`,
    )
    content[name!] = all!.rows
  }
  return content
}

/** The schema: columns, indexes, constraints, triggers, functions. */
export const dumpSchema = async (url: string): Promise<string[]> => {
  await using session = await openDedicatedConnection(url, 'test')
  const found = await session.query<{ thing: string }>(`
    select format('%s.%s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull) as thing
      from pg_class c join pg_attribute a on a.attrelid = c.oid where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    union all select pg_get_indexdef(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = 'public'::regnamespace
    union all select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select format('%s %s', tgenabled, pg_get_triggerdef(t.oid)) from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
    union all select format('%s %s', oid::regprocedure, md5(prosrc)) from pg_proc where pronamespace = 'public'::regnamespace
    order by 1`)
  return found.map(({ thing }) => thing)
}

/** Runs the command line in its own process. */
export const runCli = (args: readonly string[], env: Record<string, string>) => {
  const { DATABASE_URL: _, ...inherited } = process.env
  let output = ''
  const started = findCliFile().then((file) => {
    const child = spawn(process.execPath, [file, ...args], { env: { ...inherited, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output += text
      })
    return { child, closed: once(child, 'close') as Promise<[number | null]> }
  })
  const ended = started.then(async ({ closed }) => ({ code: (await closed)[0], output }))
  return { ended, kill: async () => (await started).child.kill('SIGKILL') }
}
