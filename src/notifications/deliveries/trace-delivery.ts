import { type Span, trace } from '@opentelemetry/api'
import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { inSpan, readTraceparent } from '../../platform/tracing/spans.ts'

export interface TracedDelivery {
  readonly id: string
  readonly channel: string
  readonly attempts: number
  /** What it is about. */
  readonly activities: readonly string[]
}

const MAX_LINKS = 32

/**
 * An attempt of a delivery continues the trace of the first activity it is about, and links to those of the others. A test continues the request
 * that sends it.
 */
export const inDeliverySpan = async <T>(
  ctx: Context,
  { id, channel, attempts, activities }: TracedDelivery,
  work: (span?: Span) => Promise<T>,
): Promise<T> => {
  if (!ctx.runtime.tracing) return work()
  const [first, ...others] = await findTraceparents(ctx, activities)
  const attributes = { 'tablinum.delivery.id': id, 'tablinum.delivery.channel': channel, 'tablinum.delivery.attempt': attempts }
  const links = others.flatMap((each) => {
    const span = trace.getSpanContext(readTraceparent(each))
    return span ? [{ context: span }] : []
  })
  return inSpan(`deliver ${channel}`, { attributes, links, ...(first && { parent: readTraceparent(first) }) }, work)
}

/** In the order of the activities. */
const findTraceparents = async (ctx: Context, activities: readonly string[]): Promise<string[]> => {
  if (activities.length === 0) return []
  const { rows } = await sql<{ traceparent: string }>`
    select a.traceparent from unnest(${activities}::uuid[]) with ordinality as x(id, n) join activities a on a.id = x.id
    where a.traceparent is not null group by a.traceparent order by min(x.n) limit ${sql.lit(MAX_LINKS)}
  `.execute(ctx.db)
  return rows.map(({ traceparent }) => traceparent)
}
