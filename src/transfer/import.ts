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
  readonly patienceMs?: number
}

export interface ImportOptions {
  readonly step?: Step
  /** Runs the import in this transaction, if it must include more than the import. */
  readonly transaction?: typeof inTransaction
}

const PATIENCE_MS = 30_000
const LOOK_AGAIN_MS = 250
const BUSY = conflict('Another import into this integration is running. Try again when it has finished.')

/** Imports a staged file in one transaction. A dry run stops after the comparison. */
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
    // Waiting inside the transaction would block a connection.
    await sleep(LOOK_AGAIN_MS, undefined, { signal: ctx.limits.signal })
  }
}

/** One import at a time per integration, so that each sees the results of the previous one. */
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
    throw conflict('The uploaded file is no longer available: it was already imported, or it was lost in a crash. Upload it again.')
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
