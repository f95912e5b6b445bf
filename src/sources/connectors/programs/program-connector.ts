import type { Program } from '../../../../connector/src/process.ts'
import type { ItemMessage, Message, Settings, UnchangedMessage } from '../../../../connector/src/protocol.ts'
import { PROTOCOL_VERSION, ProtocolError } from '../../../../connector/src/protocol.ts'
import { runProgram } from '../../../../connector/src/run.ts'
import { ensureTags } from '../../../catalog/tags/tags.ts'
import { ENGINE_VERSION } from '../../../lineage/queries/parse-sql.ts'
import { PRODUCT_VERSION } from '../../../platform/config/product-version.ts'
import type { Context } from '../../../platform/context/context.ts'
import { findUsersByEmail } from '../../sync/find-users.ts'
import { hashText, type Item } from '../../sync/item.ts'
import { type UnlistedScope, UnlistedScopes } from '../../sync/removals.ts'
import type { SuggestingItem } from '../../sync/withdraw-item-suggestions.ts'
import { type Connector, type DiscoveryContext, requireCatalogContext, type Source } from '../shared/connector.ts'
import { parsePatterns } from '../shared/patterns.ts'
import { Checkpoint } from './checkpoint.ts'
import { Counterparts } from './counterparts.ts'
import { ItemVersions } from './item-versions.ts'
import { toItem } from './program-items.ts'
import { saveReportedLineage } from './program-lineage.ts'
import { redactTexts } from './redact.ts'
import { ReportedLineage } from './reported-lineage.ts'
import { ItemSelection } from './selection.ts'
import { findConnectorState, saveConnectorState } from './state-rows.ts'

/** A program and what it is started with for one source. */
export interface SourceProgram {
  readonly program: Program
  readonly settings: Settings
  /** Values that must not appear in logs and errors. */
  readonly secrets: readonly string[]
}

/**
 * A connector that is a program of its own: what it reports becomes items and lineage. Reasons and protocol:
 * docs/decisions/0026-connector-protocol.md, docs/connectors.md.
 */
export const createProgramConnector = (findProgram: (source: Source) => SourceProgram | Promise<SourceProgram>): Connector => {
  const runs = new WeakMap<Source, DiscoveryRun>()
  return {
    test: async (source, signal) => {
      for await (const message of execute(source, await findProgram(source), { command: 'test' }, signal))
        if (message.type === 'done') return message.detail ?? 'Connected.'
      throw new Error('The connector did not finish.')
    },

    async *discover(source, context) {
      const ctx = requireCatalogContext(context)
      const started = await findProgram(source)
      const settings_hash = hashText(JSON.stringify([PRODUCT_VERSION, started.settings]))
      const full = context.only_names === true || context.full === true
      const versionSettings = hashVersionSettings(source, started)
      const versions = await ItemVersions.load(ctx, source.id, versionSettings, full)
      const checkpoint = await loadCheckpoint(ctx, source, { settings_hash: versionSettings, versions, context })
      const run = new DiscoveryRun(ctx, context, source, { settings_hash, versions, checkpoint })
      runs.set(source, run)
      const state = full ? undefined : await findConnectorState(ctx.db, source.id, settings_hash)
      const known = { ...versions.toCommand(), ...checkpoint?.toCommand() }
      const messages = execute(source, started, { command: 'discover', state, versions: known }, context.signal)
      yield* run.read(checkpoint ? checkpoint.follow(messages) : messages)
    },

    finish: async (source, context) => {
      const run = runs.get(source)
      if (!run) throw new Error('The connector has not finished its discovery.')
      return run.finish(requireCatalogContext(context), source, context)
    },

    close: async (source) => {
      await runs.get(source)?.close()
      runs.delete(source)
    },
  }
}

/** What is read, and what becomes of it, may differ with each of these. */
const hashVersionSettings = ({ credentials }: Source, { settings }: SourceProgram): string =>
  hashText(JSON.stringify([PRODUCT_VERSION, ENGINE_VERSION, settings, credentials.connector, credentials.include, credentials.exclude]))

interface CheckpointOptions {
  readonly settings_hash: string
  readonly versions: ItemVersions
  readonly context: DiscoveryContext
}

/** Undefined outside of a sync. */
const loadCheckpoint = async (
  ctx: Context,
  { id: integration }: Source,
  { settings_hash, versions, context: { only_names, full = false, log } }: CheckpointOptions,
): Promise<Checkpoint | undefined> => {
  if (only_names || ctx.part_of?.type !== 'sync') return undefined
  const sync_id = ctx.part_of.id
  const checkpoint = await Checkpoint.load(ctx, { integration, settings_hash, sync_id, full }, versions.stored)
  const count = checkpoint.size === 1 ? '1 item' : `${checkpoint.size.toLocaleString('en')} items`
  if (checkpoint.size > 0) await log(`An earlier attempt has read ${count}. What is unchanged since is not read again.`)
  return checkpoint
}

/** The messages of a run; errors and logs without the secrets of the source. */
async function* execute(
  source: Source,
  { program, settings, secrets }: SourceProgram,
  command: { command: 'test' | 'discover'; state?: unknown; versions?: Readonly<Record<string, string>> },
  signal: AbortSignal,
): AsyncGenerator<Message, void> {
  const redact = (text: string) => redactTexts(text, secrets)
  try {
    const whole = { protocol: PROTOCOL_VERSION, ...command, settings, allowed_hosts: source.allow ?? [] }
    for await (const message of runProgram(program, whole, signal)) {
      if (message.type === 'log') yield { ...message, message: redact(message.message) }
      else if (message.type === 'unlisted') yield { ...message, reason: redact(message.reason) }
      else if (message.type === 'done' && message.detail) yield { ...message, detail: redact(message.detail) }
      else yield message
    }
  } catch (error) {
    const message = redact((error as Error).message)
    throw error instanceof ProtocolError ? new ProtocolError(message) : new Error(message)
  }
}

const BATCH_ITEMS = 500
const MAX_LOG_LINES = 1_000
const MAX_ITEMS = 5_000_000
const MAX_NAMED = 20
const MAX_UNKNOWN = 10_000

interface RunOptions {
  readonly settings_hash: string
  readonly versions: ItemVersions
  readonly checkpoint: Checkpoint | undefined
}

/** One discovery: items are passed on in batches, lineage waits until they are in the catalog. */
class DiscoveryRun {
  readonly #ctx: Context
  readonly #context: DiscoveryContext
  readonly #settingsHash: string
  readonly #selection: ItemSelection
  readonly #counterparts: Counterparts
  readonly #versions: ItemVersions
  readonly #checkpoint: Checkpoint | undefined
  readonly #lineage: ReportedLineage
  readonly #unknownOwners = new Set<string>()
  #items = 0
  #logLines = 0
  readonly #unlisted = new UnlistedScopes()
  /** Nothing was left out because it could not be read, or is as it was. */
  #complete = true
  #state: unknown

  constructor(ctx: Context, context: DiscoveryContext, source: Source, { settings_hash, versions, checkpoint }: RunOptions) {
    this.#ctx = ctx
    this.#context = context
    this.#selection = new ItemSelection(parsePatterns(source))
    this.#counterparts = new Counterparts(ctx, source.id)
    this.#lineage = new ReportedLineage(ctx.db, source.id)
    this.#settingsHash = settings_hash
    this.#versions = versions
    this.#checkpoint = checkpoint
  }

  async *read(messages: AsyncIterable<Message>): AsyncGenerator<Item, void> {
    if (!this.#context.only_names) await this.#lineage.start()
    let batch: ItemMessage[] = []
    for await (const message of messages) {
      if (message.type === 'unchanged') batch.push(...this.#takeUnchanged(message))
      else if (message.type === 'item') batch.push(...this.#takeItem(message))
      else await this.#take(message)
      if (batch.length === 0 || (batch.length < BATCH_ITEMS && !this.#context.only_names)) continue
      yield* await this.#toItems(batch)
      batch = []
    }
    yield* await this.#toItems(batch)
    if (this.#unknownOwners.size > 0) await this.#log(`These owners are no users of this workspace: ${listNames(this.#unknownOwners)}.`)
  }

  /** The items to pass on now. */
  #takeItem(message: ItemMessage): readonly ItemMessage[] {
    this.#items += 1
    if (this.#items > MAX_ITEMS) throw new Error(`The connector reported more than ${MAX_ITEMS.toLocaleString('en')} items.`)
    const selected = this.#selection.select(message)
    if (!this.#selection.isLeftOut(message.key)) this.#versions.add(message)
    return selected
  }

  /** The containers of the item, if nothing else in them was reported so far. */
  #takeUnchanged(message: UnchangedMessage): readonly ItemMessage[] {
    this.#complete = false
    this.#versions.addUnchanged(message.key)
    this.#context.markUnchanged?.(message.key)
    return this.#selection.selectUnchanged(message)
  }

  async finish(
    ctx: Context,
    { id: integration, type = '' }: Source,
    { log, progress, signal }: DiscoveryContext,
  ): Promise<{ read: number; unreadable: number }> {
    const isKept = (item: SuggestingItem) => this.#unlisted.covers(item) || this.#versions.isUnchanged(item.key)
    const described = await this.#counterparts.save(type, { isKept, complete: this.#complete })
    if (described > 0) await log(`${described.toLocaleString('en')} resources of other integrations are described.`)
    const afterBatch = async () => {
      signal.throwIfAborted()
      await progress?.(1, 1) // a sync without progress is taken for one that has stopped
    }
    await afterBatch()
    const options = { unlisted: this.#unlisted, counterparts: this.#counterparts, versions: this.#versions, afterBatch }
    const { read, unknown } = await saveReportedLineage(ctx, integration, this.#lineage, options)
    if (unknown.size > 0)
      await log(
        `These tables are not in the catalog, so that lineage from them is missing: ${listNames(unknown)}. Sync their source first.`,
      )
    // Versions of the last run must never be with the state of this one, which may say that what could not be read has not changed since.
    await this.#versions.save(ctx)
    if (this.#state !== undefined) await saveConnectorState(ctx.db, integration, this.#settingsHash, this.#state)
    await this.#checkpoint?.delete()
    return { read, unreadable: 0 }
  }

  close(): Promise<void> {
    return this.#lineage.clear()
  }

  async #take(message: Exclude<Message, ItemMessage | UnchangedMessage>): Promise<void> {
    const { progress } = this.#context
    if (message.type === 'lineage' && this.#isSaved(message.to)) await this.#lineage.addLineage(message)
    if (message.type === 'flow' && this.#isSaved(message.job)) await this.#lineage.addFlow(message)
    if (message.type === 'log') await this.#log(message.message)
    if (message.type === 'progress') await progress?.(message.done, message.total)
    if (message.type === 'state') this.#state = message.state
    if (message.type === 'unlisted') {
      this.#markUnlisted({ entity_type: message.entity_type, under: message.key })
      if (message.key !== undefined) this.#versions.forget(message.key)
      if (message.entity_type !== undefined) this.#versions.forgetAll()
      await this.#log(message.reason)
    }
    if (message.type === 'done' && message.complete === false) {
      this.#versions.keepOthers()
      this.#markUnlisted({ everything: true })
    }
  }

  #isSaved(key: string): boolean {
    return !this.#context.only_names && !this.#selection.isLeftOut(key)
  }

  #markUnlisted(what: UnlistedScope): void {
    this.#complete = false
    this.#unlisted.add(what)
    this.#context.markUnlisted?.(what)
  }

  #markMoved(key: string): void {
    this.#unlisted.addMoved(key)
    this.#context.markMoved?.(key)
  }

  async #log(line: string): Promise<void> {
    this.#logLines += 1
    if (this.#logLines <= MAX_LOG_LINES) await this.#context.log(line)
    if (this.#logLines === MAX_LOG_LINES) await this.#context.log('Further lines of the connector are left out.')
  }

  async #toItems(batch: readonly ItemMessage[]): Promise<Item[]> {
    if (this.#context.only_names) return batch.map((message) => toItem(message, { users: new Map(), tags: new Map() }))
    const emails = new Set(batch.flatMap(({ owners = [] }) => owners.map((email) => email.toLowerCase())))
    const names = new Set(batch.flatMap(({ tags = [] }) => tags))
    const users = await findUsersByEmail(this.#ctx.db, [...emails])
    const tags = names.size > 0 ? await ensureTags(this.#ctx, [...names]) : new Map<string, string>()
    for (const email of emails) if (!users.has(email) && this.#unknownOwners.size < MAX_UNKNOWN) this.#unknownOwners.add(email)
    await this.#counterparts.find(batch)
    return batch.flatMap((message) => {
      const item = this.#counterparts.take(toItem(message, { users, tags }))
      if (!item) this.#markMoved(message.key)
      return item ?? []
    })
  }
}

const listNames = (names: ReadonlySet<string>): string => {
  const shown = [...names].slice(0, MAX_NAMED).join(', ')
  return names.size > MAX_NAMED ? `${shown} and ${(names.size - MAX_NAMED).toLocaleString('en')} more` : shown
}
