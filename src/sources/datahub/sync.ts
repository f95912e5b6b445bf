import { ensureTags } from '../../catalog/tags/tags.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { isObject } from '../../platform/core/json-value.ts'
import { NO_FLOWS } from '../job-flows/flows.ts'
import { type FlowUpdate, saveAllFlows } from '../job-flows/save-flow.ts'
import { findUsersByEmail } from '../sync/find-users.ts'
import type { Item } from '../sync/item.ts'
import { pushItems } from '../sync/push-items.ts'
import { findResourceIdsByKey } from '../sync/sync-rows.ts'
import { findAddedFlows } from './added-flow-rows.ts'
import { type AddedFlowUpdate, saveAddedFlows } from './added-flows.ts'
import { applyAdditions } from './additions.ts'
import { findGroupsByName, findMemberships, findStoredFlows, findTagDescriptions, listFlowOwners, loadEntities } from './aspect-rows.ts'
import type { Aspect } from './change.ts'
import { type Entities, getAspect, toStrings } from './entities.ts'
import { findColumnEntities } from './fields.ts'
import { type Flow, findFlows } from './flows.ts'
import { ForeignResources } from './foreign-resources.ts'
import { entityKey, ItemBuilder, reportRemoved } from './items.ts'
import { saveLosses } from './loss-rows.ts'
import { LossReport } from './losses.ts'
import { getEmail, getGroupName, getTagName, type References, readOwners, readTagDetails, readTags, readTerms } from './references.ts'
import { findRejected } from './rejected-rows.ts'
import { type FlowEnds, listFlowKeys, readLineage, resolveFlows } from './resolve-flows.ts'

/** Builds the catalog from everything DataHub's connectors reported: first the items, then terms and lineage between them. */

type Log = (line: string) => Promise<void>

const MAX_LOGGED_LOSSES = 500
const BATCH_SIZE = 200

export async function* discoverEntities(ctx: Context, integration: string): AsyncGenerator<Item, void> {
  const entities = await loadEntities(ctx.db, integration)
  if (entities.size === 0)
    throw new Error('No events yet. Send them with "tablinum ingest", or point the datahub-rest sink to this server.')
  yield* new ItemBuilder(await collectSources(ctx, integration, entities, new LossReport())).items()
}

/** Runs when the items are in the catalog: assigns glossary terms and updates the lineage. */
export const connectEntities = async (ctx: Context, integration: string, log: Log): Promise<{ read: number; unreadable: number }> => {
  const entities = await loadEntities(ctx.db, integration)
  const losses = new LossReport()
  const sources = await collectSources(ctx, integration, entities, losses)
  const builder = new ItemBuilder(sources)
  await assignMembers(ctx, integration, builder.items())
  const additions = builder.finish()
  const { foreign, columnNames } = sources
  const read = await updateFlows(ctx, integration, findFlows(entities, columnNames), { foreign, losses, items: builder })
  const updated = await applyAdditions(ctx, integration, additions, foreign, losses)
  if (updated > 0) await log(`Updated ${updated.toLocaleString('en')} resources of other integrations.`)
  for (const line of await findRejected(ctx.db, integration)) losses.add(line)
  reportRemoved(entities, losses)
  await reportLosses(ctx, integration, log, losses)
  return { read, unreadable: 0 }
}

/** The log has the first lines; all of them are stored. */
const reportLosses = async (ctx: Context, integration: string, log: Log, { lines }: LossReport): Promise<void> => {
  await saveLosses(ctx, integration, lines)
  for (const line of lines.slice(0, MAX_LOGGED_LOSSES)) await log(`Not taken over: ${line}`)
  const others = lines.length - MAX_LOGGED_LOSSES
  if (others > 0)
    await log(`Not taken over: ${others.toLocaleString('en')} more, listed by GET /api/v1/integration/integrations/${integration}/losses.`)
}

const collectSources = async (ctx: Context, integration: string, entities: Entities, losses: LossReport) => {
  const { columnNames, named } = readLineage(entities)
  const mentioned = findMentioned(entities)
  const foreign = await ForeignResources.find(ctx, integration, entities, [
    ...named.keys(),
    ...entities.keys(),
    ...findColumnEntities(entities, columnNames).keys(),
    ...mentioned.terms,
    ...[...entities.values()].flatMap((entity) => toStrings(getAspect(entity, 'domains').domains)),
  ])
  const references = await findReferences(ctx, integration, entities, mentioned)
  const present = await findTagDescriptions(ctx.db, [...references.tags.values()])
  for (const [name, { description }] of readTagDetails(entities))
    if (description && present.get(references.tags.get(name) ?? '') !== description)
      losses.add(`the description of the tag ${name}, which has its own.`)
  return { entities, columnNames, named, foreign, references, losses }
}

/** What the entities refer to, by URN. */
interface Mentioned {
  readonly owners: ReadonlySet<string>
  readonly tags: ReadonlySet<string>
  readonly terms: ReadonlySet<string>
}

const findMentioned = (entities: Entities): Mentioned => {
  const [owners, tags, terms] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const { aspects } of entities.values())
    for (const aspect of aspects.values())
      for (const each of findReferringAspects(aspect)) {
        for (const urn of readOwners(each)) owners.add(urn)
        for (const urn of readTags(each)) tags.add(urn)
        for (const urn of readTerms(each)) terms.add(urn)
      }
  return { owners, tags, terms }
}

const findReferences = async (ctx: Context, integration: string, entities: Entities, mentioned: Mentioned): Promise<References> => {
  const owners = [...mentioned.owners]
  const [groups, people] = [
    owners.filter((urn) => urn.startsWith('urn:li:corpGroup:')),
    owners.filter((urn) => !urn.startsWith('urn:li:corpGroup:')),
  ]
  const ofType = (...types: string[]) => [...entities.values()].flatMap(({ urn, type }) => (types.includes(type) ? urn : []))
  const tagNames = [...new Set([...mentioned.tags, ...ofType('tag')].map((urn) => getTagName(urn, entities)))]
  const domains = [...entities.values()].flatMap((entity) => toStrings(getAspect(entity, 'domains').domains))
  const terms = [...new Set([...mentioned.terms, ...domains, ...ofType('glossaryTerm', 'domain', 'dataProduct')])]
  const ids = await findResourceIdsByKey(ctx.db, integration, terms.map(entityKey))
  return {
    people: await findUsersByEmail(ctx.db, [...new Set([...people, ...ofType('corpuser')].map((urn) => getEmail(urn, entities)))]),
    groups: await findGroupsByName(ctx.db, [...new Set([...groups, ...ofType('corpGroup')].map((urn) => getGroupName(urn, entities)))]),
    tags: tagNames.length > 0 ? await ensureTags(ctx, tagNames, readTagDetails(entities)) : new Map(),
    terms: new Map(terms.flatMap((urn) => (ids.has(entityKey(urn)) ? [[urn, ids.get(entityKey(urn))!] as const] : []))),
  }
}

/** Owners, tags and terms of the entity itself and of its fields. */
const findReferringAspects = (aspect: Aspect): Record<string, Aspect>[] => {
  if (!isObject(aspect)) return []
  const fields = [aspect.fields, aspect.editableSchemaFieldInfo].flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []))
  const all = [...fields, ...fields.map(({ schemaField }) => schemaField).filter(isObject)]
  return [aspect, ...all.flatMap(({ globalTags, glossaryTerms }) => [globalTags, glossaryTerms].filter(isObject))]
}

/** Terms and collections are items too: those of the first sync have no ID before it has written them. */
const assignMembers = async (ctx: Context, integration: string, items: Iterable<Item>): Promise<void> => {
  for (const batch of splitIntoBatches(items, ({ fields }) => Boolean(fields.terms || fields.collections))) {
    const keys = batch.map(({ key }) => key)
    const ids = await findResourceIdsByKey(ctx.db, integration, keys)
    const present = await findMemberships(ctx.db, [...ids.values()])
    const missing = batch.filter(({ key, fields }) => {
      const id = ids.get(key)
      const known = (id && present.get(id)) || []
      return id && [...(fields.terms ?? []), ...(fields.collections ?? [])].some((each) => !known.includes(each))
    })
    if (missing.length > 0) await inTransaction(ctx, (ctx) => pushItems(ctx, integration, missing))
  }
}

function* splitIntoBatches<T>(all: Iterable<T>, isWanted: (each: T) => boolean = () => true): Generator<T[], void> {
  let batch: T[] = []
  for (const each of all) {
    if (!isWanted(each)) continue
    batch.push(each)
    if (batch.length < BATCH_SIZE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Writes the flows that changed and deletes those that are no longer reported. Returns how many there are. */
const updateFlows = async (
  ctx: Context,
  integration: string,
  flows: Iterable<Flow>,
  { items, ...ends }: Omit<FlowEnds, 'ids'> & { readonly items: ItemBuilder },
): Promise<number> => {
  const before = await listFlowOwners(ctx.db, integration)
  const added = await findAddedFlows(ctx.db, integration)
  const current = new Set<string>()
  for (const batch of splitIntoBatches(flows)) {
    // Only items of this sync: a flow cannot begin or end at a stale resource.
    const keys = [...new Set(batch.flatMap(listFlowKeys))].filter((key) => items.has(key))
    const ids = await findResourceIdsByKey(ctx.db, integration, keys)
    const resolved = resolveFlows(batch, { ...ends, ids })
    const stored = await findStoredFlows(
      ctx.db,
      integration,
      resolved.map(({ owner }) => owner),
    )
    const updates: FlowUpdate[] = []
    const addedUpdates: AddedFlowUpdate[] = []
    for (const { key, isJob, other, owner, after } of resolved) {
      current.add(other ? key : owner)
      if (other) addedUpdates.push({ before: added.get(key), after: { key, resource_id: owner, flows: after } })
      else updates.push({ key, owner, ...(isJob ? { job: owner } : {}), before: stored.get(owner)?.flows ?? NO_FLOWS, after })
    }
    await saveAllFlows(ctx, updates)
    await saveAddedFlows(ctx, integration, addedUpdates)
  }
  for (const gone of splitIntoBatches(before, (id) => !current.has(id))) {
    const stored = await findStoredFlows(ctx.db, integration, gone)
    const updates = [...stored.values()].map(({ resource_id, key, flows }) => ({
      ...{ key, owner: resource_id, job: resource_id, before: flows, after: NO_FLOWS },
    }))
    await saveAllFlows(ctx, updates)
  }
  const goneAdded = [...added.values()].filter(({ key }) => !current.has(key)).map((before) => ({ before }))
  await saveAddedFlows(ctx, integration, goneAdded)
  return current.size
}
