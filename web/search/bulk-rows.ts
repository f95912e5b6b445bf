import type { Resource } from '../api/types.ts'

/** What a row must have to be edited together with others. */
export type BulkRow = Pick<
  Resource,
  'id' | 'verified' | 'published' | 'pii' | 'archived' | 'owners' | 'owners_groups' | 'tags' | 'terms' | 'teams' | 'collections'
>

export const MAX_EDITS_PER_REQUEST = 100 // the API's limit
