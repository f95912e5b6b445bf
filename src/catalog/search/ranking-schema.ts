import { type Static, Type } from 'typebox'
import { Id, IdInput, Nullable, OneOf } from '../../platform/core/schema-types.ts'
import { DEFAULT_WEIGHTS, type RankingWeights } from '../search-index/ranking.ts'

const DESCRIPTIONS: Readonly<Record<keyof RankingWeights, string>> = {
  text: 'How well the words match, by where they match.',
  title: 'How much of the title the words cover.',
  usage: 'Queries in the source.',
  views: 'Views of its page.',
  meaning: 'How close the meaning is to the query, if an embeddings service is set.',
  verified: 'Verified resources.',
  described: 'Resources with a description.',
  own: 'Resources of the caller and their teams.',
  stale: 'Resources that are no longer in their source.',
  deprecated: 'Deprecated resources.',
  part: 'Columns and event properties.',
  layer: 'Raw, staging, temporary, test, archived or copied data, judged by its path.',
}
const weight = (name: keyof RankingWeights) => Type.Number({ minimum: -100, maximum: 100, description: DESCRIPTIONS[name] })
const mapWeights = <T>(map: (name: keyof RankingWeights) => T) =>
  Object.fromEntries((Object.keys(DEFAULT_WEIGHTS) as (keyof RankingWeights)[]).map((name) => [name, map(name)])) as Record<
    keyof RankingWeights,
    T
  >

const Weights = Type.Object(mapWeights(weight), { title: 'SearchWeights' })
export const WeightsEdit = Type.Object(
  mapWeights((name) => Type.Optional(weight(name))),
  { title: 'SearchWeightsEdit', additionalProperties: false, examples: [{ usage: 2, verified: 1 }] },
)
export type WeightsEdit = Static<typeof WeightsEdit>

const MAX_RULES = 20
export const RulesEdit = Type.Object(
  {
    query: Type.String({ minLength: 1, maxLength: 500, description: 'The whole query. Case and spaces do not matter.' }),
    pinned: Type.Array(IdInput, { maxItems: MAX_RULES, description: 'Resources that come first, in this order.' }),
    hidden: Type.Array(IdInput, { maxItems: MAX_RULES, description: 'Resources that are not found.' }),
  },
  { title: 'SearchRulesEdit', examples: [{ query: 'revenue', pinned: [], hidden: [] }] },
)
export type RulesEdit = Static<typeof RulesEdit>

export const RankingSettings = Type.Object(
  {
    weights: Weights,
    defaults: Weights,
    rules: Type.Array(
      Type.Object({
        query: Type.String(),
        action: OneOf(['pin', 'hide'] as const),
        resource: Id(),
        title: Nullable(Type.String({ description: 'Null if the resource was deleted.' })),
        title_full: Nullable(Type.String()),
        entity_type: Nullable(Type.String()),
      }),
    ),
  },
  { title: 'SearchRanking' },
)
export type RankingSettings = Static<typeof RankingSettings>
