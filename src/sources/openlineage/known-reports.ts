import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../platform/db/connect.ts'
import type { JobFlows } from '../job-flows/flows.ts'

declare module '../../platform/context/runtime.ts' {
  interface Runtime {
    /** Datasets of OpenLineage events that are known as reported. */
    readonly knownReports: KnownReports
  }
}

/** What became of the datasets of an event. */
export interface IngestedReport {
  /** The resources of its datasets. */
  readonly tables: readonly string[]
  readonly flows: JobFlows
  /** Resources of its datasets and their columns that no other source has, by key. */
  readonly ids: ReadonlyMap<string, string>
}

const MAX_IDS = 500_000 // in all reports together, about 100 bytes each
const REPORT_SIZE = 25 // of a report without any, so that there are at most 20,000

/**
 * Runs of a job report the same datasets again and again. Ingesting them a second time compares every column with what is stored and changes
 * nothing: as long as the resources are in the state in which the first time left them, only the run is new. The state is read from the
 * database each time, so it does not matter which process changed something.
 */
export class KnownReports {
  readonly #reports = new LRUCache<string, IngestedReport & { readonly state: string }>({
    maxSize: MAX_IDS,
    sizeCalculation: ({ tables, flows, ids }) =>
      REPORT_SIZE + tables.length + ids.size + flows.inputs.length + flows.outputs.length + 2 * flows.columns.length,
  })

  /** The reports among these that are still true, by their digest. */
  async find(db: Db, digests: Iterable<string>): Promise<Map<string, IngestedReport>> {
    const found = new Map<string, IngestedReport & { readonly state: string }>()
    for (const digest of digests) {
      const report = this.#reports.get(digest)
      if (report) found.set(digest, report)
    }
    const states = await readStates(db, found.values())
    for (const [digest, { tables, state }] of found) if (joinStates(states, tables) !== state) found.delete(digest)
    return found
  }

  /** Remembers reports with their state in this transaction. If it is rolled back, nothing is known: the database is not in that state. */
  async add(db: Db, reports: ReadonlyMap<string, IngestedReport>): Promise<void> {
    const states = await readStates(db, reports.values())
    for (const [digest, report] of reports) {
      const state = joinStates(states, report.tables)
      if (state !== undefined) this.#reports.set(digest, { ...report, state })
    }
  }
}

const joinStates = (states: ReadonlyMap<string, string>, tables: readonly string[]): string | undefined =>
  tables.every((id) => states.has(id)) ? tables.map((id) => states.get(id)).join() : undefined

/** The state of tables and their columns: which ones there are, whether they are missing, and what their source reported last. */
const readStates = async (db: Db, reports: Iterable<IngestedReport>): Promise<Map<string, string>> => {
  const tables = [...new Set([...reports].flatMap(({ tables }) => tables))]
  if (tables.length === 0) return new Map()
  const { rows } = await sql<{ id: string; state: string }>`
    select t.id, sum(hashtextextended(concat_ws(' ', r.id, r.title, r.stale, o.integration, o.fingerprint, o.gone_at), 0))::text as state
    from unnest(${tables}::uuid[]) t (id)
    cross join lateral (
      select r.id, r.title, r.stale from resources r where r.id = t.id
      union all
      select r.id, r.title, r.stale from resources r where r.parent = t.id and r.entity_type = 'column'
    ) r
    left join resource_origins o on o.resource_id = r.id
    group by t.id having bool_or(r.id = t.id)
  `.execute(db)
  return new Map(rows.map(({ id, state }) => [id, state]))
}
