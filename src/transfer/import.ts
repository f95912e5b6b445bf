import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { conflict } from '../errors.ts'
import { mustBeOpen, registerIntegrations } from '../integrations/register.ts'
import { findNewPairs } from '../lineage/edges.ts'
import { applyEdges, applyPlan, type Step } from './apply.ts'
import { compareKnown, newOnes, roomFor } from './compare.ts'
import type { ImportResult } from './schema.ts'
import { LineErrors, type StagedFile } from './stage.ts'
import {
  countLines,
  countNew,
  findClashes,
  findLooseEnds,
  findOrphans,
  nextEdges,
  type Problem,
  planEdges,
  planResources,
  planTree,
  removeLines,
} from './store.ts'

export interface Import extends StagedFile {
  readonly integration_id: string
  readonly dry_run: boolean
  /** How long to wait for another import into the same integration. */
  readonly patienceMs?: number
}

export interface ImportOptions {
  readonly step?: Step
  /** What to run it in, where more than the import belongs to the transaction. */
  readonly transaction?: typeof inTransaction
}

const PATIENCE_MS = 30_000
const LOOK_AGAIN_MS = 250
const BUSY = conflict('Another import into this integration is under way. Please try again when it is over.')

/** Imports a staged file: all of it in one transaction, or nothing. A dry run ends after the comparison. */
export const importFile = async (
  ctx: Context,
  wanted: Import,
  { step = async () => {}, transaction = inTransaction }: ImportOptions = {},
): Promise<ImportResult> => {
  mustBeAble(ctx.actor, 'catalog.write')
  const until = performance.now() + (wanted.patienceMs ?? PATIENCE_MS)
  for (;;) {
    try {
      return await transaction(ctx, async (ctx) => {
        await lockIntegration(ctx, wanted.integration_id)
        return work(ctx, wanted, step)
      })
    } catch (error) {
      if (error !== BUSY || performance.now() > until) throw error
    }
    // Waiting in the transaction would keep a connection for nothing.
    await sleep(LOOK_AGAIN_MS, undefined, { signal: ctx.limits.signal })
  }
}

/** One import at a time for each integration: each then sees what the one before has made. */
const lockIntegration = async (ctx: Context, id: string): Promise<void> => {
  const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${`import ${id}`}, 0)) as mine`.execute(
    ctx.db,
  )
  if (!rows[0]!.mine) throw BUSY
}

const work = async (
  ctx: Context,
  { import_id, integration_id, dry_run, lines, ignored_fields }: Import,
  step: Step,
): Promise<ImportResult> => {
  if ((await countLines(ctx.db, import_id)) !== lines)
    throw conflict(
      'The lines of this file are no longer there: they were imported before, or lost with a crash. Please send the file again.',
    )
  await mustBeOpen(ctx, [integration_id])
  await planResources(ctx, import_id, integration_id)
  mustBeRight(await findClashes(ctx.db))
  await planTree(ctx, integration_id)
  await planEdges(ctx, import_id, integration_id)
  mustBeRight([...(await findOrphans(ctx.db)), ...(await findLooseEnds(ctx.db))])
  const { differences, updated, unchanged } = await compareKnown(ctx, import_id)
  const counts = { lines, created: await countNew(ctx.db), updated, unchanged }
  if (dry_run) {
    const more = await newOnes(ctx, import_id, roomFor(differences))
    return { dry_run, ...counts, ...(await countEdges(ctx)), ignored_fields: [...ignored_fields], differences: [...differences, ...more] }
  }
  await registerIntegrations(ctx, [integration_id])
  await applyPlan(ctx, import_id, integration_id, step)
  const { created, unchanged: same } = await applyEdges(ctx)
  await removeLines(ctx.db, import_id)
  return { dry_run, ...counts, lineage_created: created, lineage_unchanged: same, ignored_fields: [...ignored_fields], differences: [] }
}

const mustBeRight = (problems: readonly Problem[]): void => {
  const errors = new LineErrors()
  for (const { line, field, problem } of [...problems].sort((a, b) => a.line - b.line)) errors.add(line, { [field]: [problem] })
  errors.mustBeNone()
}

const countEdges = async (ctx: Context): Promise<{ lineage_created: number; lineage_unchanged: number }> => {
  let [created, all, after] = [0, 0, 0]
  for (;;) {
    const edges = await nextEdges(ctx.db, after, 1000)
    if (edges.length === 0) return { lineage_created: created, lineage_unchanged: all - created }
    after = edges.at(-1)!.line
    all += edges.length
    created += (await findNewPairs(ctx, edges)).length
  }
}
