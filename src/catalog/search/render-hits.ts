import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { findPageHealth, getRecordId, type HealthState } from '../listing/health.ts'
import { renderRecords } from '../listing/read.ts'
import { storedSeveritySql } from '../records/health.ts'
import { childrenCountSql } from '../records/resource-rows.ts'
import type { RankedHit } from '../search-index/find-ranked.ts'
import type { SearchTerm } from '../search-index/search-term.ts'
import { INDEXED_LENGTH, matchedField, toMatchReason } from './reason.ts'

/** These hits as JSON text, in order, with their health and the reason why they match. */
export const renderHits = async (
  ctx: Context,
  hits: readonly RankedHit[],
  term: SearchTerm | undefined,
  explain: boolean,
): Promise<string[]> => {
  const byId = new Map(hits.map((hit) => [hit.id, hit]))
  const rows = await loadShownRows(ctx, hits)
  const shown = new Map(rows.map((row) => [row.id, row]))
  const health = await findPageHealth(ctx, rows)
  const records = await renderRecords(
    ctx,
    hits.flatMap(({ id }) => shown.get(id) ?? []),
  )
  return records.map((record) => {
    const id = getRecordId(record)
    const [hit, { text }] = [byId.get(id)!, shown.get(id)!]
    const more = explain ? `,"score":${JSON.stringify(toScore(hit))}` : ''
    return `${record.slice(0, -1)},"health":"${health.get(id) ?? 'unknown'}","reason":${JSON.stringify(toMatchReason(hit, text ?? '', term))}${more}}`
  })
}

const toScore = ({ score, parts, matches }: RankedHit) => ({ total: score ?? null, parts: parts ?? [], words: matches ?? [] })

/** `text` is the field that matched. */
type ShownRow = HealthState & { readonly text: string | null }

const loadShownRows = async ({ db, actor, limits }: Context, hits: readonly RankedHit[]): Promise<readonly ShownRow[]> => {
  if (hits.length === 0) return []
  const { rows } = await sql<ShownRow>`
    select r.id, r.xmin::text as row_version, ${childrenCountSql(actor, 'r')}::text as children_count, ${storedSeveritySql(actor, 'r')} as severity,
      left(case h.field when 'definition' then r.definition when 'description' then r.description else r.title end, ${sql.lit(INDEXED_LENGTH)}) as text
    from unnest(${hits.map(({ id }) => id)}::uuid[], ${hits.map(({ tier }) => matchedField(tier))}::text[]) h (id, field) join resources r on r.id = h.id
  `.execute(db, limits)
  return rows
}
