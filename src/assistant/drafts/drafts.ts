import { sql } from 'kysely'
import { addDrafts, type Draft } from '../../catalog/change-suggestions/drafts.ts'
import { getResource } from '../../catalog/listing/read.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict, invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { recordEvent } from '../../platform/history/events.ts'
import { createJob } from '../../platform/jobs/jobs.ts'
import type { JobHandler } from '../../platform/jobs/run.ts'
import type { Job } from '../../platform/jobs/schema.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { getIntegrationName } from '../../sources/integrations/read.ts'
import { ModelError } from '../models/call-model.ts'
import type { Usage } from '../models/model.ts'
import { type AssistantSettingsRow, findSettingsRow } from '../settings/settings.ts'
import { addUsage, computeCost, findReachedLimit } from '../usage/usage.ts'
import { askForDrafts, cleanDraft, collectFacts } from './ask-model.ts'
import { describeColumnName, describeTableName } from './describe-name.ts'
import type { DraftRequest } from './schema.ts'
import {
  countTables,
  type DraftColumn,
  type DraftScope,
  type DraftTable,
  findDraftColumns,
  findInheritedDescriptions,
  findTables,
} from './targets.ts'

export const DRAFT_JOB = 'draft_suggestions'
const BATCH_SIZE = 20
const MAX_OPEN_DRAFTS = 5_000
const MAX_MODEL_TABLES = 200
const MODEL_MS = 120_000
const NIL = '00000000-0000-0000-0000-000000000000'

interface DraftPayload extends DraftScope {
  readonly use_model: boolean
}

/** Queues drafts for what has no description. They are suggestions: nothing is changed until a person accepts them. */
export const queueDrafts = (ctx: Context, { resource_id, integration_id, use_model = false }: DraftRequest): Promise<Job> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    if ((resource_id === undefined) === (integration_id === undefined))
      throw invalid({ resource_id: ['Either resource_id or integration_id is required.'] })
    if (use_model && !(await findSettingsRow(ctx))?.enabled)
      throw conflict('No language model is configured. Leave out use_model to draft what follows from lineage and names.')
    const scope = resource_id ? { resource_id: parseId(resource_id)! } : { integration_id: parseId(integration_id!)! }
    const name = scope.resource_id
      ? (await getResource(ctx, scope.resource_id)).title
      : await getIntegrationName(ctx, scope.integration_id!)
    const payload: DraftPayload = { ...scope, use_model }
    return createJob(ctx, { kind: DRAFT_JOB, title: `Draft descriptions of ${name}`, payload, queue: 'draft suggestions' })
  })

/** Table by table, each complete in itself: after a crash or a cancel, what was drafted stays and is not drafted again. */
export const runDraftJob: JobHandler = async (ctx, payload, report) => {
  requirePermission(ctx.actor, 'catalog.write')
  const { use_model, ...scope } = payload as DraftPayload
  const total = Math.max(1, await countTables(ctx, scope))
  let tables = 0
  let drafts = 0
  const model = use_model ? new ModelDrafter(ctx, (line) => report((98 * tables) / total, line)) : undefined
  let open = await countOpenDrafts(ctx)
  try {
    for (let after = NIL; open < MAX_OPEN_DRAFTS; ) {
      const batch = await findTables(ctx, scope, after, BATCH_SIZE)
      if (batch.length === 0) break
      const columns = Map.groupBy(
        await findDraftColumns(
          ctx,
          batch.map(({ id }) => id),
        ),
        ({ parent }) => parent,
      )
      for (const table of batch) {
        const added = await addDrafts(ctx, await draftTable(ctx, table, columns.get(table.id) ?? [], model))
        tables += 1
        drafts += added
        open += added
        await report((98 * tables) / total)
      }
      after = batch.at(-1)!.id
    }
    const full = open >= MAX_OPEN_DRAFTS ? ` There are ${open} open drafts: decide on them before you ask for more.` : ''
    await report(99, `Drafted ${drafts} texts for ${tables} of ${total} tables.${full}`)
  } finally {
    await inTransaction(ctx, (ctx) =>
      recordEvent(ctx, {
        kind: 'drafts_created',
        resource: { ...(scope.resource_id && { id: scope.resource_id }), type: 'draft' },
        payload: { drafts, tables, model: model?.name ?? null, ...(model?.usage ?? NOTHING) },
      }),
    )
  }
}

const NOTHING: Usage = { input_tokens: 0, output_tokens: 0 }

const countOpenDrafts = async ({ db }: Context): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from change_suggestions s where s.by = 'ai' and s.status = 'open'`.execute(db)
  return rows[0]!.count
}

const isEmpty = ({ description }: { readonly description: string | null }): boolean => (description ?? '').trim() === ''

/** What can be derived comes first; the model is asked for the rest. */
const draftTable = async (
  ctx: Context,
  table: DraftTable,
  columns: readonly DraftColumn[],
  model: ModelDrafter | undefined,
): Promise<Draft[]> => {
  const missing = columns.filter(isEmpty)
  const byId = new Map(missing.map((column) => [column.id, column]))
  const inherited = (missing.length > 0 ? await findInheritedDescriptions(ctx, [...byId.keys()]) : []).map(
    ({ id, source, path, description }): Draft => ({
      resource: byId.get(id)!,
      field: 'description',
      value: description,
      grounds: [{ type: 'lineage', text: path, resource_id: source }],
      based_on: [source],
    }),
  )
  const left = missing.filter(({ id }) => !inherited.some(({ resource }) => resource.id === id))
  const written = (await model?.draft(table, left)) ?? []
  const named = [
    ...(isEmpty(table) ? [toNameDraft(table, describeTableName(table.title))] : []),
    ...left.map((column) => toNameDraft(column, describeColumnName(column.title, table.title))),
  ].flat()
  const isWritten = ({ resource }: Draft) => written.some((each) => each.field === 'description' && each.resource.id === resource.id)
  return [...inherited, ...written, ...named.filter((draft) => !isWritten(draft))]
}

const toNameDraft = (resource: Draft['resource'], value: string | undefined): Draft[] =>
  value === undefined
    ? []
    : [{ resource, field: 'description', value, grounds: [{ type: 'name', text: resource.title, resource_id: null }], based_on: [] }]

/** Asks the model table by table, until a limit of the user or of the job is reached. */
class ModelDrafter {
  readonly #ctx: Context
  readonly #log: (line: string) => Promise<void>
  #settings: AssistantSettingsRow | undefined
  #tags: readonly string[] | undefined
  #asked = 0
  #stopped = false
  usage: Usage = NOTHING

  constructor(ctx: Context, log: (line: string) => Promise<void>) {
    this.#ctx = ctx
    this.#log = log
  }

  get name(): string | null {
    return this.#settings?.model ?? null
  }

  async draft(table: DraftTable, columns: readonly DraftColumn[]): Promise<Draft[]> {
    if (this.#stopped || (!isEmpty(table) && columns.length === 0)) return []
    const settings = await findSettingsRow(this.#ctx)
    this.#settings = settings
    const reason = await this.#findStopReason(settings)
    if (reason) {
      this.#stopped = true
      await this.#log(reason)
      return []
    }
    const facts = await collectFacts(this.#ctx, table, settings!.share_values)
    if (facts.suspicious) {
      await this.#log(`The model was not asked about ${table.title_full}: texts about it look like instructions.`)
      return []
    }
    this.#asked += 1
    this.#tags ??= await findTagNames(this.#ctx)
    try {
      const reply = await askForDrafts(this.#ctx, settings!, {
        facts,
        tags: this.#tags,
        signal: AbortSignal.timeout(MODEL_MS),
        onUsage: (usage) => this.#addUsage(usage),
      })
      await this.#saveUsage(settings!)
      return toDrafts(reply, table, columns, this.#tags, {
        grounds: [{ type: 'model', text: settings!.model, resource_id: null }, ...facts.grounds],
        based_on: facts.based_on,
      })
    } catch (error) {
      await this.#saveUsage(settings!)
      if (!(error instanceof ModelError)) throw error
      this.#stopped = true
      await this.#log(error.message)
      return []
    }
  }

  async #findStopReason(settings: AssistantSettingsRow | undefined): Promise<string | undefined> {
    if (!settings?.enabled) return 'The language model was turned off.'
    if (this.#asked >= MAX_MODEL_TABLES) return `The model was asked about ${MAX_MODEL_TABLES} tables. Start again for the rest.`
    return findReachedLimit(this.#ctx, settings)
  }

  #unsaved: Usage[] = []
  #addUsage(usage: Usage): void {
    this.#unsaved.push(usage)
    this.usage = {
      input_tokens: this.usage.input_tokens + usage.input_tokens,
      output_tokens: this.usage.output_tokens + usage.output_tokens,
    }
  }

  async #saveUsage(settings: AssistantSettingsRow): Promise<void> {
    for (const usage of this.#unsaved.splice(0)) await addUsage(this.#ctx, usage, computeCost(usage, settings) ?? 0)
  }
}

const MAX_TAGS = 3
const MAX_TERMS = 2

const toDrafts = (
  { description, columns: texts = {}, tags = [], terms = [] }: Awaited<ReturnType<typeof askForDrafts>>,
  table: DraftTable,
  columns: readonly DraftColumn[],
  known: readonly string[],
  basis: Pick<Draft, 'grounds' | 'based_on'>,
): Draft[] => {
  const described = new Map(Object.entries(texts).map(([name, text]) => [name.toLowerCase(), cleanDraft(text)]))
  const existing = new Map(known.map((name) => [name.toLowerCase(), name]))
  return [
    ...(description && isEmpty(table)
      ? [{ resource: table, field: 'description' as const, value: cleanDraft(description), ...basis }]
      : []),
    ...columns.flatMap((column) => {
      const value = described.get(column.title.toLowerCase())
      return value ? [{ resource: column, field: 'description' as const, value, ...basis }] : []
    }),
    ...tags
      .flatMap((name) => existing.get(name.toLowerCase()) ?? [])
      .slice(0, MAX_TAGS)
      .map((value) => ({ resource: table, field: 'tag' as const, value, ...basis })),
    ...terms.slice(0, MAX_TERMS).map(({ title, definition }) => ({
      resource: table,
      field: 'term' as const,
      value: cleanDraft(title),
      detail: cleanDraft(definition),
      ...basis,
    })),
  ]
}

const MAX_TAG_NAMES = 200

const findTagNames = async ({ db }: Context): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select t.name from tags t order by lower(t.name) limit ${MAX_TAG_NAMES}`.execute(db)
  return rows.map(({ name }) => name)
}
