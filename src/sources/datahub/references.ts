import { isObject } from '../../platform/core/json-value.ts'
import type { Aspect } from './change.ts'
import { type Entities, getAspect, toText } from './entities.ts'
import { getUrnParts } from './urn.ts'

/** What the entities refer to by name, resolved. */
export interface References {
  /** Users by lower-case e-mail address. */
  readonly people: ReadonlyMap<string, string>
  /** Groups by name, as the events write it. */
  readonly groups: ReadonlyMap<string, string>
  readonly tags: ReadonlyMap<string, string>
  /** Glossary terms that are in the catalog already, by URN. */
  readonly terms: ReadonlyMap<string, string>
}

const readUrnsOf = (list: unknown, name: string): string[] =>
  Array.isArray(list) ? list.flatMap((each) => toText(isObject(each) ? each[name] : each) ?? []) : []

export const readTags = ({ tags }: Record<string, Aspect>): string[] => readUrnsOf(tags, 'tag')
export const readTerms = ({ terms }: Record<string, Aspect>): string[] => readUrnsOf(terms, 'urn')
export const readOwners = ({ owners, ownerTypes }: Record<string, Aspect>): string[] => [
  ...new Set([...readUrnsOf(owners, 'owner'), ...listByType(ownerTypes).map(({ owner }) => owner)]),
]

/** The second list of owners in the aspect: a map from the URN of an ownership type to the owners of that type. */
const listByType = (ownerTypes: unknown): { readonly owner: string; readonly typeUrn: string }[] =>
  isObject(ownerTypes)
    ? Object.entries(ownerTypes).flatMap(([typeUrn, owners]) => readUrnsOf(owners, 'owner').map((owner) => ({ owner, typeUrn })))
    : []

/** What each owner is responsible for: `DATAOWNER`, or the name of a type that the organization defined. */
export const readOwnershipTypes = ({ owners, ownerTypes }: Record<string, Aspect>, entities: Entities): Record<string, string> => {
  const all: Record<string, Aspect>[] = [...(Array.isArray(owners) ? owners.filter(isObject) : []), ...listByType(ownerTypes)]
  return Object.fromEntries(
    [...Map.groupBy(all, ({ owner }) => toText(owner) ?? '')].flatMap(([owner, same]) => {
      const names = same.flatMap(({ type, typeUrn }) => {
        const custom = toText(typeUrn)
        return (custom ? getOwnershipType(custom, entities) : toText(type)) ?? []
      })
      return owner !== '' && names.length > 0 ? [[owner, [...new Set(names)].join(', ')] as const] : []
    }),
  )
}

const getOwnershipType = (urn: string, entities: Entities): string =>
  toText(getAspect(entities.get(urn), 'ownershipTypeInfo').name) ?? getUrnParts(urn)[0]!.replace(/^__system__/, '')

export const getTagName = (urn: string, entities: Entities): string => {
  const tag = entities.get(urn)
  return toText(getAspect(tag, 'tagProperties').name) ?? toText(getAspect(tag, 'tagKey').name) ?? getUrnParts(urn)[0]!
}

/** What events say about tags, by name. */
export const readTagDetails = (entities: Entities): Map<string, { readonly description?: string; readonly color?: string }> =>
  new Map(
    [...entities.values()].flatMap(({ urn, type }) => {
      const { description, colorHex } = type === 'tag' ? getAspect(entities.get(urn), 'tagProperties') : {}
      const color = typeof colorHex === 'string' && /^#[0-9a-f]{6}$/i.test(colorHex) ? colorHex : undefined
      const text = toText(description)?.slice(0, MAX_TAG_DESCRIPTION)
      return text || color
        ? [[getTagName(urn, entities), { ...(text ? { description: text } : {}), ...(color ? { color } : {}) }] as const]
        : []
    }),
  )

const MAX_TAG_DESCRIPTION = 10_000

/** The e-mail address of a user, in lower case: many connectors use it as the ID. */
export const getEmail = (urn: string, entities: Entities): string => {
  const user = entities.get(urn)
  const email = toText(getAspect(user, 'corpUserInfo').email) ?? toText(getAspect(user, 'corpUserEditableInfo').email)
  return (email ?? getUrnParts(urn)[0]!).toLowerCase()
}

export const getGroupName = (urn: string, entities: Entities): string =>
  toText(getAspect(entities.get(urn), 'corpGroupInfo').displayName) ?? getUrnParts(urn)[0]!
