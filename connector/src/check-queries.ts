import { splitKey } from './keys.ts'
import type { Program } from './process.ts'
import type { ItemMessage, Settings } from './protocol.ts'
import { QuerySession, StatementError } from './session.ts'

interface QueryCheck {
  readonly check: string
  readonly find: () => Promise<string | undefined>
}

const STATEMENT_MS = 60_000
const FORBIDDEN = 'create table tablinum_connector_check (n integer)'

/** What a connector that runs queries must fulfil besides. */
export const listQueryChecks = (
  program: Program,
  { settings, allowedHosts }: { readonly settings: Settings; readonly allowedHosts?: readonly string[] },
  items: readonly ItemMessage[],
): QueryCheck[] => {
  const signal = AbortSignal.timeout(10 * STATEMENT_MS)
  const open = () => QuerySession.open(program, { settings, allowedHosts }, signal)
  const run = async (session: QuerySession, sql: string, max_rows?: number) => {
    const found = { columns: [] as string[], rows: [] as unknown[][], truncated: false }
    for await (const message of session.run({ sql, max_rows }, { signal, timeout_ms: STATEMENT_MS })) {
      if (message.type === 'columns') found.columns.push(...message.columns.map(({ name }) => name))
      if (message.type === 'rows') found.rows.push(...message.rows.map((row) => [...row]))
      if (message.type === 'end') found.truncated = message.truncated === true
    }
    return found
  }
  const fails = (session: QuerySession, sql: string) =>
    run(session, sql).then(
      () => false,
      (error) => {
        if (error instanceof StatementError) return true
        throw error
      },
    )
  return [
    {
      check: 'a query returns its columns and rows',
      find: async () => {
        await using session = await open()
        const { columns, rows } = await run(session, 'select 1 as n')
        return columns[0]?.toLowerCase() === 'n' && rows.length === 1 && rows[0]![0] === 1
          ? undefined
          : `\`select 1 as n\` returned ${JSON.stringify({ columns, rows })}.`
      },
    },
    {
      check: 'no more rows are sent than asked for',
      find: async () => {
        await using session = await open()
        const { rows, truncated } = await run(session, 'select 1 as n union all select 2', 1)
        return rows.length === 1 && truncated ? undefined : `Of two rows, ${rows.length} came with max_rows 1, truncated: ${truncated}.`
      },
    },
    {
      check: 'a statement that fails does not end the session',
      find: async () => {
        await using session = await open()
        if (!(await fails(session, 'select from where'))) return '`select from where` succeeded.'
        return (await run(session, 'select 1 as n')).rows.length === 1 ? undefined : 'The next statement returned nothing.'
      },
    },
    {
      check: 'nothing is written',
      find: async () => {
        await using session = await open()
        return (await fails(session, FORBIDDEN)) ? undefined : `\`${FORBIDDEN}\` succeeded. Drop the table, and open the session read-only.`
      },
    },
    {
      check: 'the keys of tables are their names',
      find: async () => {
        const wrong = items.find(({ entity_type, key, title }) => entity_type === 'table' && splitKey(key).at(-1) !== title)
        return wrong && `The last part of the key ${wrong.key} is not the name of the table, ${wrong.title}.`
      },
    },
  ]
}
