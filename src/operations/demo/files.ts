import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { entryId } from './entries.ts'

/** SQL and Markdown of the demo are separate files, so that they can be read, run and edited as such. */
export const readText = (...path: string[]): Promise<string> => readFile(join(import.meta.dirname, ...path), 'utf8')

export interface MarkdownPage {
  readonly title: string
  readonly text: string
}

/** The pages of `pages/<file>.md`, each starting with a heading. `[Revenue](glossary:revenue)` becomes a link to that entry. */
export const readPages = async (file: string): Promise<MarkdownPage[]> => {
  const pages = (await readText('pages', `${file}.md`)).split(/^# /m).slice(1)
  return pages.map((page) => {
    const [title = '', ...lines] = page.split('\n')
    return { title, text: resolveLinks(lines.join('\n').trim()) }
  })
}

const resolveLinks = (text: string): string =>
  text.replace(/\]\(([a-z_]+):([^)\s/]+)\)/g, (_, entity_type: string, key: string) => `](/r/${entryId(entity_type, key)})`)

/** The statements of `sql/<file>.sql`, each below a line `-- one | two | three` that describes it. */
export const readStatements = async (file: string): Promise<{ about: string[]; sql: string }[]> => {
  const sections = (await readText('sql', `${file}.sql`)).split(/^-- /m).slice(2) // the text before the first one is a comment
  return sections.map((section) => {
    const [about = '', ...lines] = section.split('\n')
    return { about: about.split(' | '), sql: lines.join('\n').trim().replace(/;$/, '') }
  })
}
