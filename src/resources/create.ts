import { setImmediate } from 'node:timers/promises'
import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { invalid } from '../errors.ts'
import { recordActivities } from '../history/record.ts'
import { newId } from '../id.ts'
import { mustBeOpen, registerIntegrations } from '../integrations/register.ts'
import { recordAddressed } from './addressed.ts'
import { applyChange, blankRow, firstChanges, readChange, VERSIONED_FIELDS } from './change.ts'
import { publishContainers } from './containers.ts'
import { versionEntry } from './entry.ts'
import { DEFAULT_ENTITY_TYPE, kindOf } from './kinds.ts'
import { type Own, readOwn, withOwn } from './own-fields.ts'
import { type ResourceRow, toResource } from './record.ts'
import type { Resource, ResourceCreate } from './schema.ts'
import { holdParents, insertRows } from './store.ts'

/** Additional fields that integrations and imports can set. Stored as provided. */
export type Reported = Partial<
  Pick<
    ResourceRow,
    | 'id'
    | 'databuilder_id'
    | 'external_usage'
    | 'external_updated_at'
    | 'row_count'
    | 'byte_size'
    | 'sources'
    | 'external_users'
    | 'details'
    | 'display_metadata'
  >
> & {
  /** Type-specific fields. */
  readonly own?: Own
}

export const createResource = (ctx: Context, create: ResourceCreate, own?: Own): Promise<Resource> =>
  inTransaction(ctx, async (ctx) => {
    const [row] = await createResources(ctx, [{ ...only(create), own }])
    await recordAddressed(ctx, [{ after: row! }])
    return toResource(ctx.actor, row!, ctx.workspace_id, 0)
  })

/** Clients may send a whole record back, so fields that only integrations can set are dropped. */
const only = (create: ResourceCreate): ResourceCreate =>
  Object.fromEntries(Object.entries(create).filter(([field]) => VERSIONED_FIELDS.includes(field)))

/** Creates any number of resources whose parents already exist, with one statement for the rows and one for their activities. */
export const createResources = (ctx: Context, creates: readonly (ResourceCreate & Reported)[]): Promise<ResourceRow[]> =>
  inTransaction(ctx, async (ctx) => {
    const rows = await prepareResources(ctx, creates)
    await writeResources(ctx, rows)
    return rows
  })

/** Step 1: builds the rows. Locks their parents, so it must run in the same transaction as step 2. */
export const prepareResources = async (ctx: Context, creates: readonly (ResourceCreate & Reported)[]): Promise<ResourceRow[]> => {
  for (const { entity_type } of creates) mustBeAble(ctx.actor, kindOf(entity_type ?? DEFAULT_ENTITY_TYPE).permission)
  const changes = creates.map(({ entity_type, title, ...rest }) => ({
    entity_type: entity_type ?? DEFAULT_ENTITY_TYPE,
    title: title ?? 'Untitled',
    ...readChange(rest),
  }))
  const parents = await findParents(ctx, changes)
  const rows = await inTurns(changes, (change, i) => {
    const parent = change.parent ? parents.get(change.parent) : undefined
    const {
      id = newId(),
      databuilder_id,
      external_usage,
      external_updated_at,
      row_count,
      byte_size,
      sources,
      external_users,
      details,
      display_metadata,
      own = {},
    } = creates[i]!
    const reported = {
      ...{ databuilder_id, external_usage, external_updated_at, row_count, byte_size },
      ...{ sources, external_users, details, display_metadata },
    }
    const blank = { ...blankRow(id, change.entity_type, '', ctx.now), ...given(reported) }
    const row = applyChange(blank, { ...inherited(change.entity_type, parent), ...change }, parent, ctx.actor.user_id, ctx.now)
    return withOwn(row, { ...kindOf(row.entity_type).starts, ...readOwn(row.entity_type, own) })
  })
  await mustBeOpen(
    ctx,
    changes.map(({ integration }) => integration),
  )
  await registerIntegrations(
    ctx,
    rows.flatMap(({ integration }) => integration ?? []),
  )
  return rows
}

/** Step 2: inserts the rows and their activities, pipelined on one connection. */
export const writeResources = async (ctx: Context, rows: readonly ResourceRow[]): Promise<void> => {
  const entries = await inTurns(rows, creation)
  await Promise.all([insertRows(ctx.db, rows), recordActivities(ctx, entries)])
  await publishContainers(
    ctx,
    rows.filter(({ published }) => published),
  )
}

const AT_A_TIME = 200

/**
 * Processes items in chunks and yields to the event loop in between, so that other requests run and a batch already sent to Postgres is
 * flushed.
 */
const inTurns = async <From, To>(all: readonly From[], make: (each: From, i: number) => To): Promise<To[]> => {
  const made: To[] = []
  for (const [i, each] of all.entries()) {
    if (i > 0 && i % AT_A_TIME === 0) await setImmediate()
    made.push(make(each, i))
  }
  return made
}

const findParents = async (ctx: Context, changes: readonly Partial<ResourceRow>[]): Promise<Map<string, ResourceRow>> => {
  const wanted = [...new Set(changes.flatMap(({ parent }) => parent ?? []))]
  const parents = wanted.length === 0 ? new Map<string, ResourceRow>() : await holdParents(ctx.db, ctx.actor, wanted)
  const missing = wanted.find((id) => !parents.has(id))
  if (missing) throw invalid({ parent: [`Resource ${missing} does not exist.`] })
  return parents
}

/** A child inherits the integration of its parent. A column also inherits the visibility of its table. */
const inherited = (entity_type: string, parent: ResourceRow | undefined): Partial<ResourceRow> => {
  if (!parent) return {}
  const { integration, published, teams } = parent
  return kindOf(parent.entity_type).publishes === entity_type ? { integration, published, teams } : { integration }
}

const given = <T extends object>(some: T): Partial<T> =>
  Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined)) as Partial<T>

const creation = (row: ResourceRow) => versionEntry(row, 'created', firstChanges(row))
