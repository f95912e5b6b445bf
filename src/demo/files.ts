import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { entryId } from './entries.ts'

/** SQL and Markdown lie beside this code as files, to be read, run and edited as what they are. */
export const readText = (...path: string[]): Promise<string> => readFile(join(import.meta.dirname, ...path), 'utf8')

export interface Page {
  readonly title: string
  readonly text: string
}

/** The pages of `pages/<file>.md`: each begins with a heading. `[Revenue](glossary:revenue)` becomes a link to that entry. */
export const readPages = async (file: string): Promise<Page[]> => {
  const pages = (await readText('pages', `${file}.md`)).split(/^# /m).slice(1)
  return pages.map((page) => {
    const [title = '', ...lines] = page.split('\n')
    return { title, text: withLinks(lines.join('\n').trim()) }
  })
}

const withLinks = (text: string): string =>
  text.replace(/\]\(([a-z_]+):([^)\s/]+)\)/g, (_, entity_type: string, key: string) => `](/r/${entryId(entity_type, key)})`)

/** The statements of `sql/<file>.sql`, each under a line `-- one | two | three` that says what it is. */
export const readStatements = async (file: string): Promise<{ about: string[]; sql: string }[]> => {
  const sections = (await readText('sql', `${file}.sql`)).split(/^-- /m).slice(2) // what stands before the first is a word to the reader
  return sections.map((section) => {
    const [about = '', ...lines] = section.split('\n')
    return { about: about.split(' | '), sql: lines.join('\n').trim().replace(/;$/, '') }
  })
}
