import { Type } from 'typebox'
import type { Resource } from '../../catalog/records/schema.ts'
import { previewTable } from '../../observability/profiles/preview.ts'
import { getProfile } from '../../observability/profiles/read.ts'
import { NullableString } from '../../platform/core/schema-types.ts'
import { countTokens, countWithin, getItemBudget, omitLongTexts, PAGING, readItems, takeItems, toListAddress } from './answer.ts'
import { Omitted } from './records.ts'
import { readCatalog } from './search.ts'
import { findTargetId, getTarget, linkToResource, Target } from './target.ts'
import { defineTool, READS_CATALOG, READS_SOURCE } from './tool.ts'

export const previewTableTool = defineTool({
  name: 'preview_table',
  title: 'Preview rows of a table',
  description:
    'The first rows of a table, at most 50, read live from its source and in no particular order. Columns marked as personal data are masked (•••), whoever calls this tool. Not available if previews are turned off for the source.',
  permission: 'catalog.read',
  annotations: READS_SOURCE,
  input: { id: Target('the table'), ...PAGING },
  item: Type.Array(Type.Unknown(), { description: 'The cells of a row, in the order of `columns`.' }),
  fields: {
    columns_total: Type.Integer({ description: 'Number of columns of the table; `columns` has those that fit.' }),
    columns: Type.Array(Type.Object({ name: Type.String(), type: NullableString(), masked: Type.Boolean() })),
  },
  run: async ({ ctx, baseUrl }, args) => {
    const id = await findTargetId(ctx, args.id)
    const preview = await previewTable(ctx, id, false)
    const all = preview.columns.map(({ name, native_type, masked }) => ({ name, type: native_type, masked }))
    // A row of a very wide table would not fit: as many columns are shown as do.
    const cost = all.map((column, i) => countTokens(column) + Math.max(0, ...preview.rows.map((row) => countTokens(row[i]))))
    const columns = all.slice(0, countWithin(cost, getItemBudget(args) / 2))
    const rows = preview.rows.map((row) => row.slice(0, columns.length))
    const found = takeItems(rows, args, getItemBudget(args, columns))
    return { ...found, total_exact: !preview.truncated, link: linkToResource(baseUrl, id), columns_total: all.length, columns }
  },
})

export const getProfileTool = defineTool({
  name: 'get_profile',
  title: 'Get column statistics',
  description:
    'Stored statistics of a table or column: nulls, distinct values, range, most frequent values. Values of columns with personal data are withheld. Empty if the table has not been profiled.',
  permission: 'catalog.read',
  annotations: READS_CATALOG,
  input: { id: Target('the table or column'), ...PAGING },
  item: Type.Object({ resource_id: Type.String(), name: Type.String() }),
  run: async ({ ctx, baseUrl }, args) => {
    const id = await findTargetId(ctx, args.id)
    const { columns } = await getProfile(ctx, id)
    const all = columns.map(({ job: _job, histogram: _histogram, ...column }) => column)
    return { ...takeItems(all, args, getItemBudget(args)), total_exact: true, link: linkToResource(baseUrl, id) }
  },
})

export const listQueriesTool = defineTool({
  name: 'list_queries',
  title: 'Queries that use a table',
  description:
    'Saved and executed queries whose SQL mentions the table, the most used first, with who runs them. Read them to learn how people join and filter the table before you write your own SQL.',
  permission: 'catalog.read',
  annotations: READS_CATALOG,
  input: {
    id: Target('the table'),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10 })),
    ...PAGING,
  },
  item: Type.Object({
    id: Type.String(),
    title: Type.String(),
    sql: Type.Optional(NullableString()),
    description: Type.Optional(NullableString()),
    executions: Type.Integer(),
    people: Type.Array(Type.String(), { description: 'Who ran it, as named by the source.' }),
    verified: Type.Boolean(),
    link: Type.String(),
    omitted: Omitted,
  }),
  run: async (call, args) => {
    const { title, search_metadata, id } = await getTarget(call.ctx, args.id)
    const value = search_metadata.schema ? `${search_metadata.schema}.${title}` : title
    const found = await readItems<Resource & { readonly freq?: number }>(args, {
      list: toListAddress('list_queries', args),
      limit: args.limit ?? 10,
      budget: getItemBudget(args),
      read: (page) =>
        readCatalog(call, { entity_type: 'query', filter: JSON.stringify({ operator: 'contains', field: 'definition', value }) }, page),
      toItems: (rows) =>
        rows.map((each) =>
          omitLongTexts(
            {
              id: each.id,
              title: each.title,
              sql: each.definition,
              ...(each.description && { description: each.description }),
              executions: each.freq ?? each.external_usage,
              people: each.external_users,
              verified: each.verified,
              link: linkToResource(call.baseUrl, each.id),
            },
            MAX_SQL_LENGTH,
          ),
        ),
    })
    return { ...found, total_exact: true, link: linkToResource(call.baseUrl, id) }
  },
})

/** Most queries are shorter; the SQL is what the caller asked for. */
const MAX_SQL_LENGTH = 6_000
