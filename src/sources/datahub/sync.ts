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
import { addToOthers } from './additions.ts'
import { findGroupsByName, findMemberships, findStoredFlows, findTagDescriptions, loadEntities } from './aspect-rows.ts'
import type { Aspect } from './change.ts'
import { type Entities, getAspect, toStrings } from './entities.ts'
import { findColumnEntities } from './fields.ts'
import type { Flow } from './flows.ts'
import { ForeignResources } from './foreign-resources.ts'
import { entityKey, reportRemoved, toItems } from './items.ts'
import { saveLosses } from './loss-rows.ts'
import { LossReport } from './losses.ts'
import { getEmail, getGroupName, getTagName, type References, readOwners, readTagDetails, readTags, readTerms } from './references.ts'
import { findRejected } from './rejected-rows.ts'
import { type FlowEnds, readLineage, resolveFlows } from './resolve-flows.ts'

/** Builds the catalog from everything DataHub's connectors reported: first the items, then terms and lineage between them. */

type Log = (line: string) => Promise<void>

const MAX_LOGGED_LOSSES = 500
const BATCH_SIZE = 200

export async function* discoverEntities(ctx: Context, integration: string): AsyncGenerator<Item, void> {
  const entities = await loadEntities(ctx.db, integration)
  if (entities.size === 0)
    throw new Error('No events yet. Send them with "tablinum ingest", or point the datahub-rest sink to this server.')
  yield* toItems(await collectSources(ctx, integration, entities, new LossReport())).items
}

/** Runs when the items are in the catalog: assigns glossary terms and updates the lineage. */
export const connectEntities = async (ctx: Context, integration: string, log: Log): Promise<{ read: number; unreadable: number }> => {
  const entities = await loadEntities(ctx.db, integration)
  const losses = new LossReport()
  const sources = await collectSources(ctx, integration, entities, losses)
  const { items, additions } = toItems(sources)
  const ids = await findResourceIdsByKey(
    ctx.db,
    integration,
    items.map(({ key }) => key),
  )
  await assignMembers(ctx, integration, items, ids)
  const { foreign } = sources
  const read = await updateFlows(ctx, integration, sources.flows, { ids, foreign, losses })
  const updated = await addToOthers(ctx, integration, additions, foreign, losses)
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
  const { columnNames, flows, named } = readLineage(entities)
  const referring = findReferring(entities)
  const foreign = await ForeignResources.find(ctx, integration, entities, [
    ...named.keys(),
    ...entities.keys(),
    ...findColumnEntities(entities, columnNames).keys(),
    ...referring.flatMap(readTerms),
    ...[...entities.values()].flatMap((entity) => toStrings(getAspect(entity, 'domains').domains)),
  ])
  const references = await findReferences(ctx, integration, entities, referring)
  const present = await findTagDescriptions(ctx.db, [...references.tags.values()])
  for (const [name, { description }] of readTagDetails(entities))
    if (description && present.get(references.tags.get(name) ?? '') !== description)
      losses.add(`the description of the tag ${name}, which has its own.`)
  return { entities, columnNames, flows, named, foreign, references, losses }
}

const findReferring = (entities: Entities): Record<string, Aspect>[] =>
  [...entities.values()].flatMap(({ aspects }) => [...aspects.values()].flatMap(findReferringAspects))

const findReferences = async (
  ctx: Context,
  integration: string,
  entities: Entities,
  referring: readonly Record<string, Aspect>[],
): Promise<References> => {
  const owners = referring.flatMap(readOwners)
  const [groups, people] = [
    owners.filter((urn) => urn.startsWith('urn:li:corpGroup:')),
    owners.filter((urn) => !urn.startsWith('urn:li:corpGroup:')),
  ]
  const ofType = (...types: string[]) => [...entities.values()].flatMap(({ urn, type }) => (types.includes(type) ? urn : []))
  const tagNames = [...new Set([...referring.flatMap(readTags), ...ofType('tag')].map((urn) => getTagName(urn, entities)))]
  const domains = [...entities.values()].flatMap((entity) => toStrings(getAspect(entity, 'domains').domains))
  const terms = [...new Set([...referring.flatMap(readTerms), ...domains, ...ofType('glossaryTerm', 'domain', 'dataProduct')])]
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
const assignMembers = async (
  ctx: Context,
  integration: string,
  items: readonly Item[],
  ids: ReadonlyMap<string, string>,
): Promise<void> => {
  const members = items.filter(({ key, fields }) => (fields.terms || fields.collections) && ids.has(key))
  for (let start = 0; start < members.length; start += BATCH_SIZE) {
    const batch = members.slice(start, start + BATCH_SIZE)
    const present = await findMemberships(
      ctx.db,
      batch.map(({ key }) => ids.get(key)!),
    )
    const missing = batch.filter(({ key, fields }) => {
      const known = present.get(ids.get(key)!) ?? []
      return [...(fields.terms ?? []), ...(fields.collections ?? [])].some((id) => !known.includes(id))
    })
    if (missing.length > 0) await inTransaction(ctx, (ctx) => pushItems(ctx, integration, missing))
  }
}

/** Writes the flows that changed and deletes those that are no longer reported. Returns how many there are. */
const updateFlows = async (ctx: Context, integration: string, flows: readonly Flow[], ends: FlowEnds): Promise<number> => {
  const stored = new Map((await findStoredFlows(ctx.db, integration)).map((each) => [each.resource_id, each]))
  const added = await findAddedFlows(ctx.db, integration)
  const current = new Set<string>()
  const updates: FlowUpdate[] = []
  const addedUpdates: AddedFlowUpdate[] = []
  for (const { key, isJob, other, owner, after } of resolveFlows(flows, ends)) {
    current.add(other ? key : owner)
    if (other) addedUpdates.push({ before: added.get(key), after: { key, resource_id: owner, flows: after } })
    else updates.push({ key, owner, ...(isJob ? { job: owner } : {}), before: stored.get(owner)?.flows ?? NO_FLOWS, after })
  }
  for (const { resource_id, key, flows } of stored.values())
    if (!current.has(resource_id)) updates.push({ key, owner: resource_id, job: resource_id, before: flows, after: NO_FLOWS })
  for (const before of added.values()) if (!current.has(before.key)) addedUpdates.push({ before })
  await saveAllFlows(ctx, updates)
  await saveAddedFlows(ctx, integration, addedUpdates)
  return current.size
}
