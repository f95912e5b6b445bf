import { sql } from 'kysely'
import type { Context } from '../context.ts'

/** Indexes whose new entries wait in a list, which every search reads through, until somebody sorts them in. */
const WAITING = ['search_titles_words', 'search_titles_used', 'search_texts_words', 'resources_title_parts']

/** Every few seconds: searches stay quick while much is written, and no writer stops to do it. One does it; a second waits for nothing. */
export const tidySearch = async ({ db }: Context): Promise<void> => {
  for (const index of WAITING) await sql`select gin_clean_pending_list(${index}::regclass)`.execute(db)
}
