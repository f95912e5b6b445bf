import type { ItemMessage } from '../../../../connector/src/protocol.ts'
import type { Item } from '../../sync/item.ts'

/** IDs of what the items of a batch refer to: users by lower-case e-mail address, tags by name. */
export interface ItemReferences {
  readonly users: ReadonlyMap<string, string>
  readonly tags: ReadonlyMap<string, string>
}

/** Pure. */
export const toItem = (message: ItemMessage, { users, tags }: ItemReferences): Item => {
  const { key, parent, entity_type, title, description, url, native_type, updated_at, usage, query } = message
  const owners = [...new Set((message.owners ?? []).flatMap((email) => users.get(email.toLowerCase()) ?? []))]
  const tagIds = [...new Set((message.tags ?? []).flatMap((name) => tags.get(name) ?? []))]
  const own = {
    ...(message.position === undefined ? {} : { sort_order: message.position }),
    ...(message.primary_key === undefined ? {} : { is_pk: message.primary_key }),
  }
  const reported = {
    ...(message.row_count === undefined ? {} : { row_count: message.row_count }),
    ...(message.byte_size === undefined ? {} : { byte_size: message.byte_size }),
    ...(updated_at ? { external_updated_at: new Date(updated_at).toISOString() } : {}),
  }
  const facts = { ...message.facts, ...(query ? { definition: query.sql } : {}) }
  return {
    key,
    ...(parent === undefined ? {} : { parent }),
    entity_type,
    fields: {
      title,
      ...(description === undefined ? {} : { description }),
      ...(url === undefined ? {} : { url }),
      ...(native_type === undefined ? {} : { native_type }),
      ...(owners.length > 0 ? { owners } : {}),
      ...(tagIds.length > 0 ? { tags: tagIds } : {}),
    },
    ...(Object.keys(own).length > 0 ? { own } : {}),
    ...(Object.keys(reported).length > 0 ? { reported } : {}),
    ...(Object.keys(facts).length > 0 ? { facts } : {}),
    ...(query ? { made_by: query } : {}),
    ...(usage
      ? {
          used: {
            calls: usage.count,
            since: usage.since ?? null,
            ...(usage.hours ? { hours: usage.hours } : {}),
            ...(usage.users ? { users: usage.users } : {}),
          },
        }
      : {}),
  }
}
