import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { isObject } from '../../platform/core/json-value.ts'
import { diffFields } from '../../platform/history/diff.ts'
import { recordActivity } from '../../platform/history/record.ts'
import { requirePermission, visibleTo } from '../../platform/permissions/permissions.ts'
import { DEFAULT_WEIGHTS, type RankingWeights } from '../search-index/ranking.ts'
import type { RankingSettings, RulesEdit, WeightsEdit } from './ranking-schema.ts'

/** What admins adjust: weights for every search, and resources that are pinned or hidden for a query. */
export interface Ranking {
  readonly weights: RankingWeights
  readonly pinned: readonly string[]
  readonly hidden: readonly string[]
}

export const DEFAULT_RANKING: Ranking = { weights: DEFAULT_WEIGHTS, pinned: [], hidden: [] }

/** Queries that differ only in case and spaces are the same. */
const normalizeQuery = (q: string): string => q.toWellFormed().replaceAll('\0', '').trim().replaceAll(/\s+/g, ' ').toLowerCase()

interface RankingRow {
  readonly weights: Partial<RankingWeights> | null
  readonly pinned: readonly string[]
  readonly hidden: readonly string[]
}

export const loadRanking = async (ctx: Context, q: string): Promise<Ranking> => {
  const { rows } = await sql<RankingRow>`
    select w.search_weights as weights,
      array(select s.resource_id::text from search_rules s where s.query = ${normalizeQuery(q)} and s.action = 'pin' order by s.position) as pinned,
      array(select s.resource_id::text from search_rules s where s.query = ${normalizeQuery(q)} and s.action = 'hide') as hidden
    from workspaces w
  `.execute(ctx.db, ctx.limits)
  const { weights, pinned, hidden } = rows[0]!
  return { weights: { ...DEFAULT_WEIGHTS, ...weights }, pinned, hidden }
}

export const getRankingSettings = async (ctx: Context): Promise<RankingSettings> => {
  const { weights } = await loadRanking(ctx, '')
  const { rows } = await sql<RankingSettings['rules'][number]>`
    select s.query, s.action, s.resource_id as resource, r.title, r.title_full, r.entity_type
    from search_rules s left join resources r on r.id = s.resource_id and ${visibleTo(ctx.actor)}
    order by s.query, s.action desc, s.position, s.resource_id
  `.execute(ctx.db, ctx.limits)
  return { weights, defaults: DEFAULT_WEIGHTS, rules: [...rows] }
}

/** Only weights that differ from the defaults are stored, so that better defaults of a later version take effect. */
export const setWeights = (ctx: Context, edit: WeightsEdit): Promise<RankingSettings> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'search.manage')
    await sql`select from workspaces for no key update`.execute(ctx.db)
    const { weights: before } = await loadRanking(ctx, '')
    const after = { ...DEFAULT_WEIGHTS, ...edit }
    const changes = diffFields(before, after, Object.keys(DEFAULT_WEIGHTS))
    if (changes.length > 0) {
      const own = Object.fromEntries(
        Object.entries(after).filter(([name, value]) => value !== DEFAULT_WEIGHTS[name as keyof RankingWeights]),
      )
      await sql`update workspaces set search_weights = ${JSON.stringify(own)}::text::jsonb`.execute(ctx.db)
      await recordActivity(ctx, { activity_type: 'search_ranking_updated', resource_type: 'search', changes })
    }
    return getRankingSettings(ctx)
  })

/** Replaces what is pinned and hidden for a query. */
export const setRules = (ctx: Context, { query, pinned, hidden }: RulesEdit): Promise<RankingSettings> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'search.manage')
    const key = normalizeQuery(query)
    if (key === '') throw invalid({ query: ['must contain a word.'] })
    await sql`select from workspaces for no key update`.execute(ctx.db) // two edits of one query must not mix
    const before = await loadRanking(ctx, key)
    const after = toRules(pinned, hidden)
    await requireResources(
      ctx,
      [...after.pinned, ...after.hidden].filter((id) => !before.pinned.includes(id) && !before.hidden.includes(id)),
    )
    await sql`delete from search_rules where query = ${key}`.execute(ctx.db)
    const rows = [
      ...after.pinned.map((resource_id, position) => ({ query: key, resource_id, action: 'pin', position })),
      ...after.hidden.map((resource_id, position) => ({ query: key, resource_id, action: 'hide', position })),
    ]
    if (rows.length > 0) await ctx.db.insertInto('search_rules').values(rows).execute()
    const changes = diffFields(before, after, ['pinned', 'hidden'])
    if (changes.length > 0)
      await recordActivity(ctx, { activity_type: 'search_rules_updated', resource_type: 'search', resource_title: key, changes })
    return getRankingSettings(ctx)
  })

const toRules = (pinned: readonly string[], hidden: readonly string[]) => {
  const [pins, hides] = [pinned, hidden].map((ids) => [...new Set(ids.map((id) => parseId(id)!))]) as [string[], string[]]
  if (pins.some((id) => hides.includes(id))) throw invalid({ hidden: ['must not contain a pinned resource.'] })
  return { pinned: pins, hidden: hides }
}

const requireResources = async (ctx: Context, ids: readonly string[]): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    select r.id from resources r where r.id = any(${ids}::uuid[]) and ${visibleTo(ctx.actor)}`.execute(ctx.db)
  const missing = ids.find((id) => !rows.some((row) => row.id === id))
  if (missing) throw invalid({ pinned: [`resource ${missing} does not exist.`] })
}

/** A ranking that an admin tries out: `{"weights": {"usage": 2}, "pinned": […], "hidden": […]}`. What is absent is as it is now. */
export const parseTrialRanking = async (ctx: Context, q: string | undefined, text: string): Promise<Ranking> => {
  requirePermission(ctx.actor, 'search.manage')
  const current = q === undefined ? DEFAULT_RANKING : await loadRanking(ctx, q)
  const { weights = {}, pinned = current.pinned, hidden = current.hidden } = parseJson(text)
  const isValid =
    isObject(weights) &&
    Object.entries(weights).every(
      ([name, value]) => Object.hasOwn(DEFAULT_WEIGHTS, name) && typeof value === 'number' && Number.isFinite(value),
    ) &&
    [pinned, hidden].every((ids) => Array.isArray(ids) && ids.every((id) => typeof id === 'string' && parseId(id)))
  if (!isValid)
    throw invalid({ ranking: [`must be JSON with weights (${Object.keys(DEFAULT_WEIGHTS).join(', ')}) and lists of resource IDs.`] })
  return { weights: { ...current.weights, ...weights }, ...toRules(pinned as string[], hidden as string[]) }
}

const parseJson = (text: string): Record<string, unknown> => {
  try {
    const json: unknown = JSON.parse(text)
    if (isObject(json)) return json
  } catch {}
  throw invalid({ ranking: ['must be a JSON object.'] })
}
