import { Type } from 'typebox'
import { previewTable } from '../../observability/profiles/preview.ts'
import { getProfile } from '../../observability/profiles/read.ts'
import { NullableString } from '../../platform/core/schema-types.ts'
import { listExampleQueries } from '../../sources/example-queries/list.ts'
import type { ExampleQuery } from '../../sources/example-queries/schema.ts'
import { countTokens, countWithin, getItemBudget, omitLongTexts, PAGING, readItems, takeItems, toListAddress } from './answer.ts'
import { Omitted } from './records.ts'
import { findTargetId, linkToResource, Target } from './target.ts'
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
    const preview = await previewTable(ctx, id)
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
    'Saved and executed queries that read the table, the most useful first: verified and saved ones, then by how many people run them and how often, with their author and last run. Read them to learn how people join and filter the table before you write your own SQL.',
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
    author: NullableString('Who added it. Null if a source reported it.'),
    executions: Type.Integer(),
    last_run_at: NullableString(),
    people: Type.Array(Type.String(), { description: 'Who ran it, as named by the source.' }),
    verified: Type.Boolean(),
    link: Type.String(),
    omitted: Omitted,
  }),
  run: async (call, args) => {
    const id = await findTargetId(call.ctx, args.id)
    const found = await readItems<ExampleQuery>(args, {
      list: toListAddress('list_queries', { ...args, id }),
      limit: args.limit ?? 10,
      budget: getItemBudget(args),
      read: (page) => listExampleQueries(call.ctx, id, page),
      toItems: (rows) =>
        rows.map(({ id, title, sql, description, author_name, executions, last_run_at, people, verified }) =>
          omitLongTexts(
            {
              id,
              title,
              sql,
              ...(description && { description }),
              author: author_name,
              executions,
              last_run_at,
              people,
              verified,
              link: linkToResource(call.baseUrl, id),
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
