import { Type } from 'typebox'
import type { Resource } from '../../catalog/records/schema.ts'
import { findTagNames } from '../../catalog/tags/tags.ts'
import { findOwners } from '../../lineage/graph/owners.ts'
import { NullableString } from '../../platform/core/schema-types.ts'
import { omitLongTexts } from './answer.ts'
import { linkToResource } from './target.ts'
import type { ToolCall } from './tool.ts'

/** What lists show of a resource: enough to choose one, without the fields that agents do not need. */
export const Omitted = Type.Optional(
  Type.Array(Type.Object({ field: Type.String(), tokens: Type.Integer() }), {
    description: 'Texts left out because of their length. `get_entity` returns them.',
  }),
)

export const Person = Type.Object({
  type: Type.String({ description: '`user` or `group`.' }),
  id: Type.String(),
  name: NullableString(),
  email: NullableString('Only if you may see e-mail addresses.'),
})

export const ListedResource = Type.Object({
  id: Type.String(),
  type: Type.String(),
  title: Type.String(),
  path: Type.String(),
  description: Type.Optional(NullableString()),
  definition: Type.Optional(NullableString()),
  verified: Type.Boolean(),
  pii: Type.Boolean(),
  stale: Type.Optional(Type.Boolean({ description: 'No longer found in its source.' })),
  archived: Type.Optional(Type.Boolean()),
  usage: Type.Integer({ description: 'Queries of the last day before the last sync and views of the last 90 days.' }),
  tags: Type.Array(Type.String()),
  owners: Type.Array(Type.String(), { description: 'Names of its owners, or of those of its nearest parent that has any.' }),
  link: Type.String(),
  omitted: Omitted,
})

/** Listed resources with the names of their tags and owners. */
export const toListedResources = async (
  { ctx, baseUrl }: ToolCall,
  resources: readonly Resource[],
  { definitions = false } = {},
): Promise<Record<string, unknown>[]> => {
  const [tags, owners] = await Promise.all([
    findTagNames(ctx.db, [...new Set(resources.flatMap((each) => each.tags))]),
    findOwners(
      ctx,
      resources.map(({ id }) => id),
    ),
  ])
  return resources.map((each) =>
    omitLongTexts({
      id: each.id,
      type: each.entity_type,
      title: each.title,
      path: each.title_full,
      description: each.description,
      ...(definitions && { definition: each.definition }),
      verified: each.verified,
      pii: each.pii,
      ...(each.stale && { stale: true }),
      ...(each.archived && { archived: true }),
      usage: each.total_usage,
      tags: each.tags.flatMap((id) => tags.get(id) ?? []),
      owners: (owners.get(each.id) ?? []).map(({ name, id }) => name ?? id),
      link: linkToResource(baseUrl, each.id),
    }),
  )
}
