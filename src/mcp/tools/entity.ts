import { Type } from 'typebox'
import { findBriefs } from '../../catalog/listing/brief.ts'
import type { Resource } from '../../catalog/records/schema.ts'
import { findTagNames } from '../../catalog/tags/tags.ts'
import { findOwners } from '../../lineage/graph/owners.ts'
import { getHealth } from '../../observability/health/health.ts'
import { NullableString } from '../../platform/core/schema-types.ts'
import { getProvenance } from '../../sources/sync/provenance.ts'
import { countTokens, getItemBudget, omitLongTexts, PAGING, readItems, toListAddress } from './answer.ts'
import { Omitted, Person } from './records.ts'
import { readCatalog } from './search.ts'
import { findTargetId, getTarget, linkToResource, Target } from './target.ts'
import { defineTool, READS_CATALOG, type ToolCall } from './tool.ts'

const Entity = Type.Object({
  id: Type.String(),
  type: Type.String(),
  title: Type.String(),
  path: Type.String(),
  native_type: NullableString(),
  description: Type.Optional(NullableString()),
  definition: Type.Optional(NullableString('The documentation as Markdown or, for a query, its SQL.')),
  verified: Type.Boolean(),
  pii: Type.Boolean(),
  stale: Type.Boolean(),
  archived: Type.Boolean(),
  published: Type.Boolean(),
  parent: NullableString(),
  about: Type.Optional(NullableString('The resource a document or question refers to.')),
  url: NullableString('Its address in the source.'),
  row_count: Type.Optional(Type.Unknown()),
  usage: Type.Integer(),
  updated_at: Type.String(),
  tags: Type.Array(Type.String()),
  terms: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), description: NullableString() }), {
    description: 'Its glossary terms with what they mean.',
  }),
  owners: Type.Array(Person, { description: 'Its owners, or those of its nearest parent that has any.' }),
  provenance: Type.Array(Type.Object({ field: Type.String(), by: Type.String(), source: Type.String() }), {
    description: 'Fields that a source reports, and whether the value shown is from the source or was edited by a person.',
  }),
  health: Type.Object(
    { status: Type.String(), reasons: Type.Array(Type.String()) },
    { description: '`ok`, `warning`, `incident` or `unknown` (nothing checks it), and why: incidents, failed tests, deprecation, …' },
  ),
  omitted: Omitted,
})

export const getEntityTool = defineTool({
  name: 'get_entity',
  title: 'Get a resource with its columns',
  description:
    'Everything the catalog knows about one resource: description, documentation, owners, tags, glossary terms, where each field comes from, its health, and as items what is directly below it: the columns of a table, the charts of a dashboard, the tables of a schema. Use it before you write SQL or explain a table.',
  permission: 'catalog.read',
  annotations: READS_CATALOG,
  input: { id: Target(), ...PAGING },
  item: Type.Object({
    id: Type.String(),
    type: Type.String(),
    title: Type.String(),
    data_type: Type.Optional(NullableString()),
    primary_key: Type.Optional(Type.Boolean()),
    pii: Type.Optional(Type.Boolean({ description: 'Contains personal data.' })),
    description: Type.Optional(NullableString()),
    omitted: Omitted,
  }),
  fields: { entity: Entity },
  run: async (call, args) => {
    const resource = await getTarget(call.ctx, args.id)
    const entity = await describeEntity(call, resource, getItemBudget(args))
    const found = await readItems<Resource>(args, {
      list: toListAddress('get_entity', args),
      limit: 200,
      budget: getItemBudget(args, entity),
      read: (page) => readCatalog(call, { parent_id: resource.id, ...(resource.entity_type === 'table' && { sort: COLUMN_ORDER }) }, page),
      toItems: (rows) => rows.map(toChild),
    })
    return { ...found, total_exact: true, link: linkToResource(call.baseUrl, resource.id), entity }
  },
})

const MAX_TERMS = 20
const COLUMN_ORDER = '{"field":"sort_order","order":"asc"}'

/** If it does not fit, long texts are left out and named. */
const describeEntity = async (call: ToolCall, resource: Resource, budget: number): Promise<Record<string, unknown>> => {
  const { ctx } = call
  const { id, entity_type } = resource
  const [owners, tags, terms, provenance, health] = await Promise.all([
    findOwners(ctx, [id]),
    findTagNames(ctx.db, resource.tags),
    findBriefs(ctx, resource.terms.slice(0, MAX_TERMS)),
    getProvenance(ctx, id),
    getHealth(ctx, id),
  ])
  const entity = {
    id,
    type: entity_type,
    title: resource.title,
    path: resource.title_full,
    native_type: resource.native_type,
    description: resource.description,
    definition: resource.definition,
    verified: resource.verified,
    pii: resource.pii,
    stale: resource.stale,
    archived: resource.archived,
    published: resource.published,
    parent: resource.parent,
    ...(resource.base_entity_id && { about: resource.base_entity_id }),
    url: resource.url,
    ...(resource.row_count !== null && { row_count: resource.row_count }),
    usage: resource.total_usage,
    updated_at: resource.updated_at,
    tags: resource.tags.flatMap((tag) => tags.get(tag) ?? []),
    terms: terms.map(({ id, title, description }) => ({ id, title, description })),
    owners: owners.get(id) ?? [],
    provenance: provenance.map(({ field, by, source }) => ({ field, by, source })),
    health: { status: health.status, reasons: health.reasons.map(({ text }) => text) },
  }
  return countTokens(entity) <= budget ? entity : omitLongTexts(entity)
}

const toChild = (each: Resource & { readonly type?: string | null; readonly is_pk?: boolean }) =>
  omitLongTexts({
    id: each.id,
    type: each.entity_type,
    title: each.title,
    ...(each.entity_type === 'column' && { data_type: each.type ?? each.native_type }),
    ...(each.is_pk && { primary_key: true }),
    ...(each.pii && { pii: true }),
    ...(each.description && { description: each.description }),
  })

export const getOwnersTool = defineTool({
  name: 'get_owners',
  title: 'Who owns these resources',
  description:
    'Who is responsible for up to 50 resources: their owners, or the owners of the nearest parent that has any. An empty list means that nobody is.',
  permission: 'catalog.read',
  annotations: READS_CATALOG,
  input: { ids: Type.Array(Target(), { minItems: 1, maxItems: 50 }) },
  item: Type.Object({ id: Type.String(), path: Type.String(), owners: Type.Array(Person), link: Type.String() }),
  run: async (call, { ids }) => {
    const { ctx, baseUrl } = call
    const found: Resource[] = []
    for (const id of new Set(await Promise.all(ids.map((each) => findTargetId(ctx, each, 'ids'))))) found.push(await getTarget(ctx, id))
    const owners = await findOwners(
      ctx,
      found.map(({ id }) => id),
    )
    const items = found.map(({ id, title_full }) => ({
      id,
      path: title_full,
      owners: owners.get(id) ?? [],
      link: linkToResource(baseUrl, id),
    }))
    return { items, total: items.length, total_exact: true, cursor: null, link: baseUrl }
  },
})
