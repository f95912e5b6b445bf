import { sql } from 'kysely'
import type { FlowMessage, LineageMessage, LineageSource } from '../../../../connector/src/protocol.ts'
import { newId } from '../../../platform/core/id.ts'
import type { Db } from '../../../platform/db/connect.ts'

/**
 * The lineage that a connector reports. It is saved when all items are in the catalog; until then it waits in a table, because a BI tool has more of it
 * than should be in memory.
 */

const BATCH_MESSAGES = 2_000
const BATCH_CHARACTERS = 1_000_000
const MAX_CHARACTERS = 200_000_000

type Kind = 'started' | 'into' | 'through'

interface Row {
  readonly number: number
  readonly kind: Kind
  readonly key: string
  readonly reported: string | null
}

interface Reported<T> {
  readonly key: string
  readonly reported: readonly T[]
}

/**
 * Of one run. Another one of the same integration deletes its rows when it starts: of two that overlap, as the first was paused for so long that its job
 * was given to another worker, the first one fails. The number of rows tells whether any are gone.
 */
export class ReportedLineage {
  readonly #db: Db
  readonly #integration: string
  readonly #run = newId()
  #waiting: Row[] = []
  #waitingCharacters = 0
  #characters = 0
  #number = 0
  /** Rows of this run that must be in the table. */
  #inserted = 0

  constructor(db: Db, integration: string) {
    this.#db = db
    this.#integration = integration
  }

  /** Must be called under the lock of the sync. */
  async start(): Promise<void> {
    await deleteOtherRuns(this.#db, this.#integration, this.#run)
    await this.#insert([{ number: 0, kind: 'started', key: '', reported: null }])
  }

  addLineage({ to, from }: LineageMessage): Promise<void> {
    return this.#add('into', to, from)
  }

  addFlow(message: FlowMessage): Promise<void> {
    return this.#add('through', message.job, message)
  }

  async #add(kind: Kind, key: string, value: unknown): Promise<void> {
    const reported = JSON.stringify(value)
    this.#characters += reported.length
    if (this.#characters > MAX_CHARACTERS)
      throw new Error(
        `The connector reported more than ${MAX_CHARACTERS.toLocaleString('en')} characters of lineage, which is more than one sync can save. Split the ` +
          'source into several integrations, each with patterns for a part of it.',
      )
    this.#number += 1
    this.#waiting.push({ number: this.#number, kind, key, reported })
    this.#waitingCharacters += reported.length
    if (this.#waiting.length >= BATCH_MESSAGES || this.#waitingCharacters >= BATCH_CHARACTERS) await this.flush()
  }

  /** Everything that was added can be read. */
  async flush(): Promise<void> {
    const rows = this.#waiting
    this.#waiting = []
    this.#waitingCharacters = 0
    if (rows.length > 0) await this.#insert(rows)
  }

  async #insert(rows: readonly Row[]): Promise<void> {
    await insertReported(this.#db, this.#run, this.#integration, rows)
    this.#inserted += rows.length
  }

  /** What flows into each item, in batches in the order of the keys. */
  async *readInto(limit: number): AsyncGenerator<readonly Reported<LineageSource>[], void> {
    for await (const batch of this.#read<LineageSource[]>('into', limit))
      yield batch.map(({ key, reported }) => ({ key, reported: reported.flat() }))
  }

  /** What each job carries. */
  readThrough(limit: number): AsyncGenerator<readonly Reported<FlowMessage>[], void> {
    return this.#read<FlowMessage>('through', limit)
  }

  async *#read<T>(kind: Kind, limit: number): AsyncGenerator<readonly Reported<T>[], void> {
    for (let after = ''; ; ) {
      const batch = await findReported<T>(this.#db, this.#run, kind, after, limit)
      if (batch.length === 0) return
      after = batch.at(-1)!.key
      yield batch
    }
  }

  /** These items have no lineage after all. */
  async forget(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) this.#inserted -= await deleteReported(this.#db, this.#run, keys)
  }

  /** The next resources of the integration that have flows of which this run says nothing. */
  async findUnreportedFlows(after: string, limit: number): Promise<readonly ResourceWithFlows[]> {
    const { waiting, unreported } = await findUnreportedFlows(this.#db, this.#run, { integration: this.#integration, after, limit })
    this.#requireAll(waiting)
    return unreported
  }

  /** Everything that was reported has been saved. */
  async complete(): Promise<void> {
    this.#requireAll(await deleteReported(this.#db, this.#run))
    this.#inserted = 0
  }

  /** Without its rows, a run would take everything for no longer reported. */
  #requireAll(rows: number): void {
    if (rows === this.#inserted) return
    throw new Error(
      'The lineage that the connector reported is no longer in the database, because another sync of this integration has started or Postgres was ' +
        'restarted after a crash. Lineage that may be outdated was kept. Sync the integration again.',
    )
  }

  /** Also after an error. */
  async clear(): Promise<void> {
    await deleteReported(this.#db, this.#run)
  }
}

const insertReported = async (db: Db, run: string, integration: string, rows: readonly Row[]): Promise<void> => {
  const list = <K extends keyof Row>(name: K): Row[K][] => rows.map((row) => row[name])
  await sql`
    insert into reported_lineage (run, integration, key, number, kind, reported)
    select ${run}::uuid, ${integration}::uuid, l.key, l.number, l.kind, l.reported::json
    from unnest(${list('key')}::text[], ${list('number')}::int[], ${list('kind')}::text[], ${list('reported')}::text[]) l (key, number, kind, reported)
  `.execute(db)
}

const findReported = async <T>(db: Db, run: string, kind: Kind, after: string, limit: number): Promise<Reported<T>[]> => {
  const { rows } = await sql<Reported<T>>`
    select l.key, json_agg(l.reported order by l.number) as reported
    from (
      select distinct r.key from reported_lineage r
      where r.run = ${run} and r.kind = ${kind} and r.key > ${after} order by r.key limit ${sql.lit(limit)}
    ) k
    join reported_lineage l on l.run = ${run} and l.key = k.key and l.kind = ${kind}
    group by l.key order by l.key
  `.execute(db)
  return rows
}

/** Returns the number of rows. */
const deleteReported = async (db: Db, run: string, keys?: readonly string[]): Promise<number> => {
  const some = keys ? sql`and key = any(${keys}::text[])` : sql``
  const { numAffectedRows } = await sql`delete from reported_lineage where run = ${run} ${some}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

const deleteOtherRuns = async (db: Db, integration: string, run: string): Promise<void> => {
  await sql`delete from reported_lineage where integration = ${integration} and run <> ${run}`.execute(db)
}

interface ResourceWithFlows {
  readonly resource_id: string
  readonly key: string
  readonly entity_type: string
}

interface Unreported {
  /** Rows of the run, at the same time: only with all of them is it known what was not reported. */
  readonly waiting: number
  readonly unreported: readonly ResourceWithFlows[]
}

interface UnreportedPage {
  readonly integration: string
  readonly after: string
  readonly limit: number
}

const findUnreportedFlows = async (db: Db, run: string, { integration, after, limit }: UnreportedPage): Promise<Unreported> => {
  const { rows } = await sql<Unreported>`
    with unreported as (
      select o.resource_id, o.key, r.entity_type from resource_origins o
      join openlineage_flows f on f.resource_id = o.resource_id join resources r on r.id = o.resource_id
      where o.integration = ${integration} and o.key > ${after}
        and not exists (select from reported_lineage l where l.run = ${run} and l.key = o.key)
      order by o.key limit ${sql.lit(limit)}
    )
    select (select count(*) from reported_lineage l where l.run = ${run})::int as waiting,
      coalesce((select json_agg(u order by u.key) from unreported u), '[]') as unreported
  `.execute(db)
  return rows[0]!
}
