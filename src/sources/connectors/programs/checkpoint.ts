import { findSubject, isUnder } from '../../../../connector/src/key-scope.ts'
import { type ItemMessage, type Message, ProtocolError, type UnchangedMessage } from '../../../../connector/src/protocol.ts'
import type { Context } from '../../../platform/context/context.ts'
import {
  type CheckpointScope,
  deleteCheckpoints,
  findCheckpoints,
  type NewCheckpoint,
  readCheckpoints,
  type StoredCheckpoint,
  saveCheckpoints,
} from './checkpoint-rows.ts'

const FLUSH_MS = 2_000
const BATCH_ITEMS = 1_000
const BATCH_CHARACTERS = 1_000_000
/** Larger items are read again. */
const MAX_ITEM_CHARACTERS = 1_000_000
/** More than this is read again. */
const MAX_ITEMS = 200_000
const MAX_CHARACTERS = 200_000_000
const MAX_REPLAYED_ITEMS = 200
const MAX_REPLAYED_BYTES = 4_000_000
/** Messages that may wait for what is being read from the database. */
const MAX_WAITING = 500

/**
 * What a connector has read, so that the next attempt of an interrupted sync need not read it again: the messages of each item that has a version and is
 * contiguous, i.e. of which everything has been reported when something else follows. The next run gets the versions; where the connector says `unchanged`,
 * the messages take its place, as if they had been reported again. Reasons: docs/decisions/0050-checkpoints.md.
 */
export class Checkpoint {
  readonly #ctx: Context
  readonly #scope: CheckpointScope
  /** What earlier attempts have read. */
  readonly #stored: ReadonlyMap<string, StoredCheckpoint>
  /** What was reported in this run: only there if something can be taken from an earlier attempt. */
  readonly #keys = new Set<string>()
  #open: OpenItem | undefined
  #complete: NewCheckpoint[] = []
  #completeCharacters = 0
  #writing: Promise<void> = Promise.resolve()
  #recording = true
  #items: number
  #characters: number

  private constructor(ctx: Context, scope: CheckpointScope, stored: ReadonlyMap<string, StoredCheckpoint>) {
    this.#ctx = ctx
    this.#scope = scope
    this.#stored = stored
    this.#items = stored.size
    this.#characters = stored.values().reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Must be called under the lock of the sync. `known` are the versions of items that are in the catalog: they are not taken from here. */
  static async load(ctx: Context, scope: CheckpointScope, known: ReadonlyMap<string, string>): Promise<Checkpoint> {
    const stored = await findCheckpoints(ctx, scope)
    return new Checkpoint(ctx, scope, new Map(stored.flatMap((each) => (known.get(each.key) === each.version ? [] : [[each.key, each]]))))
  }

  /** For the command of the connector. */
  toCommand(): Record<string, string> {
    return Object.fromEntries(this.#stored.values().map(({ key, version }) => [key, version]))
  }

  get size(): number {
    return this.#stored.size
  }

  /** Passes on the messages of a run, with those of an earlier attempt in place of what is unchanged since. */
  follow(messages: AsyncIterable<Message>): AsyncIterable<Message> {
    const recorded = this.#record(messages)
    return this.#stored.size === 0 ? recorded : this.#replay(recorded)
  }

  /** The sync is complete. */
  async delete(): Promise<void> {
    await deleteCheckpoints(this.#ctx.db, this.#scope.integration)
  }

  async *#record(messages: AsyncIterable<Message>): AsyncGenerator<Message, void> {
    // A source that makes its callers wait sends nothing for a while. What cannot be saved is read again.
    const timer = setInterval(() => void this.#flush().catch(() => {}), FLUSH_MS)
    try {
      for await (const message of messages) {
        if (this.#recording) this.#take(message)
        if (this.#complete.length >= BATCH_ITEMS || this.#completeCharacters >= BATCH_CHARACTERS) await this.#flush()
        yield message
      }
    } catch (error) {
      if (error instanceof ProtocolError) await this.#discard() // what else is wrong with it?
      throw error
    } finally {
      clearInterval(timer)
      await this.#flush().catch(() => {}) // must not hide why the run has failed
    }
  }

  #take(message: Message): void {
    const subject = findSubject(message)
    if (this.#open && (message.type === 'done' || (subject !== undefined && !isUnder(subject, this.#open.key)))) this.#close(this.#open)
    // Whatever is read after this may lack something.
    if (message.type === 'unlisted' && message.entity_type !== undefined) {
      this.#recording = false
      this.#open = undefined
    }
    if (subject === undefined) return
    if (this.#open) this.#open.add(message)
    else if (message.type === 'item' && message.contiguous && message.version !== undefined && isStorable(message))
      this.#open = new OpenItem(message, message.version)
  }

  #close({ key, version, messages }: OpenItem): void {
    this.#open = undefined
    if (messages === undefined) return
    this.#items += 1
    this.#characters += messages.length
    if (this.#items > MAX_ITEMS || this.#characters > MAX_CHARACTERS) {
      this.#recording = false
      return
    }
    this.#complete.push({ key, version, messages })
    this.#completeCharacters += messages.length
  }

  #flush(): Promise<void> {
    const items = this.#complete
    this.#complete = []
    this.#completeCharacters = 0
    const write = async () => {
      if (items.length > 0) await saveCheckpoints(this.#ctx.db, this.#scope, items)
    }
    this.#writing = this.#writing.then(write, write)
    return this.#writing
  }

  async #discard(): Promise<void> {
    this.#recording = false
    this.#open = undefined
    this.#complete = []
    await this.#writing.catch(() => {})
    await this.delete()
  }

  async *#replay(messages: AsyncIterable<Message>): AsyncGenerator<Message, void> {
    let waiting: Message[] = []
    let wanted: StoredCheckpoint[] = []
    let bytes = 0
    for await (const message of messages) {
      const stored = message.type === 'unchanged' ? this.#stored.get(message.key) : undefined
      if ((!stored && waiting.length === 0) || message.type === 'log' || message.type === 'progress') {
        yield this.#note(message)
        continue
      }
      waiting.push(message)
      if (stored) wanted.push(stored)
      bytes += stored?.bytes ?? 0
      const full = waiting.length >= MAX_WAITING || wanted.length >= MAX_REPLAYED_ITEMS || bytes >= MAX_REPLAYED_BYTES
      if (!full && message.type !== 'done') continue
      yield* this.#resolve(waiting, wanted)
      waiting = []
      wanted = []
      bytes = 0
    }
  }

  async *#resolve(waiting: readonly Message[], wanted: readonly StoredCheckpoint[]): AsyncGenerator<Message, void> {
    const keys = wanted.map(({ key }) => key)
    const found = await readCheckpoints(this.#ctx.db, this.#scope, keys)
    for (const message of waiting) {
      const stored = message.type === 'unchanged' ? this.#stored.get(message.key) : undefined
      if (!stored) {
        yield this.#note(message)
        continue
      }
      const recorded = found.get(stored.key)
      if (recorded?.version !== stored.version)
        throw new Error('What an earlier attempt of the sync had read is no longer in the database. Sync the integration again.')
      const [item, ...more] = recorded.messages.split('\n').map((line) => JSON.parse(line)) as [ItemMessage, ...Message[]]
      if (item.parent !== undefined && !this.#keys.has(item.parent)) {
        await this.#discard() // so that the next attempt reads it
        throw new Error(`The connector reports ${item.key} as unchanged, but not its parent ${item.parent}. Sync the integration again.`)
      }
      yield this.#note(item)
      for (const each of more) yield this.#note(each)
    }
  }

  #note<M extends Message>(message: M): M {
    if (message.type === 'item' || message.type === 'unchanged') this.#keys.add((message as ItemMessage | UnchangedMessage).key)
    return message
  }
}

/** Postgres has no text with NUL. */
const isStorable = ({ key, version }: ItemMessage): boolean => !UNSTORABLE.test(`${key}${version}`)
const UNSTORABLE = /[\0\p{Surrogate}]/u

/** An item of which more may follow. */
class OpenItem {
  readonly key: string
  readonly version: string
  #lines: string[] = []
  #characters = 0
  #whole = true

  constructor(item: ItemMessage, version: string) {
    this.key = item.key
    this.version = version
    this.add(item)
  }

  add(message: Message): void {
    if (!this.#whole) return
    const line = JSON.stringify(message)
    this.#characters += line.length
    // What is unchanged below it is not known here, and what could not be read of it is to be read again.
    this.#whole = message.type !== 'unchanged' && message.type !== 'unlisted' && this.#characters <= MAX_ITEM_CHARACTERS
    if (this.#whole) this.#lines.push(line)
    else this.#lines = []
  }

  /** A line for each; undefined if they are not to be recorded. */
  get messages(): string | undefined {
    return this.#whole ? this.#lines.join('\n') : undefined
  }
}
