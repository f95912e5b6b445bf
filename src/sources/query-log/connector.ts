import { type Connector, getTextCredential, requireCatalogContext } from '../connectors/shared/connector.ts'
import { roundCalls, toQueryTitle } from '../connectors/shared/item-values.ts'
import { buildItemKey, type Item } from '../sync/item.ts'
import { findLogTable } from './log-table.ts'
import { type LoggedStatement, nextStatements } from './query-log-rows.ts'
import { checkLogTable, readLogTable } from './read-table.ts'

const BATCH_SIZE = 500

/** Query logs, uploaded or read from a table of another integration: their statements become queries, from which usage and lineage of tables of other integrations are derived. */
export const queryLogConnector: Connector = {
  test: async (source, signal, withSource) => {
    const table = findLogTable(source)
    return table && withSource
      ? checkLogTable(table, signal, withSource)
      : 'Waiting for logs: upload a file of queries in the web app or with "tablinum query-log".'
  },

  async *discover(source, context) {
    const ctx = requireCatalogContext(context)
    const dialect = getTextCredential(source, 'dialect') ?? 'postgres'
    const database = getTextCredential(source, 'database')
    const schema = getTextCredential(source, 'schema')
    const reads_from = getTextCredential(source, 'warehouse') ?? null
    const table = findLogTable(source)
    if (table && !context.only_names) await readLogTable(ctx, source.id, table, context)
    let after = ''
    for (;;) {
      context.signal.throwIfAborted()
      const statements = await nextStatements(ctx.db, source.id, after, BATCH_SIZE)
      for (const statement of statements) yield toItem(statement, { dialect, database, schema, reads_from })
      if (statements.length < BATCH_SIZE) return
      after = statements.at(-1)!.hash
    }
  },
}

interface Defaults {
  readonly dialect: string
  readonly database: string | undefined
  readonly schema: string | undefined
  readonly reads_from: string | null
}

const toItem = (statement: LoggedStatement, defaults: Defaults): Item => {
  const { hash, sql, executions, calls, users, last_at, mean_ms } = statement
  const [database, schema] = [statement.database ?? defaults.database, statement.schema ?? defaults.schema]
  return {
    key: buildItemKey('query', hash),
    entity_type: 'query',
    fields: { title: toQueryTitle(sql), definition: sql },
    own: { freq: roundCalls(executions), type: 'history' },
    reported: {
      ...(users ? { external_users: [...users].sort() } : {}),
      ...(last_at ? { external_updated_at: new Date(last_at).toISOString() } : {}),
    },
    facts: { executions, ...(mean_ms === null ? {} : { mean_duration_ms: Math.round(mean_ms) }) },
    made_by: {
      ...{ sql, dialect: defaults.dialect, reads_from: defaults.reads_from },
      ...(database ? { database } : {}),
      ...(schema ? { schema } : {}),
    },
    used: { calls, hours: 24, ...(users ? { users } : {}) },
  }
}
