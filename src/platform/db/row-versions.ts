import { sql } from 'kysely'
import { batchLookups } from './batch-lookups.ts'
import type { Db } from './connect.ts'
import { anyOf } from './opaque-params.ts'

/** The state of a resource: the version of its row and its number of children. */
export interface RowState {
  readonly id: string
  /** `xmin`, which is different for every version of a row. */
  readonly row_version: string
  readonly children_count: string
}

export type VersionedRowState = RowState & { readonly version: number }

const ACCESS = 'access'
const POSITION = 'position'

const POSITION_SQL = sql`union all select ${sql.lit(POSITION)}, pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::text, '', 0`

/**
 * Checks whether cached data is still valid. All checks of one turn of the event loop are one statement, because a round trip to Postgres
 * costs more than the check itself.
 */
export class RowVersions {
  readonly #lookUp: (key: string) => Promise<VersionedRowState | undefined>

  constructor(db: Db) {
    this.#lookUp = batchLookups(async (keys) => {
      const { rows } = await sql<VersionedRowState>`
        select ${ACCESS} as id, version::text as row_version, '' as children_count, 0 as version from access_version
        union all
        select id::text, xmin::text, children_count::text, version from resources where id = ${anyOf(keys.filter((key) => key !== ACCESS && key !== POSITION))}
        ${keys.includes(POSITION) ? POSITION_SQL : sql``}
      `.execute(db)
      return new Map(rows.map((row) => [row.id, row]))
    })
  }

  /** Changes whenever any permission or visibility changes. */
  async access(): Promise<string> {
    return (await this.#lookUp(ACCESS))!.row_version
  }

  /** How much of the log the primary has flushed: everything committed before is part of it. */
  async position(): Promise<number> {
    return Number((await this.#lookUp(POSITION))!.row_version)
  }

  resource(id: string): Promise<VersionedRowState | undefined> {
    return this.#lookUp(id)
  }
}
