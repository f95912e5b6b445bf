import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'

/** GIN indexes with a pending list, which every search has to scan. */
const PENDING_LIST_INDEXES = [
  'search_titles_words',
  'search_titles_used',
  'search_texts_words',
  'search_context_words',
  'resources_title_parts',
]

/**
 * Runs every few seconds, so that searches stay fast during heavy writes and no writer has to flush the list. Concurrent calls do not wait
 * for each other.
 */
export const flushSearchIndex = async ({ db }: Context): Promise<void> => {
  for (const index of PENDING_LIST_INDEXES) await sql`select gin_clean_pending_list(${index}::regclass)`.execute(db)
}
