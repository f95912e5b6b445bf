import { mustBeAble } from '../../access/permissions.ts'
import { type Context, inTransaction } from '../../context.ts'
import { Refusal } from '../../errors.ts'
import { diff } from '../../history/diff.ts'
import { createMonitor } from '../create.ts'
import { editMonitor, removeMonitor } from '../edit.ts'
import { findByPaths, type Named } from '../paths.ts'
import { getMonitor, type SeenMonitor } from '../store.ts'
import { isAsWritten, toItem, toSettings } from './item.ts'
import { type Entry, Problems, type ReadFile, readFile } from './read.ts'
import type { ConfigChange, ConfigPut, ConfigResult, Item } from './schema.ts'
import { findOfFile, findOfTargets, setFile } from './store.ts'

const FIELDS = [
  ...['name', 'key', 'metric_config', 'schedule', 'condition_auto_sensitivity', 'condition_manual_min', 'condition_manual_max'],
  ...['notify_slack_channel', 'is_enabled'],
]

/** Applies a file of monitors in one transaction. Applying the same file again changes nothing. */
export const applyConfig = async (ctx: Context, text: string, { dry_run = false, prune = true }: ConfigPut): Promise<ConfigResult> => {
  mustBeAble(ctx.actor, 'monitors.write')
  const file = readFile(text)
  try {
    return await inTransaction(ctx, async (ctx) => {
      const result = await apply(ctx, file, prune, dry_run)
      if (dry_run) throw new OnlyTried(result)
      return result
    })
  } catch (error) {
    if (error instanceof OnlyTried) return error.result
    throw error
  }
}

/** Thrown to roll back a dry run: it executes all changes, so its result is exact. */
class OnlyTried extends Error {
  readonly result: ConfigResult
  constructor(result: ConfigResult) {
    super('dry run')
    this.result = result
  }
}

const apply = async (ctx: Context, { file, entries }: ReadFile, prune: boolean, dry_run: boolean): Promise<ConfigResult> => {
  const problems = new Problems()
  const targets = await findByPaths(
    ctx,
    entries.map(({ item }) => item.target),
  )
  const placed = entries.flatMap((entry) => {
    const target = targetOf(entry, targets.get(entry.item.target) ?? [], problems)
    return target ? [{ entry, target }] : []
  })
  problems.throwIfAny()
  const there = await findOfTargets(
    ctx,
    placed.map(({ target }) => target.id),
  )
  const changes: ConfigChange[] = []
  const kept = new Set<string>()
  for (const { entry, target } of placed)
    try {
      const change = await write(ctx, file, entry, target, there, kept)
      if (change) changes.push({ ...change, ...(dry_run && change.action === 'create' ? { monitor: null } : {}) })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      noteRefusal(problems, entry, error)
    }
  problems.throwIfAny()
  const gone = prune ? (await findOfFile(ctx, file)).filter(({ id }) => !kept.has(id)) : []
  for (const row of gone) {
    await removeMonitor(ctx, row.id)
    const item = toItem(row)
    changes.push({ action: 'delete', name: row.name, target: item.target, monitor: row.id, line: null, changes: diff(item, {}, FIELDS) })
  }
  const count = (action: ConfigChange['action']) => changes.filter((change) => change.action === action).length
  const [created, updated, deleted] = [count('create'), count('update'), count('delete')]
  return { dry_run, file, created, updated, deleted, unchanged: entries.length - created - updated, changes }
}

const targetOf = ({ item, lineOf }: Entry, found: readonly Named[], problems: Problems): Named | undefined => {
  const fitting = item.integration === undefined ? found : found.filter(({ integration_name }) => integration_name === item.integration)
  if (fitting.length === 1) return fitting[0]
  problems.add(
    lineOf('target'),
    fitting.length === 0
      ? `Table or column ${item.target} was not found${item.integration === undefined ? '' : ` in ${item.integration}`}.`
      : `${fitting.length} resources have the path ${item.target}. Add integration: ${[...new Set(fitting.map((each) => each.integration_name))].join(' or ')}.`,
  )
  return undefined
}

const write = async (
  ctx: Context,
  file: string,
  { item, line }: Entry,
  target: Named,
  there: ReadonlyMap<string, readonly SeenMonitor[]>,
  kept: Set<string>,
): Promise<ConfigChange | undefined> => {
  const same = (there.get(target.id) ?? []).filter(({ name, id }) => name === item.name.trim() && !kept.has(id))
  const before = same.find(({ metric_type }) => metric_type === item.metric_type)
  const about = { name: item.name.trim(), target: item.target, line }
  if (!before) {
    const monitor = await createMonitor(ctx, { ...toSettings(item), target: target.id, metric_type: item.metric_type, key: item.key })
    await setFile(ctx, monitor.id, file)
    kept.add(monitor.id)
    const after = withoutName(toItem(await getMonitor(ctx, monitor.id)))
    return { ...about, action: 'create', monitor: monitor.id, changes: diff({}, after, FIELDS) }
  }
  kept.add(before.id)
  // The file takes over a monitor that was created manually. A monitor with a key belongs to the program that pushes to it until the file
  // contains the same key; monitors created from dbt and OpenLineage tests never belong to a file.
  const ofProgram = before.file === null && before.key !== null && (item.key !== before.key || REPORTED.test(before.key))
  if (!ofProgram && before.file !== file) await setFile(ctx, before.id, file)
  const key = ofProgram ? before.key : (item.key ?? null)
  if (isAsWritten(before, item) && key === before.key) return undefined
  await editMonitor(ctx, before.id, { ...toSettings(item), key })
  const changes = diff(settled(toItem(before)), settled(toItem(await getMonitor(ctx, before.id))), FIELDS)
  return changes.length === 0 ? undefined : { ...about, action: 'update', monitor: before.id, changes }
}

/** Keys of monitors created from test results. */
const REPORTED = /^(?:dbt|openlineage):/

const withoutName = ({ name: _, ...item }: Item) => settled(item)
/** Nested objects become text so that they are compared by value. */
const settled = <T extends object>(item: T): object =>
  Object.fromEntries(
    Object.entries(item).map(([field, value]) => [field, typeof value === 'object' && value ? JSON.stringify(value) : value]),
  )

const noteRefusal = (problems: Problems, { lineOf }: Entry, { errors, message }: Refusal): void => {
  const all = Object.entries(errors ?? {})
  if (all.length === 0) problems.add(lineOf('name'), message)
  for (const [field, words] of all) for (const word of words) problems.add(lineOf(field.split('.')[0]!), `${field}: ${word}`)
}
