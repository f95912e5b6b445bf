import { type Context, inTransaction } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { diffFields } from '../../platform/history/diff.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { getMonitorRow, type MonitorWithTarget } from '../monitor-model/monitor-rows.ts'
import { findResourcesByPath, type NamedResource } from '../monitor-model/paths.ts'
import { createMonitor } from '../monitors/create.ts'
import { deleteMonitor, editMonitor } from '../monitors/edit.ts'
import { matchesItem, toItem, toSettings } from './item.ts'
import { type ConfigEntry, ConfigProblems, type ParsedConfig, parseConfig } from './parse-config.ts'
import type { ConfigChange, ConfigPut, ConfigResult, Item } from './schema.ts'
import { findMonitorsOfFile, findMonitorsOfTargets, setFile } from './store.ts'

const FIELDS = [
  ...['name', 'key', 'metric_config', 'schedule', 'condition_auto_sensitivity', 'condition_manual_min', 'condition_manual_max'],
  ...['severity', 'notify_slack_channel', 'is_enabled'],
]

/** Applies a file of monitors in one transaction. Applying the same file again changes nothing. */
export const applyConfig = async (ctx: Context, text: string, { dry_run = false, prune = true }: ConfigPut): Promise<ConfigResult> => {
  requirePermission(ctx.actor, 'monitors.write')
  const file = parseConfig(text)
  try {
    return await inTransaction(ctx, async (ctx) => {
      const result = await apply(ctx, file, prune, dry_run)
      if (dry_run) throw new DryRunRollback(result)
      return result
    })
  } catch (error) {
    if (error instanceof DryRunRollback) return error.result
    throw error
  }
}

/** Thrown to roll back a dry run: it executes all changes, so its result is exact. */
class DryRunRollback extends Error {
  readonly result: ConfigResult
  constructor(result: ConfigResult) {
    super('dry run')
    this.result = result
  }
}

const apply = async (ctx: Context, { file, entries }: ParsedConfig, prune: boolean, dry_run: boolean): Promise<ConfigResult> => {
  const problems = new ConfigProblems()
  const targets = await findResourcesByPath(
    ctx,
    entries.map(({ item }) => item.target),
  )
  const resolved = entries.flatMap((entry) => {
    const target = resolveTarget(entry, targets.get(entry.item.target) ?? [], problems)
    return target ? [{ entry, target }] : []
  })
  problems.throwIfAny()
  const existing = await findMonitorsOfTargets(
    ctx,
    resolved.map(({ target }) => target.id),
  )
  const changes: ConfigChange[] = []
  const appliedIds = new Set<string>()
  for (const { entry, target } of resolved)
    try {
      const change = await applyEntry(ctx, file, entry, target, existing, appliedIds)
      if (change) changes.push({ ...change, ...(dry_run && change.action === 'create' ? { monitor: null } : {}) })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      addApiError(problems, entry, error)
    }
  problems.throwIfAny()
  const removed = prune ? (await findMonitorsOfFile(ctx, file)).filter(({ id }) => !appliedIds.has(id)) : []
  for (const row of removed) {
    await deleteMonitor(ctx, row.id)
    const item = toItem(row)
    changes.push({
      action: 'delete',
      name: row.name,
      target: item.target,
      monitor: row.id,
      line: null,
      changes: diffFields(item, {}, FIELDS),
    })
  }
  const count = (action: ConfigChange['action']) => changes.filter((change) => change.action === action).length
  const [created, updated, deleted] = [count('create'), count('update'), count('delete')]
  return { dry_run, file, created, updated, deleted, unchanged: entries.length - created - updated, changes }
}

const resolveTarget = (
  { item, lineOf }: ConfigEntry,
  found: readonly NamedResource[],
  problems: ConfigProblems,
): NamedResource | undefined => {
  const matching = item.integration === undefined ? found : found.filter(({ integration_name }) => integration_name === item.integration)
  if (matching.length === 1) return matching[0]
  problems.add(
    lineOf('target'),
    matching.length === 0
      ? `Table or column ${item.target} was not found${item.integration === undefined ? '' : ` in ${item.integration}`}.`
      : `${matching.length} resources have the path ${item.target}. Add integration: ${[...new Set(matching.map((each) => each.integration_name))].join(' or ')}.`,
  )
  return undefined
}

const applyEntry = async (
  ctx: Context,
  file: string,
  { item, line }: ConfigEntry,
  target: NamedResource,
  existing: ReadonlyMap<string, readonly MonitorWithTarget[]>,
  appliedIds: Set<string>,
): Promise<ConfigChange | undefined> => {
  const same = (existing.get(target.id) ?? []).filter(({ name, id }) => name === item.name.trim() && !appliedIds.has(id))
  const before = same.find(({ metric_type }) => metric_type === item.metric_type)
  const about = { name: item.name.trim(), target: item.target, line }
  if (!before) {
    const monitor = await createMonitor(ctx, { ...toSettings(item), target: target.id, metric_type: item.metric_type, key: item.key })
    await setFile(ctx, monitor.id, file)
    appliedIds.add(monitor.id)
    const after = withoutName(toItem(await getMonitorRow(ctx, monitor.id)))
    return { ...about, action: 'create', monitor: monitor.id, changes: diffFields({}, after, FIELDS) }
  }
  appliedIds.add(before.id)
  // The file takes over a monitor that was created manually. A monitor with a key belongs to the program that pushes to it until the file
  // contains the same key; monitors created from dbt and OpenLineage tests never belong to a file.
  const belongsToProgram = before.file === null && before.key !== null && (item.key !== before.key || TEST_KEY_PATTERN.test(before.key))
  if (!belongsToProgram && before.file !== file) await setFile(ctx, before.id, file)
  const key = belongsToProgram ? before.key : (item.key ?? null)
  if (matchesItem(before, item) && key === before.key) return undefined
  await editMonitor(ctx, before.id, { ...toSettings(item), key })
  const changes = diffFields(stringifyNested(toItem(before)), stringifyNested(toItem(await getMonitorRow(ctx, before.id))), FIELDS)
  return changes.length === 0 ? undefined : { ...about, action: 'update', monitor: before.id, changes }
}

/** Keys of monitors created from test results. */
const TEST_KEY_PATTERN = /^(?:dbt|openlineage):/

const withoutName = ({ name: _, ...item }: Item) => stringifyNested(item)
/** Nested objects become text so that they are compared by value. */
const stringifyNested = <T extends object>(item: T): object =>
  Object.fromEntries(
    Object.entries(item).map(([field, value]) => [field, typeof value === 'object' && value ? JSON.stringify(value) : value]),
  )

const addApiError = (problems: ConfigProblems, { lineOf }: ConfigEntry, { errors, message }: ApiError): void => {
  const fieldErrors = Object.entries(errors ?? {})
  if (fieldErrors.length === 0) problems.add(lineOf('name'), message)
  for (const [field, messages] of fieldErrors) for (const text of messages) problems.add(lineOf(field.split('.')[0]!), `${field}: ${text}`)
}
