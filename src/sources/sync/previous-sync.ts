import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'

/**
 * What a source reported last time: for each key 8 bytes of its hash and 8 bytes of the hash of its values, plus one byte of state. Unchanged
 * items need no other lookup, and after a complete listing it shows which keys are missing.
 */
export class PreviousSync {
  readonly #hashes: Uint32Array // four per slot: two of the key's hash, two of the values' hash
  readonly #states: Uint8Array
  readonly #mask: number
  /** Number of keys not seen yet. */
  #unseen = 0

  private constructor(pages: readonly Buffer[]) {
    const keyCount = pages.reduce((sum, page) => sum + page.length, 0) / BYTES_PER_KEY
    const slots = 2 ** Math.ceil(Math.log2(keyCount * 1.5 + 2))
    this.#hashes = new Uint32Array(slots * 4)
    this.#states = new Uint8Array(slots)
    this.#mask = slots - 1
    for (const page of pages) for (let at = 0; at < page.length; at += BYTES_PER_KEY) this.#insert(page, at)
  }

  /** Without items that were already missing. */
  static async load(db: Db, integration: string): Promise<PreviousSync> {
    const pages: Buffer[] = []
    for (let after = ''; ; ) {
      const { rows } = await sql<{ marks: Buffer | null; last: string }>`
        select string_agg(substring(sha256(convert_to(o.key, 'UTF8')) for 8)
          || substring(sha256(convert_to(o.fingerprint || coalesce(' ' || o.lineage, ''), 'UTF8')) for 8), '') as marks, max(o.key) as last
        from (select o.key, o.fingerprint, o.lineage from resource_origins o
          where o.integration = ${integration} and o.gone_at is null and o.key > ${after} order by o.key limit ${sql.lit(PAGE_KEYS)}) o
      `.execute(db)
      const { marks, last } = rows[0]!
      if (marks) pages.push(marks)
      if (!marks || marks.length < PAGE_KEYS * BYTES_PER_KEY) return new PreviousSync(pages)
      after = last
    }
  }

  /** Marks an item as seen. If a source lists the same key twice, the first one counts. */
  markSeen(key: string, fingerprint: string, lineage: string | null): 'new' | 'changed' | 'unchanged' | 'again' {
    const slot = this.#slotOf(key)
    if (this.#states[slot] === FREE) return 'new'
    if (this.#states[slot] === SEEN) return 'again'
    this.#states[slot] = SEEN
    this.#unseen -= 1
    const contentHash = hashBytes(lineage === null ? fingerprint : `${fingerprint} ${lineage}`)
    return this.#hashes[slot * 4 + 2] === contentHash.readUInt32LE(0) && this.#hashes[slot * 4 + 3] === contentHash.readUInt32LE(4)
      ? 'unchanged'
      : 'changed'
  }

  /** Marks an item as seen that its source reports as unchanged. False if it has been seen or is new. */
  markUnchanged(key: string): boolean {
    const slot = this.#slotOf(key)
    if (this.#states[slot] !== UNSEEN) return false
    this.#states[slot] = SEEN
    this.#unseen -= 1
    return true
  }

  get anyUnseen(): boolean {
    return this.#unseen > 0
  }

  get unseenCount(): number {
    return this.#unseen
  }

  /** Whether it existed last time. */
  existed(key: string): boolean {
    return this.#states[this.#slotOf(key)] !== FREE
  }

  /** Whether it existed last time and has not been seen since. */
  wasNotSeen(key: string): boolean {
    return this.#states[this.#slotOf(key)] === UNSEEN
  }

  #insert(page: Buffer, at: number): void {
    const slot = this.#find(page.readUInt32LE(at), page.readUInt32LE(at + 4))
    for (let i = 0; i < 4; i += 1) this.#hashes[slot * 4 + i] = page.readUInt32LE(at + i * 4)
    this.#unseen += this.#states[slot] === FREE ? 1 : 0
    this.#states[slot] = UNSEEN
  }

  #slotOf(key: string): number {
    const mark = hashBytes(key)
    return this.#find(mark.readUInt32LE(0), mark.readUInt32LE(4))
  }

  /** Its slot, or the free slot where it would be inserted (open addressing). */
  #find(one: number, other: number): number {
    let slot = one & this.#mask
    while (this.#states[slot] !== FREE && (this.#hashes[slot * 4] !== one || this.#hashes[slot * 4 + 1] !== other))
      slot = (slot + 1) & this.#mask
    return slot
  }
}

const PAGE_KEYS = 50_000
const BYTES_PER_KEY = 16
const [FREE, UNSEEN, SEEN] = [0, 1, 2]

/** Eight bytes: collisions among millions of keys are negligible. */
const hashBytes = (text: string): Buffer => hash('sha256', text, 'buffer')
