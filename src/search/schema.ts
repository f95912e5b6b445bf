import { type Static, Type } from 'typebox'
import { PageOf, PageQuery } from '../lists/page.ts'
import { TIERS } from '../resources/relevance.ts'
import { Resource } from '../resources/schema.ts'
import { Nullable, OneOf } from '../wire.ts'

/** What travels on the wire. */
const Flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const Several = (description: string) => Type.Optional(Type.String({ maxLength: 4000, description }))

export const SearchQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Words to look for; the last may be unfinished. Absent: everything, the most used first.',
      examples: ['order items'],
    }),
  ),
  facets: Type.Optional(
    Type.Boolean({ default: true, description: '`false` leaves out the facets and counts no further than this page: for type-ahead.' }),
  ),
  filter: Type.Optional(Type.String({ description: 'A filter as JSON, as on the catalog.' })),
  entity_type: Several('Only these entity types, comma separated.'),
  integration: Several('Only of these integrations: IDs, comma separated.'),
  owners: Several('Only with one of these owners: IDs, comma separated.'),
  tags: Several('Only with one of these tags: IDs, comma separated.'),
  published: Flag('Only published ones, or only others.'),
  verified: Flag('Only verified ones, or only others.'),
  pii: Flag('Only with personal data, or only without.'),
  stale: Flag('Only gone from their source, or only others.'),
})
export type SearchQuery = Static<typeof SearchQuery>

export const Reason = Type.Object(
  {
    tier: OneOf(TIERS, 'Why it stands where it stands: an exact title comes first, documentation last.'),
    field: OneOf(['title', 'description', 'definition'], 'Where it was found.'),
    snippet: Type.String({ description: 'The text around the first match.' }),
    ranges: Type.Array(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }), {
      description: 'What matched in the snippet: start and end, in UTF-16 code units.',
    }),
  },
  { title: 'Reason' },
)
export type Reason = Static<typeof Reason>

const Facet = Type.Object({
  capped: Type.Boolean({ description: 'There are more matches than were counted, so each count is a lower bound.' }),
  values: Type.Array(
    Type.Object({
      value: Type.Union([Type.String(), Type.Boolean()]),
      count: Type.Integer(),
      selected: Type.Boolean(),
      label: Type.Optional(Nullable(Type.String({ description: 'What a tag is called; null where no tag has this ID.' }))),
    }),
  ),
})
export type Facet = Static<typeof Facet>

const page = PageOf(Type.Object({ ...Resource.properties, reason: Reason }, { title: 'SearchResult' }), 'SearchPage')
export const SearchPage = Type.Object(
  {
    ...page.properties,
    count: Type.Integer({ description: 'The number of matches; with `capped` there are more.' }),
    capped: Type.Boolean(),
    corrections: Type.Array(Type.Object({ typed: Type.String(), meant: Type.Array(Type.String()) }), {
      description: 'Words the catalog does not know, and those that were looked for instead.',
    }),
    facets: Type.Optional(
      Type.Record(Type.String(), Facet, {
        description:
          'By `entity_type`, `integration`, `owners`, `tags`, `published`, `verified`, `pii` and `stale`; each as if nothing were selected in itself.',
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
