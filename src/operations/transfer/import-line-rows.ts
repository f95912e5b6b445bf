import { type RawBuilder, sql } from 'kysely'
import { CONTAINER_ENTITY_TYPES, PUBLISHING_ENTITY_TYPES } from '../../catalog/entity-types/entity-types.ts'
import type { Context } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import { copyIn } from '../../platform/db/copy-in.ts'
import { deleteInBatches } from '../../platform/db/in-batches.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import type { LineData, StagedLine } from './line.ts'

/** SQL of imports: the staged lines and the plan built from them. */

const STAGED_COLUMNS = {
  line: 'int',
  new_id: 'uuid',
  key: 'text',
  id: 'uuid',
  parent_key: 'text',
  parent_id: 'uuid',
  from_key: 'text',
  to_key: 'text',
  data: 'jsonb',
} as const

export const insertLines = (db: Db, import_id: string, lines: readonly StagedLine[]): Promise<void> =>
  copyIn(db, 'import_lines', STAGED_COLUMNS, lines, { import_id })

export const deleteImportLines = async (db: Db, import_id: string): Promise<void> => {
  await sql`delete from import_lines where import_id = ${import_id}`.execute(db)
}

const RETENTION_MS = 24 * 3_600_000

/** Deletes lines left behind by crashed processes. Import IDs start with their creation time. */
export const deleteOldImportLines = async ({ db, now }: Context): Promise<void> => {
  const hex = (now.getTime() - RETENTION_MS).toString(16).padStart(12, '0')
  await deleteInBatches(db, 'import_lines', sql`import_id < ${`${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`}::uuid`)
}

export const countLines = async (db: Db, import_id: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from import_lines where import_id = ${import_id}`.execute(db)
  return rows[0]!.n
}

/** An error found in a line. */
export interface LineProblem {
  readonly line: number
  readonly field: string
  readonly problem: string
}

/** Determines which lines match existing resources and which are new. */
export const planResources = async (ctx: Context, import_id: string, integration: string): Promise<void> => {
  const { db, actor } = ctx
  // The planner mainly needs the number of lines: a tenth of the default sample is enough.
  await execute(db, sql`set local default_statistics_target = 10`)
  // Otherwise hash tables of a hundred thousand lines, and the new rows that triggers read, are written to temporary files.
  await execute(
    db,
    sql`select set_config('work_mem', greatest(16384, s.setting::int)::text || 'kB', true) from pg_settings s where s.name = 'work_mem'`,
  )
  await execute(
    db,
    sql`
    create temp table import_known on commit drop as
    select l.line, coalesce(k.id, i.id, l.new_id) as id, coalesce(k.id, i.id) is not null as known, coalesce(k.hidden, false) as hidden,
      coalesce(k.publishes, i.publishes, false) as publishes,
      l.key, l.id as given_id, l.parent_key, l.parent_id, l.data -> 'fields' -> 'parent' is not null as placed
    from import_lines l
    left join lateral (
      select r.id, not ${visibleTo(actor)} as hidden, r.entity_type = any(${PUBLISHING_ENTITY_TYPES}::text[]) as publishes from resources r where r.integration = ${integration}::uuid and r.databuilder_id = l.key
    ) k on true
    left join lateral (
      select r.id, r.entity_type = any(${PUBLISHING_ENTITY_TYPES}::text[]) as publishes from resources r where r.id = l.id and r.integration = ${integration}::uuid and ${visibleTo(actor)}
    ) i on k.id is null
    where l.import_id = ${import_id} and l.from_key is null`,
  )
  await execute(db, sql`analyze import_known`)
}

/** Finds resources that occur twice in a file, and keys that belong to a resource the actor cannot see. */
export const findDuplicateLines = (db: Db): Promise<LineProblem[]> =>
  findProblems(
    db,
    sql`
    select line, 'databuilder_id' as field, 'This key is already used by a resource that you do not have access to.' as problem from import_known where hidden
    union all
    select line, field, 'is a duplicate of line ' || before || '.' from (
      select line, 'databuilder_id' as field, lag(line) over (partition by key order by line) as before from import_known where ${duplicatedSql('key')}
      union all
      select line, 'id', lag(line) over (partition by given_id order by line) from import_known where ${duplicatedSql('given_id')}
      union all
      select line, 'id', lag(line) over (partition by id order by line) from import_known where known and ${duplicatedSql('id')}
    ) twice where before is not null`,
  )

/** Uses hashing: sorting all lines by a nearly unique column took five times as long. */
const duplicatedSql = (column: string): RawBuilder<unknown> => {
  const name = sql.ref(column)
  return sql`${name} in (select ${name} from import_known where ${name} is not null group by ${name} having count(*) > 1)`
}

/** Determines the parent and level of each resource: parents come before their children, wherever they are in the file. */
export const planTree = async ({ db, actor }: Context, integration: string): Promise<void> => {
  await execute(
    db,
    sql`
    create temp table import_tree on commit drop as
    select p.line, p.id, p.known, p.publishes, p.placed, coalesce(fk.line, fi.line, fc.line) as parent_line, coalesce(fk.id, fi.id, e.id) as parent,
      (p.parent_key is not null or p.parent_id is not null) and coalesce(fk.id, fi.id, e.id) is null as orphan,
      case when p.parent_key is null then 'parent' else 'parent_databuilder_id' end as parent_field, p.key
    from import_known p
    left join import_known fk on fk.key = p.parent_key
    left join import_known fi on fi.given_id = p.parent_id
    left join resources c on c.id = p.id and p.known and not p.placed
    left join import_known fc on fc.id = c.parent
    left join lateral (
      select r.id from resources r where r.integration = ${integration}::uuid and r.databuilder_id = coalesce(p.parent_key, p.parent_id::text) and ${visibleTo(actor)}
      union all
      select r.id from resources r where r.id = p.parent_id and ${visibleTo(actor)}
      limit 1
    ) e on fk.line is null and fi.line is null`,
  )
  await execute(db, sql`create index on import_tree (parent_line)`)
  await execute(db, sql`analyze import_tree`)
  // Stored in the order in which it is read, so that the next thousand lines are adjacent.
  await execute(
    db,
    sql`
    create temp table import_plan on commit drop as
    with recursive levels as (
      select line, 0 as level from import_tree where parent_line is null
      union all
      select c.line, l.level + 1 from levels l join import_tree c on c.parent_line = l.line where l.level < ${MAX_DEPTH}
    )
    select t.line, t.id, t.known, t.publishes, t.placed, t.parent, t.orphan, t.parent_field, t.key, l.level
    from import_tree t left join levels l on l.line = t.line order by l.level, t.line`,
  )
  await execute(db, sql`create index on import_plan (level, line)`)
  await execute(db, sql`create index on import_plan (line)`)
  await execute(db, sql`analyze import_plan`)
}

const MAX_DEPTH = sql.lit(100)

export const findLinesWithoutParent = (db: Db): Promise<LineProblem[]> =>
  findProblems(
    db,
    sql`
    select line, parent_field as field, 'This resource exists neither in the file nor in the catalog.' as problem from import_plan where orphan
    union all
    select line, parent_field, 'The parents of this line form a cycle or have more than 100 levels.' from import_plan where level is null`,
  )

export interface PlannedLine {
  readonly line: number
  readonly id: string
  /** It is in the catalog already. */
  readonly known: boolean
  /** An existing resource whose children are published with it, so it must be edited before them. */
  readonly publishes: boolean
  /** The file specifies its parent. */
  readonly placed: boolean
  readonly parent: string | null
  readonly level: number
  readonly key: string
  readonly data: LineData
}

/** Positions before the first and after the last line of every plan. */
export const PLAN_START = { level: -1, line: 0 }
export const PLAN_END = { level: 1_000_000, line: 0 }

const LINE_FILTERS = {
  all: sql``,
  new: sql`and not known`,
  known: sql`and known`,
  publishing: sql`and known and publishes`,
  others: sql`and known and not publishes`,
}

/** The next lines of the plan after this one or, backwards, before it. */
export const readNextLines = async (
  db: Db,
  import_id: string,
  after: { level: number; line: number },
  only: keyof typeof LINE_FILTERS,
  limit: number,
  backwards = false,
): Promise<PlannedLine[]> => {
  const order = backwards ? sql`desc` : sql`asc`
  const { rows } = await sql<PlannedLine>`
    select p.line, p.id, p.known, p.publishes, p.placed, p.parent, p.level, p.key, l.data from (
      select * from import_plan
      where (level, line) ${backwards ? sql`<` : sql`>`} (${after.level}::int, ${after.line}::int) ${LINE_FILTERS[only]}
      order by level ${order}, line ${order} limit ${sql.lit(limit)}
    ) p cross join lateral (
      -- "offset 0" forces a lookup by key: statistics of the staging table are often outdated.
      select l.data from import_lines l where l.import_id = ${import_id} and l.line = p.line offset 0
    ) l
    order by p.level ${order}, p.line ${order}
  `.execute(db)
  return rows
}

export const deletePlannedLines = async (db: Db, lines: readonly number[]): Promise<void> => {
  if (lines.length > 0) await sql`delete from import_plan where line = any(${lines}::int[])`.execute(db)
}

export const countNew = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from import_plan where not known`.execute(db)
  return rows[0]!.n
}

/** Existing containers that are published only because something in them is (`publishContainers`), not by a line of their own. */
export const countPublishedContainers = async ({ db, actor }: Context, import_id: string): Promise<number> => {
  // Reading every line again takes a tenth of the time of a dry run, and mostly every container is published.
  const { rows: unpublished } = await sql`
    select from resources r where r.entity_type = any(${CONTAINER_ENTITY_TYPES}::text[]) and not r.published limit 1
  `.execute(db)
  if (unpublished.length === 0) return 0
  const { rows } = await sql<{ n: number }>`
    with recursive lines as materialized (
      select p.id, p.known, p.placed, p.parent, (l.data -> 'fields' ->> 'published') = 'true' as published, l.data -> 'fields' -> 'teams' as teams
      from import_plan p join import_lines l on l.import_id = ${import_id} and l.line = p.line
    ), shown as (
      select distinct case when l.known and not l.placed then r.parent else l.parent end as parent,
        array(select t.id from teams t where t.closed and case when l.teams is null then t.id = any(r.teams) else l.teams ? t.id::text end) as closed
      from lines l left join resources r on l.known and r.id = l.id
      where l.published and (not l.known or not r.published or (l.placed and l.parent is distinct from r.parent))
    ), above as (
      select null::uuid as id, s.parent, s.closed from shown s
      union
      select r.id, coalesce(r.parent, f.parent), a.closed from above a
      left join resources r on r.id = a.parent and not r.published and r.entity_type = any(${CONTAINER_ENTITY_TYPES}::text[]) and ${visibleTo(actor)}
        and (a.closed = '{}' or r.teams && a.closed)
      left join lines f on f.id = a.parent and not f.known
      where r.id is not null or f.id is not null
    )
    select count(distinct a.id) as n from above a where not exists (select from lines l where l.id = a.id and l.published)
  `.execute(db)
  return rows[0]!.n
}

/** Resolves the ends of lineage lines: by key in the file, by ID in the file, by key in the integration, by ID anywhere. */
export const planEdges = async ({ db, actor }: Context, import_id: string, integration: string): Promise<void> => {
  const end = (name: RawBuilder<unknown>, id: RawBuilder<unknown>) => sql`(
    select id from (
      select 1 as n, k.id from import_known k where k.key = ${name}
      union all select 2, k.id from import_known k where k.given_id = ${id}
      union all select 3, r.id from resources r where r.integration = ${integration}::uuid and r.databuilder_id = ${name} and ${visibleTo(actor)}
      union all select 4, r.id from resources r where r.id = ${id} and ${visibleTo(actor)}
    ) found order by n limit 1)`
  const { rows: edges } = await sql`select from import_lines where import_id = ${import_id} and from_key is not null limit 1`.execute(db)
  if (edges.length > 0) {
    await execute(db, sql`create index on import_known (key)`)
    await execute(db, sql`create index on import_known (given_id)`)
  }
  await execute(
    db,
    sql`
    create temp table import_edges on commit drop as
    select l.line, ${end(sql`l.from_key`, sql`l.id`)} as from_id, ${end(sql`l.to_key`, sql`l.parent_id`)} as to_id
    from import_lines l where l.import_id = ${import_id} and l.from_key is not null`,
  )
  await execute(db, sql`create index on import_edges (line)`)
}

export const findUnresolvedEdges = (db: Db): Promise<LineProblem[]> =>
  findProblems(
    db,
    sql`
    select line, 'from_identifier' as field, 'This resource exists neither in the file nor in the catalog.' as problem from import_edges where from_id is null
    union all
    select line, 'to_identifier', 'This resource exists neither in the file nor in the catalog.' from import_edges where to_id is null
    union all
    select line, 'to_identifier', 'A lineage edge must connect two different resources.' from import_edges where from_id = to_id`,
  )

export interface PlannedEdge {
  readonly line: number
  readonly from_id: string
  readonly to_id: string
}

export const readNextEdges = async (db: Db, after: number, limit: number): Promise<PlannedEdge[]> => {
  const { rows } = await sql<PlannedEdge>`
    select line, from_id, to_id from import_edges where line > ${after}::int order by line limit ${sql.lit(limit)}
  `.execute(db)
  return rows
}

export const MAX_ERRORS = 100

const findProblems = async (db: Db, found: RawBuilder<unknown>): Promise<LineProblem[]> => {
  const { rows } =
    await sql<LineProblem>`select line, field, problem from (${found}) p order by line, field limit ${sql.lit(MAX_ERRORS + 1)}`.execute(db)
  return rows
}

const execute = async (db: Db, statement: RawBuilder<unknown>): Promise<void> => {
  await statement.execute(db)
}
