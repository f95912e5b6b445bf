import { isObject, omitEmpty } from '../../platform/core/json-value.ts'
import type { Item } from '../sync/item.ts'
import type { Aspect } from './change.ts'
import { type Entity, getAspect, toStrings } from './entities.ts'
import { hasColumns } from './entity-kinds.ts'
import type { ItemSources } from './items.ts'
import { getEmail, getGroupName, getTagName, readOwners, readOwnershipTypes, readTags, readTerms } from './references.ts'
import { getUnread } from './unread-fields.ts'
import { parseFieldUrn } from './urn.ts'

const MAX_KEPT_CHARACTERS = 10_000

/** What entities refer to, as far as the catalog has it; the rest is reported. Pure. */
export class ReferenceResolver {
  readonly #sources: ItemSources
  /** Whether an entity is in the catalog, after adding it if it is not yet. */
  readonly #isPlaced: (urn: string) => boolean

  constructor(sources: ItemSources, isPlaced: (urn: string) => boolean) {
    this.#sources = sources
    this.#isPlaced = isPlaced
  }

  /** Tags, owners and terms. */
  resolve(
    aspects: ReadonlyMap<string, Aspect>,
    of: string,
  ): { readonly fields: Partial<Item['fields']>; readonly facts: Record<string, unknown> } {
    const { references, losses, entities } = this.#sources
    const tags = readTags(read(aspects, 'globalTags')).flatMap((urn) => {
      const id = references.tags.get(getTagName(urn, entities))
      if (!id) losses.add(`${of}: the tag ${urn}, whose name is empty or longer than 200 characters.`)
      return id ?? []
    })
    const owners: string[] = []
    const owners_groups: string[] = []
    const unmatched_owners: string[] = []
    for (const owner of readOwners(read(aspects, 'ownership'))) {
      const [list, found] = owner.startsWith('urn:li:corpGroup:')
        ? [owners_groups, references.groups.get(getGroupName(owner, entities))]
        : [owners, references.people.get(getEmail(owner, entities))]
      if (found) list.push(found)
      else {
        unmatched_owners.push(owner)
        losses.add(`${of}: the owner ${owner} is no user or group of this workspace.`)
      }
    }
    const named = readTerms(read(aspects, 'glossaryTerms')).filter((urn) => {
      if (urn !== of && this.#isPlaced(urn)) return true
      losses.add(`${of}: the term ${urn}, which ${urn === of ? 'it is itself' : 'was removed'}.`)
      return false
    })
    const terms = named.flatMap((urn) => this.#idOf(urn) ?? [])
    return {
      fields: {
        ...(tags.length > 0 ? { tags: [...new Set(tags)] } : {}),
        ...(owners.length > 0 ? { owners: [...new Set(owners)] } : {}),
        ...(owners_groups.length > 0 ? { owners_groups: [...new Set(owners_groups)] } : {}),
        ...(terms.length > 0 ? { terms: [...new Set(terms)] } : {}),
      },
      facts: omitEmpty({ unmatched_owners, ownership_types: readOwnershipTypes(read(aspects, 'ownership'), entities) }),
    }
  }

  /** Domains and data products are collections. */
  resolveCollections(entity: Entity, products: readonly string[] = []): Pick<Item['fields'], 'collections'> {
    const urns = [...toStrings(getAspect(entity, 'domains').domains), ...products].filter((urn) => {
      if (this.#isPlaced(urn)) return true
      this.#sources.losses.add(`${entity.urn}: the domain ${urn}, which was removed.`)
      return false
    })
    const collections = [...new Set(urns.flatMap((urn) => this.#idOf(urn) ?? []))]
    return collections.length > 0 ? { collections } : {}
  }

  #idOf(urn: string): string | undefined {
    return this.#sources.foreign.get(urn) ?? this.#sources.references.terms.get(urn)
  }

  /** Aspects without a field of their own are kept as they are, of the others what is not read, within limits. */
  keepOthers(
    of: string,
    type: string,
    aspects: ReadonlyMap<string, Aspect>,
    others: ReadonlyMap<string, Aspect> = new Map(),
  ): Record<string, Aspect> {
    const kept: Record<string, Aspect> = {}
    const unread = [...aspects].map(([name, value]) => [name, getUnread(name, value, type)] as const)
    for (const [name, value] of [...unread, ...others]) {
      if (value === undefined) continue
      if (JSON.stringify(value).length <= MAX_KEPT_CHARACTERS) kept[name] = value
      else
        this.#sources.losses.add(
          `${of}: ${nameUnread(name, value, aspects)} larger than ${MAX_KEPT_CHARACTERS.toLocaleString('en')} characters.`,
        )
    }
    return kept
  }
}

/** The whole aspect, or some of its fields. */
const nameUnread = (name: string, value: unknown, aspects: ReadonlyMap<string, Aspect>): string =>
  value === aspects.get(name) || !isObject(value)
    ? `the aspect ${name} is`
    : `${Object.keys(value).join(', ')} of the aspect ${name}, together`

/** Entities that become no resources: users, groups and tags beyond their names, and types without a place. */
export const reportUnplaced = ({ urn, type, aspects }: Entity, { references, losses, entities }: ItemSources): void => {
  if (type === 'corpuser' && !references.people.has(getEmail(urn, entities)))
    losses.add(`${urn}: users are not created from events, and none of this workspace has the address ${getEmail(urn, entities)}.`)
  if (type === 'corpGroup' && !references.groups.has(getGroupName(urn, entities)))
    losses.add(`${urn}: groups are not created from events, and none of this workspace is called ${getGroupName(urn, entities)}.`)
  const unread = UNREAD_OF.has(type)
    ? [...aspects.keys()].filter((name) => !REFERENCE_ASPECTS.has(name) && !UNREAD_OF.get(type)!.has(name))
    : []
  if (unread.length > 0) losses.add(`${urn}: ${unread.join(', ')}, because entities of type ${type} are not imported.`)
  if (type === 'schemaField' && isOfResource(urn)) return
  if (type === 'schemaField') losses.add(`${urn}: only fields of datasets, charts and dashboards are resources.`)
  const named = [
    ...readOwners(read(aspects, 'ownership')).map((owner) => `the owner ${owner}`),
    ...readTags(read(aspects, 'globalTags')).map((tag) => `the tag ${tag}`),
    ...readTerms(read(aspects, 'glossaryTerms')).map((term) => `the term ${term}`),
    ...toStrings(read(aspects, 'domains').domains).map((domain) => `the domain ${domain}`),
  ]
  const mentioned = type === 'schemaField' ? [] : findMentioned(aspects).map((other) => `the relation with ${other}`)
  for (const each of [...named, ...mentioned]) losses.add(`${urn}: ${each}, because entities of type ${type} are not imported.`)
}

/** Datasets, charts, jobs, tags … anywhere in the aspects, e.g. the sources of a feature. A patch may have left them as names of fields. */
export const findMentioned = (aspects: ReadonlyMap<string, Aspect>, without: ReadonlySet<string> = REFERENCE_ASPECTS): string[] => {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      if (value.startsWith('urn:li:') && ASSETS.has(value.split(':')[2]!)) found.add(value)
    } else if (typeof value === 'object' && value !== null) for (const each of Object.entries(value).flat()) visit(each)
  }
  for (const [name, value] of aspects) if (!without.has(name)) visit(value)
  return [...found]
}

const ASSETS = new Set([
  ...['dataset', 'schemaField', 'chart', 'dashboard', 'dataFlow', 'dataJob', 'dataProcessInstance', 'tag', 'glossaryTerm', 'domain'],
  ...['query', 'metric', 'semanticModel'],
])
const REFERENCE_ASPECTS = new Set(['ownership', 'globalTags', 'glossaryTerms', 'domains'])

/** What they name is lineage, a member, a tag …, and reported as such. */
export const REPORTED_ASPECTS: ReadonlySet<string> = new Set([
  ...REFERENCE_ASPECTS,
  ...['upstreamLineage', 'chartInfo', 'dashboardInfo', 'dataJobInputOutput', 'dataProcessInstanceInput', 'dataProcessInstanceOutput'],
  ...['dataProductProperties', 'metricUpstreams', 'metricRelationships'],
])

/** What is read of entities that only others refer to; the rest is named. */
const UNREAD_OF: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['tag', new Set(['tagKey', 'tagProperties', 'status'])],
  ['corpuser', new Set(['corpUserKey', 'corpUserInfo', 'corpUserEditableInfo', 'corpUserStatus', 'status'])],
  ['corpGroup', new Set(['corpGroupKey', 'corpGroupInfo', 'status'])],
  ['dataPlatformInstance', new Set(['dataPlatformInstanceKey', 'dataPlatformInstance', 'status'])],
])

const isOfResource = (urn: string): boolean => hasColumns(parseFieldUrn(urn)?.dataset ?? '')

const read = (aspects: ReadonlyMap<string, Aspect>, name: string): Record<string, Aspect> => {
  const value = aspects.get(name)
  return isObject(value) ? value : {}
}
