import { type RawBuilder, sql } from 'kysely'
import type { ResourceRow } from '../../catalog/records/record.ts'
import { findVisibleRows } from '../../catalog/records/visible-rows.ts'
import type { Context } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import type { Code, CodeBlock, CodeColumn } from './schema.ts'

const MAX_DERIVED = 10 // a table that many queries write to

/** The code that defines or fills a resource, with the expressions of each column where its lineage was derived from that code. */
export const getCode = async (ctx: Context, id: string): Promise<Code> => {
  const row = (await findVisibleRows(ctx, [id])).get(id)
  if (!row) throw notFound('resource', id)
  const own = findOwnCode(row)
  const queries = await findQueries(ctx, id)
  const used = new Set<string>()
  const blocks = own.map((block): CodeBlock => {
    // The stored code may lack the spaces at either end of the parsed one.
    const query = queries.find(({ text }) => text.includes(block.code))
    if (!query) return { ...block, columns: [] }
    used.add(query.text)
    const columns = shiftSpans(query.columns, query.text.indexOf(block.code), block.code.length)
    return { ...block, language: block.language === 'sql' ? query.dialect : block.language, columns }
  })
  const derived = queries
    .filter(({ text, whole }) => whole && !used.has(text))
    .slice(0, MAX_DERIVED)
    .map(({ text, dialect, columns }): CodeBlock => ({ kind: 'derived', language: dialect, code: text, columns }))
  return { blocks: [...blocks, ...derived] }
}

type OwnCode = Omit<CodeBlock, 'columns'>

/** What its sources reported, or the text of a query. Pure. */
export const findOwnCode = ({
  entity_type,
  definition,
  display_metadata,
}: Pick<ResourceRow, 'entity_type' | 'definition' | 'display_metadata'>): OwnCode[] => {
  const facts = toObject(display_metadata)
  const dbt = toObject(facts.dbt)
  const blocks: [CodeBlock['kind'], unknown, unknown][] = [
    ['query', entity_type === 'query' && !definition?.includes('```') ? definition : undefined, 'sql'],
    ['view', facts.definition, 'sql'],
    ['dbt', dbt.raw_code ?? dbt.code, 'sql'],
    ['dbt_compiled', dbt.raw_code === undefined ? undefined : dbt.code, 'sql'],
    ['job', facts.sql, facts.dialect ?? 'sql'],
    ['job', facts.code, facts.language ?? 'text'],
  ]
  return blocks.flatMap(([kind, code, language]) =>
    typeof code === 'string' && code.trim() !== '' ? [{ kind, language: typeof language === 'string' ? language : 'sql', code }] : [],
  )
}

const toObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** Flows reported by jobs are stored as queries without code. */
export const queriesWithCodeSql = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${alias}.dialect`)} not in ('openlineage', 'datahub', 'connector', 'dbt_job')`

interface FoundQuery {
  readonly text: string
  readonly dialect: string
  /** Whether the caller sees everything it reads and writes: its text names all of it. */
  readonly whole: boolean
  readonly columns: CodeColumn[]
}

/** The queries that the table's lineage was derived from, newest first. */
const findQueries = async (ctx: Context, id: string): Promise<FoundQuery[]> => {
  const columns = sql`select c.id from resources c where c.parent = ${id} and c.entity_type = 'column'`
  const { rows } = await sql<FoundQuery>`
    select q.sql as text, q.dialect, not exists (
        select from lineage_edges o join resources r on r.id in (o.upstream, o.downstream) where o.query = q.id and not ${visibleTo(ctx.actor)}
      ) as whole,
      coalesce((
        select json_agg(json_build_object('id', s.id, 'title', s.title, 'spans', s.spans) order by s.first, s.title) from (
          select d.id, d.title, min(e.span_start) as first, json_agg(json_build_object('start', e.span_start, 'end', e.span_end, 'from', u.id,
            'from_title', concat_ws('.', t.title, u.title)) order by e.span_start, u.title) as spans
          from (${columns}) c join lineage_edges e on e.downstream = c.id and e.query = q.id and e.kind not in ('table', 'filter')
          join resources d on d.id = e.downstream join resources u on u.id = e.upstream left join resources t on t.id = u.parent and ${visibleTo(ctx.actor, 't')}
          where ${visibleTo(ctx.actor, 'd')} and ${visibleTo(ctx.actor, 'u')} group by d.id
        ) s
      ), '[]'::json) as columns
    from lineage_queries q
    where q.id in (select e.query from lineage_edges e where e.downstream = ${id} and e.query is not null)
      and ${queriesWithCodeSql('q')}
    order by q.id desc limit ${2 * MAX_DERIVED}
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** Moves spans of a longer text to a part of it. Spans outside of the part are dropped. */
const shiftSpans = (columns: readonly CodeColumn[], by: number, length: number): CodeColumn[] =>
  columns.flatMap((column) => {
    const spans = column.spans
      .map((span) => ({ ...span, start: span.start - by, end: span.end - by }))
      .filter(({ start, end }) => start >= 0 && end <= length)
    return spans.length > 0 ? [{ ...column, spans }] : []
  })
