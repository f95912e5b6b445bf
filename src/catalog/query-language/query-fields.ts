/** The fields of the query language, and the flags of `is:`. */
export const QUERY_FIELDS = ['type', 'owner', 'tag', 'team', 'term', 'in', 'is', 'property'] as const
export type QueryField = (typeof QUERY_FIELDS)[number]
export const QUERY_FLAGS = ['verified', 'published', 'pii', 'stale', 'archived', 'deprecated'] as const
