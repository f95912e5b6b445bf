import { sql } from 'kysely'
import { anyOf } from './any-of.ts'
import { batched } from './batch.ts'
import type { Db } from './connect.ts'

/** A resource as it stands: in which version of its row, with how many children. */
export interface Shown {
  readonly id: string
  /** Postgres gives every version of a row another `xmin`. */
  readonly stamp: string
  readonly children_count: string
}

export type Stamp = Shown & { readonly version: number }

const ACCESS = 'access'

/**
 * Is what we remember still true? Everything asked in one turn of the loop, of access and of resources, is one statement: to wake a
 * process of Postgres costs more than what it is asked here.
 */
export class RowVersions {
  readonly #lookUp: (key: string) => Promise<Stamp | undefined>

  constructor(db: Db) {
    this.#lookUp = batched(async (keys) => {
      const { rows } = await sql<Stamp>`
        select ${ACCESS} as id, version::text as stamp, '' as children_count, 0 as version from access_version
        union all
        select id::text, xmin::text, children_count::text, version from resources where id = ${anyOf(keys.filter((key) => key !== ACCESS))}
      `.execute(db)
      return new Map(rows.map((row) => [row.id, row]))
    })
  }

  /** Other than before when anything was changed about who may do or see what. */
  async access(): Promise<string> {
    return (await this.#lookUp(ACCESS))!.stamp
  }

  resource(id: string): Promise<Stamp | undefined> {
    return this.#lookUp(id)
  }
}
