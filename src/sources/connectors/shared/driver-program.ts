import { runConnector } from '../../../../connector/src/define.ts'
import type { Settings, SettingsSchema, SqlDialect } from '../../../../connector/src/protocol.ts'
import type { QueryConnection } from '../../../../connector/src/serve-session.ts'

/** The driver of a database. */
interface Driver<S> {
  readonly name: string
  readonly label: string
  /** Undefined: no queries of users. */
  readonly dialect?: SqlDialect
  readonly settings: SettingsSchema
  open(settings: S): Promise<QueryConnection>
}

/** A connector whose catalog Tablinum reads with queries, because its items are matched with renamed ones, tags and column pairs of the catalog. */
export const runDriver = <S extends object = Settings>({ dialect, open, ...driver }: Driver<S>): Promise<void> =>
  runConnector<S>({
    ...driver,
    version: '1',
    test: async ({ settings }) => {
      const connection = await open(settings)
      await connection.close?.()
      return 'Connected.'
    },
    discover: () => {
      throw new Error(`The catalog of ${driver.label} is read with queries.`)
    },
    query: { ...(dialect === undefined ? {} : { dialect }), open: ({ settings }) => open(settings) },
  })
