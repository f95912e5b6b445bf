import { sql } from 'kysely'
import { getResource } from '../../catalog/listing/read.ts'
import type { Context } from '../../platform/context/context.ts'
import type { Order } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { mapPage, type Page, readPage } from '../../platform/lists/read-page.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import type { JobRun, RunDataset } from './schema.ts'

interface RunRow {
  readonly id: string
  readonly title: string
  readonly facts: Readonly<Record<string, unknown>> | null
  readonly inputs: readonly string[] | null
  readonly outputs: readonly string[] | null
}

/** The runs of a job, newest first, with what each of them read and wrote; of a run, itself. */
export const listRuns = async (ctx: Context, job_id: string, page: PageRequest): Promise<Page<JobRun>> => {
  const { id, entity_type } = await getResource(ctx, job_id)
  const found = await readPage<RunRow>(ctx, page, {
    select: sql`r.id, r.title, r.display_metadata as facts, f.flows -> 'inputs' as inputs, f.flows -> 'outputs' as outputs`,
    from: sql`resources r left join openlineage_flows f on f.resource_id = r.id`,
    countFrom: sql`resources r`,
    where: sql`${entity_type === 'run' ? sql`r.id` : sql`r.parent`} = ${id} and r.entity_type = 'run' and ${visibleTo(ctx.actor)}`,
    order: ORDER,
  })
  const datasets = await findDatasets(ctx, [
    ...new Set(found.results.flatMap(({ inputs, outputs }) => [...(inputs ?? []), ...(outputs ?? [])])),
  ])
  return mapPage(found, (row) => toRun(row, datasets))
}

const ORDER: Order = [
  { name: 'external_updated_at', type: 'timestamp', value: sql`r.external_updated_at`, descending: true, nullable: true },
  { name: 'r.id', type: 'id', value: sql`r.id`, descending: true },
]

const findDatasets = async (ctx: Context, ids: readonly string[]): Promise<ReadonlyMap<string, RunDataset>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<RunDataset>`
    select r.id, r.title, r.title_full, r.entity_type from resources r where r.id = any(${ids}::uuid[]) and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map((row) => [row.id, row]))
}

const STATES = ['RUNNING', 'COMPLETED', 'FAILED', 'ABORTED'] as const

const toRun = ({ id, title, facts, inputs, outputs }: RunRow, datasets: ReadonlyMap<string, RunDataset>): JobRun => {
  const { state, started_at, ended_at, rows_written, bytes_written, error } = facts ?? {}
  const [start, end] = [toTime(started_at), toTime(ended_at)]
  return {
    id,
    title,
    state: STATES.find((each) => each === state) ?? null,
    started_at: start,
    ended_at: end,
    duration_seconds: start && end ? Math.max(0, (Date.parse(end) - Date.parse(start)) / 1000) : null,
    rows_written: toInteger(rows_written),
    bytes_written: toInteger(bytes_written),
    error: typeof error === 'string' ? error : null,
    inputs: (inputs ?? []).flatMap((each) => datasets.get(each) ?? []),
    outputs: (outputs ?? []).flatMap((each) => datasets.get(each) ?? []),
  }
}

/** Facts can be edited over the API, so nothing about them is certain. */
const toTime = (value: unknown): string | null => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
const toInteger = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)
