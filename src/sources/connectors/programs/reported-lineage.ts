import { sql } from 'kysely'
import type { FlowMessage, LineageMessage, LineageSource } from '../../../../connector/src/protocol.ts'
import type { Db } from '../../../platform/db/connect.ts'

/**
 * The lineage that a connector reports. It is saved when all items are in the catalog; until then it waits in a table, because a BI tool has more of it
 * than should be in memory.
 */

const BATCH_MESSAGES = 2_000
const BATCH_CHARACTERS = 1_000_000
const MAX_CHARACTERS = 200_000_000

type Kind = 'into' | 'through'

interface Row {
  readonly number: number
  readonly kind: Kind
  readonly key: string
  readonly reported: string
}

interface Reported<T> {
  readonly key: string
  readonly reported: readonly T[]
}

/** Of one run. Only one run of an integration has rows at any time. */
export class ReportedLineage {
  readonly #db: Db
  readonly #integration: string
  #waiting: Row[] = []
  #waitingCharacters = 0
  #characters = 0
  #number = 0

  constructor(db: Db, integration: string) {
    this.#db = db
    this.#integration = integration
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
      throw new Error(`The lineage of the connector has more than ${MAX_CHARACTERS.toLocaleString('en')} characters.`)
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
    if (rows.length > 0) await insertReported(this.#db, this.#integration, rows)
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
      const batch = await findReported<T>(this.#db, this.#integration, kind, after, limit)
      if (batch.length === 0) return
      after = batch.at(-1)!.key
      yield batch
    }
  }

  /** These items have no lineage after all. */
  forget(keys: readonly string[]): Promise<void> {
    return keys.length === 0 ? Promise.resolve() : deleteReported(this.#db, this.#integration, keys)
  }

  clear(): Promise<void> {
    return deleteReported(this.#db, this.#integration)
  }
}

const insertReported = async (db: Db, integration: string, rows: readonly Row[]): Promise<void> => {
  const list = <K extends keyof Row>(name: K): Row[K][] => rows.map((row) => row[name])
  await sql`
    insert into reported_lineage (integration, key, number, kind, reported)
    select ${integration}::uuid, l.key, l.number, l.kind, l.reported::json
    from unnest(${list('key')}::text[], ${list('number')}::int[], ${list('kind')}::text[], ${list('reported')}::text[]) l (key, number, kind, reported)
  `.execute(db)
}

const findReported = async <T>(db: Db, integration: string, kind: Kind, after: string, limit: number): Promise<Reported<T>[]> => {
  const { rows } = await sql<Reported<T>>`
    select l.key, json_agg(l.reported order by l.number) as reported
    from (
      select distinct r.key from reported_lineage r
      where r.integration = ${integration} and r.kind = ${kind} and r.key > ${after} order by r.key limit ${sql.lit(limit)}
    ) k
    join reported_lineage l on l.integration = ${integration} and l.key = k.key
    group by l.key order by l.key
  `.execute(db)
  return rows
}

const deleteReported = async (db: Db, integration: string, keys?: readonly string[]): Promise<void> => {
  const some = keys ? sql`and key = any(${keys}::text[])` : sql``
  await sql`delete from reported_lineage where integration = ${integration} ${some}`.execute(db)
}

interface ResourceWithFlows {
  readonly resource_id: string
  readonly key: string
  readonly entity_type: string
}

/** The resources of an integration that have flows of which this run says nothing. */
export const findUnreportedFlows = async (db: Db, integration: string, after: string, limit: number): Promise<ResourceWithFlows[]> => {
  const { rows } = await sql<ResourceWithFlows>`
    select o.resource_id, o.key, r.entity_type from resource_origins o
    join openlineage_flows f on f.resource_id = o.resource_id join resources r on r.id = o.resource_id
    where o.integration = ${integration} and o.key > ${after}
      and not exists (select from reported_lineage l where l.integration = o.integration and l.key = o.key)
    order by o.key limit ${sql.lit(limit)}
  `.execute(db)
  return rows
}
