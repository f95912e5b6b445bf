import { type Static, Type } from 'typebox'
import { Nullable, OneOf } from '../../platform/core/schema-types.ts'
import { PageQuery, PageSchema } from '../../platform/lists/page.ts'
import { SpellingParam } from '../listing/query.ts'
import { QUERY_FIELDS } from '../query-language/query-fields.ts'
import { Resource } from '../records/schema.ts'
import { MATCHES } from '../search-index/match-features.ts'
import { TIERS } from '../search-index/tiers.ts'

const FlagParam = (description: string) => Type.Optional(Type.Boolean({ description }))
const ListParam = (description: string) => Type.Optional(Type.String({ maxLength: 4000, description }))

export const SearchQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Search words; the last one may be a prefix. Without it, all resources are returned, the most used first.',
      examples: ['order items'],
    }),
  ),
  facets: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Set to `false` to omit facets and to stop counting after this page, e.g. for type-ahead.',
    }),
  ),
  count: Type.Optional(
    OneOf(
      ['exact', 'bounded'],
      'By default all matches of words are counted, and without words 20,000 resources. `bounded` counts up to 1,000 matches of words, so that the time does not grow with the catalog; `exact` counts all resources without words, too.',
    ),
  ),
  explain: Type.Optional(Type.Boolean({ description: 'Set to `true` to return the score of each result with its parts.' })),
  ranking: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description: 'A ranking to try out, as JSON with `weights`, `pinned` and `hidden`. It requires the search.manage permission.',
      examples: ['{"weights":{"usage":2}}'],
    }),
  ),
  spelling: Type.Optional(SpellingParam),
  filter: Type.Optional(Type.String({ description: 'A filter as JSON, as in `/resource/catalog`.' })),
  entity_type: ListParam('Only these entity types, separated by commas.'),
  integration: ListParam('Only resources of these integrations: IDs separated by commas.'),
  owners: ListParam('Only resources with one of these owners: IDs separated by commas.'),
  tags: ListParam('Only resources with one of these tags: IDs separated by commas.'),
  teams: ListParam('Only resources of one of these teams: IDs separated by commas.'),
  collections: ListParam('Only resources in one of these collections: IDs separated by commas.'),
  terms: ListParam('Only resources with one of these glossary terms: IDs separated by commas.'),
  properties: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description: 'Only resources with one of these values of a custom property: JSON with lists of values by property ID or name.',
      examples: ['{"Tier":["gold","silver"]}'],
    }),
  ),
  health: ListParam('Only resources with one of these statuses, separated by commas: incident, warning, ok, unknown.'),
  published: FlagParam('Only published (`true`) or unpublished (`false`) resources.'),
  verified: FlagParam('Only verified (`true`) or unverified (`false`) resources.'),
  pii: FlagParam('Only resources with (`true`) or without (`false`) personal data.'),
  stale: FlagParam('Only resources that are missing from their source (`true`), or only the others (`false`).'),
})
export type SearchQuery = Static<typeof SearchQuery>

export const ValueQuery = Type.Object({
  field: OneOf(QUERY_FIELDS, 'The field of the query language.'),
  value: Type.Optional(Type.String({ maxLength: 300, description: 'What was typed after the colon, without quotes.', examples: ['mar'] })),
})

const ValueSuggestion = Type.Object(
  {
    term: Type.String({ description: 'The text to insert; values with spaces are quoted.' }),
    value: Type.String(),
    detail: Nullable(Type.String({ description: 'An address, or the type of the resource or custom property.' })),
  },
  { title: 'SearchValueSuggestion' },
)
export type ValueSuggestion = Static<typeof ValueSuggestion>
export const ValueSuggestions = Type.Object(
  { results: Type.Array(ValueSuggestion) },
  {
    title: 'SearchValueSuggestions',
    examples: [{ results: [{ term: 'owner:"Maria Lopez"', value: 'Maria Lopez', detail: 'maria@example.com' }] }],
  },
)

export const Reason = Type.Object(
  {
    tier: OneOf(
      TIERS,
      'How it matches: by its title, its description, its documentation, its context (path, columns, tags, owners, properties, synonyms), or by some of the words only (`partial`).',
    ),
    matched: Type.Integer({ description: 'The number of words that match.' }),
    words: Type.Integer({ description: 'The number of words in the search.' }),
    matches: Type.Optional(
      Type.Array(Type.Object({ word: Type.String(), match: OneOf(MATCHES, 'Where the word matches.') }), {
        description: 'Where each word matches, for results of the tiers `context` and `partial`.',
      }),
    ),
    pinned: Type.Optional(Type.Boolean({ description: 'Whether an admin pinned it for this query.' })),
    field: OneOf(['title', 'description', 'definition'], 'The field that matched.'),
    snippet: Type.String({ description: 'The text around the first match.' }),
    ranges: Type.Array(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }), {
      description: 'The matching parts of the snippet: start and end in UTF-16 code units.',
    }),
  },
  { title: 'Reason' },
)
export type Reason = Static<typeof Reason>

const Score = Type.Object(
  {
    total: Nullable(Type.Number({ description: 'Null for results that are listed in the order of the index, after the ranked ones.' })),
    parts: Type.Array(Type.Object({ name: Type.String(), value: Type.Number() }), { description: 'The parts whose sum is the total.' }),
    words: Type.Array(Type.Object({ word: Type.String(), match: OneOf(MATCHES, 'Where the word matches.') })),
  },
  { title: 'SearchScore' },
)

const Facet = Type.Object({
  capped: Type.Boolean({
    description: 'Whether there are more matches than were counted. If so, each count is a lower bound.',
  }),
  label: Type.Optional(Type.String({ description: 'The name of the custom property.' })),
  values: Type.Array(
    Type.Object({
      value: Type.Union([Type.String(), Type.Boolean()]),
      count: Type.Integer(),
      selected: Type.Boolean(),
      label: Type.Optional(
        Nullable(Type.String({ description: 'The name of the tag, glossary term or collection, or null if it does not exist.' })),
      ),
    }),
  ),
})
export type Facet = Static<typeof Facet>

const page = PageSchema(
  Type.Object({ ...Resource.properties, reason: Reason, score: Type.Optional(Score) }, { title: 'SearchResult' }),
  'SearchPage',
)
export const SearchPage = Type.Object(
  {
    ...page.properties,
    count: Type.Integer({ description: 'The number of matches. A lower bound if `capped` is true.' }),
    capped: Type.Boolean({
      description: 'Whether there are more matches than were counted: with `facets=false`, with `count=bounded`, or without search words.',
    }),
    corrections: Type.Array(Type.Object({ typed: Type.String(), meant: Type.Array(Type.String()) }), {
      description: 'Unknown words and the words that were searched instead.',
    }),
    facets: Type.Optional(
      Type.Record(Type.String(), Facet, {
        description:
          'Counts by `entity_type`, `integration`, `owners`, `tags`, `teams`, `health`, `terms`, `published`, `verified`, `pii`, `stale`, and by `custom_property:<id>` for properties with values to choose from. Each facet is counted as if nothing were selected in it.',
      }),
    ),
  },
  { title: 'SearchPage', examples: [EXAMPLE()] },
)

function EXAMPLE() {
  return {
    links: { next: null, previous: null },
    meta: { page: 1, previous_page: 'None', next_page: null },
    count: 0,
    total_pages: 0,
    capped: false,
    corrections: [{ typed: 'custmer', meant: ['customer'] }],
    facets: { entity_type: { capped: false, values: [] } },
    results: [],
  }
}
