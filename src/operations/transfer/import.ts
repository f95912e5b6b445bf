import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { registerIntegrations, requireIntegrationAccess } from '../../catalog/integration-registry/register.ts'
import { findNewPairs } from '../../lineage/edges/edges.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { analyzeAfterGrowth } from '../../platform/db/analyze-growth.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { recordImport } from '../imports/record-import.ts'
import type { ImportFormat } from '../imports/schema.ts'
import { applyEdges, applyPlan, type ProgressCallback } from './apply.ts'
import { compareExisting, countRemainingDifferences, firstNewLines } from './compare.ts'
import {
  countLines,
  countNew,
  countPublishedContainers,
  deleteImportLines,
  findDuplicateLines,
  findLinesWithoutParent,
  findUnresolvedEdges,
  type LineProblem,
  planEdges,
  planResources,
  planTree,
  readNextEdges,
} from './import-line-rows.ts'
import { lockImportProperties } from './import-values.ts'
import type { ImportResult } from './schema.ts'
import { LineErrors, type StagedFile } from './stage.ts'

interface ImportedFile {
  readonly name: string | null
  readonly format: ImportFormat
}

export interface Import extends StagedFile {
  /** Absent in jobs that were queued by an earlier release. */
  readonly file?: ImportedFile
  readonly integration_id: string
  readonly dry_run: boolean
  readonly maxWaitMs?: number
}

export interface ImportOptions {
  readonly step?: ProgressCallback
  /** Runs the import in this transaction, if it must include more than the import. */
  readonly transaction?: typeof inTransaction
}

const DEFAULT_MAX_WAIT_MS = 30_000
const RETRY_INTERVAL_MS = 250
/**
 * Columns by which keys are looked up, and the most frequent filters of lists. Analyzing these takes a third of the time of all columns, which is a
 * fifth of a small import.
 */
const ANALYZED_COLUMNS = ['id', 'integration', 'databuilder_id', 'parent', 'entity_type', 'published', 'external_usage']
const BUSY_ERROR = conflict(translatable('Another import into this integration is running. Try again when it has finished.'))

/** Imports a staged file in one transaction. A dry run stops after the comparison. */
export const importFile = async (
  ctx: Context,
  upload: Import,
  { step = async () => {}, transaction = inTransaction }: ImportOptions = {},
): Promise<ImportResult> => {
  requirePermission(ctx.actor, 'catalog.write')
  const deadline = performance.now() + (upload.maxWaitMs ?? DEFAULT_MAX_WAIT_MS)
  for (;;) {
    try {
      const result = await transaction(ctx, async (ctx) => {
        await lockIntegration(ctx, upload.integration_id)
        return runImport(ctx, upload, step)
      })
      // For the next import of this integration.
      if (!upload.dry_run) await analyzeAfterGrowth(ctx.db, 'resources', 0, result.created, ANALYZED_COLUMNS)
      return result
    } catch (error) {
      if (error !== BUSY_ERROR || performance.now() > deadline) throw error
    }
    // Waiting inside the transaction would block a connection.
    await sleep(RETRY_INTERVAL_MS, undefined, { signal: ctx.limits.signal })
  }
}

/** One import at a time per integration, so that each sees the results of the previous one. */
const lockIntegration = async (ctx: Context, id: string): Promise<void> => {
  const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${`import ${id}`}, 0)) as mine`.execute(
    ctx.db,
  )
  if (!rows[0]!.mine) throw BUSY_ERROR
}

const runImport = async (
  ctx: Context,
  { import_id, integration_id, dry_run, lines, ignored_fields, property_ids = [], file = { name: null, format: 'jsonl' } }: Import,
  step: ProgressCallback,
): Promise<ImportResult> => {
  if ((await countLines(ctx.db, import_id)) !== lines)
    throw conflict(
      translatable('The uploaded file is no longer available: it was already imported, or it was lost in a crash. Upload it again.'),
    )
  await requireIntegrationAccess(ctx, [integration_id])
  await planResources(ctx, import_id, integration_id)
  assertNoProblems(await findDuplicateLines(ctx.db))
  await planTree(ctx, integration_id)
  await planEdges(ctx, import_id, integration_id)
  assertNoProblems([...(await findLinesWithoutParent(ctx.db)), ...(await findUnresolvedEdges(ctx.db))])
  const properties = await lockImportProperties(ctx, property_ids)
  const { differences, updated, unchanged, problems } = await compareExisting(ctx, import_id, properties)
  assertNoProblems(problems)
  const counts = {
    lines,
    created: await countNew(ctx.db),
    updated,
    unchanged,
    containers_published: await countPublishedContainers(ctx, import_id),
  }
  if (dry_run) {
    const more = await firstNewLines(ctx, import_id, countRemainingDifferences(differences))
    return { dry_run, ...counts, ...(await countEdges(ctx)), ignored_fields: [...ignored_fields], differences: [...differences, ...more] }
  }
  await registerIntegrations(ctx, [integration_id])
  await applyPlan(ctx, { import_id, integration: integration_id, properties }, step)
  const { created, unchanged: same } = await applyEdges(ctx)
  await deleteImportLines(ctx.db, import_id)
  const wrote = { ...counts, lineage_created: created }
  if (wrote.created + wrote.updated + wrote.lineage_created > 0)
    await recordImport(ctx, { id: import_id, integration: integration_id, file, ...wrote })
  return { dry_run, ...wrote, lineage_unchanged: same, ignored_fields: [...ignored_fields], differences: [] }
}

const assertNoProblems = (problems: readonly LineProblem[]): void => {
  const errors = new LineErrors()
  for (const { line, field, problem } of [...problems].sort((a, b) => a.line - b.line)) errors.add(line, { [field]: [problem] })
  errors.throwIfAny()
}

const countEdges = async (ctx: Context): Promise<{ lineage_created: number; lineage_unchanged: number }> => {
  let [created, all, after] = [0, 0, 0]
  for (;;) {
    const edges = await readNextEdges(ctx.db, after, 1000)
    if (edges.length === 0) return { lineage_created: created, lineage_unchanged: all - created }
    after = edges.at(-1)!.line
    all += edges.length
    created += (await findNewPairs(ctx, edges)).length
  }
}
