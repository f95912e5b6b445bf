import { setImmediate } from 'node:timers/promises'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { recordActivities } from '../../platform/history/record.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { DEFAULT_ENTITY_TYPE, getEntityTypeConfig } from '../entity-types/entity-types.ts'
import { registerIntegrations, requireIntegrationAccess } from '../integration-registry/register.ts'
import { applyChange, emptyResourceRow, initialChanges, normalizeChange, VERSIONED_FIELDS } from '../records/change.ts'
import { type ResourceRow, toResource } from '../records/record.ts'
import { insertResourceRows, lockParentsShared } from '../records/resource-rows.ts'
import type { Resource, ResourceCreate } from '../records/schema.ts'
import { parseTypeFields, type TypeFields, withTypeFields } from '../records/type-fields.ts'
import { toVersionActivity } from '../records/version-activity.ts'
import { publishContainers } from './containers.ts'
import { recordDirectedEvents } from './directed-events.ts'
import { requireReplacements } from './replacements.ts'

/** Additional fields that integrations and imports can set. Stored as provided. */
export type ReportedMetadata = Partial<
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
  readonly own?: TypeFields
}

export const createResource = (ctx: Context, create: ResourceCreate, own?: TypeFields): Promise<Resource> =>
  inTransaction(ctx, async (ctx) => {
    const [row] = await createResources(ctx, [{ ...pickVersioned(create), own }])
    await recordDirectedEvents(ctx, [{ after: row! }])
    return toResource(ctx.actor, row!, ctx.workspace_id, 0)
  })

/** Clients may send a whole record back, so fields that only integrations can set are dropped. */
const pickVersioned = (create: ResourceCreate): ResourceCreate =>
  Object.fromEntries(Object.entries(create).filter(([field]) => VERSIONED_FIELDS.includes(field)))

/** Creates any number of resources whose parents already exist, with one statement for the rows and one for their activities. */
export const createResources = (ctx: Context, creates: readonly (ResourceCreate & ReportedMetadata)[]): Promise<ResourceRow[]> =>
  inTransaction(ctx, async (ctx) => {
    const rows = await prepareResources(ctx, creates)
    await writeResources(ctx, rows)
    return rows
  })

/** Step 1: builds the rows. Locks their parents, so it must run in the same transaction as step 2. */
export const prepareResources = async (ctx: Context, creates: readonly (ResourceCreate & ReportedMetadata)[]): Promise<ResourceRow[]> => {
  for (const { entity_type } of creates) requirePermission(ctx.actor, getEntityTypeConfig(entity_type ?? DEFAULT_ENTITY_TYPE).permission)
  const changes = creates.map(({ entity_type, title, ...rest }) => ({
    entity_type: entity_type ?? DEFAULT_ENTITY_TYPE,
    title: title ?? 'Untitled',
    ...normalizeChange(rest),
  }))
  const parents = await lockParents(ctx, changes)
  const rows = await mapInChunks(changes, (change, i) => {
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
    const blank = { ...emptyResourceRow(id, change.entity_type, '', ctx.now), ...omitUndefined(reported) }
    const row = applyChange(blank, { ...inheritFromParent(change.entity_type, parent), ...change }, parent, ctx.actor.user_id, ctx.now)
    return withTypeFields(row, { ...getEntityTypeConfig(row.entity_type).initial_fields, ...parseTypeFields(row.entity_type, own) })
  })
  await requireReplacements(
    ctx,
    rows.map((after) => ({ after })),
  )
  await requireIntegrationAccess(
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
  const inserting = insertResourceRows(ctx.db, rows)
  await Promise.all([inserting, mapInChunks(rows, toCreatedActivity).then((entries) => recordActivities(ctx, entries))])
  await publishContainers(
    ctx,
    rows.filter(({ published }) => published),
  )
}

const CHUNK_SIZE = 50

/**
 * Processes items in chunks and yields to the event loop in between, so that other requests run and a batch already sent to Postgres is
 * flushed.
 */
const mapInChunks = async <From, To>(all: readonly From[], convert: (each: From, i: number) => To): Promise<To[]> => {
  const converted: To[] = []
  for (const [i, each] of all.entries()) {
    if (i > 0 && i % CHUNK_SIZE === 0) await setImmediate()
    converted.push(convert(each, i))
  }
  return converted
}

const lockParents = async (ctx: Context, changes: readonly Partial<ResourceRow>[]): Promise<Map<string, ResourceRow>> => {
  const ids = [...new Set(changes.flatMap(({ parent }) => parent ?? []))]
  const parents = ids.length === 0 ? new Map<string, ResourceRow>() : await lockParentsShared(ctx.db, ctx.actor, ids)
  const missing = ids.find((id) => !parents.has(id))
  if (missing) throw invalid({ parent: [translatable('Resource {id} does not exist.', { id: missing })] })
  return parents
}

/** A child inherits the integration of its parent. A column also inherits the visibility of its table. */
const inheritFromParent = (entity_type: string, parent: ResourceRow | undefined): Partial<ResourceRow> => {
  if (!parent) return {}
  const { integration, published, teams } = parent
  return getEntityTypeConfig(parent.entity_type).publishes_children === entity_type ? { integration, published, teams } : { integration }
}

const omitUndefined = <T extends object>(some: T): Partial<T> =>
  Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined)) as Partial<T>

const toCreatedActivity = (row: ResourceRow) => toVersionActivity(row, 'created', initialChanges(row))
