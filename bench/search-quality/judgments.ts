import { readFileSync } from 'node:fs'
import { type Catalog, type CatalogTable, toResourceId } from './catalog.ts'

/** Queries with graded relevance, from `queries.json`. */
export interface Query {
  readonly class: string
  /** Tuning is done on `dev` and checked on `held-out`. */
  readonly set: 'dev' | 'held-out'
  readonly q: string
  readonly entity_type?: string
  /**
   * Grades (3 = the answer, 2 = very good, 1 = related) by what a resource is about: `subject:sales.order`, `tag:gdpr & domain:legal`,
   * `name:dwh.sales.fct_orders`, `glossary:Net revenue`. `about:` is a subject asked for in a sentence: copies that do not say what
   * they are about are only related. `column:` compares names without case and separators; a column whose name contains the words
   * makes its table related.
   */
  readonly relevant: Readonly<Record<string, number>>
}
/** Grades by resource ID. */
export type Judgments = ReadonlyMap<string, number>

export const readQueries = (): Query[] => JSON.parse(readFileSync(new URL('queries.json', import.meta.url), 'utf8')) as Query[]

export const judge = (catalog: Catalog, { q, relevant }: Query): Judgments => {
  const grades = new Map<string, number>()
  const add = (id: string, grade: number) => {
    if (grade > (grades.get(id) ?? 0)) grades.set(id, grade)
  }
  for (const [selector, grade] of Object.entries(relevant)) {
    const found = select(catalog, selector, grade)
    if (found.length === 0) throw new Error(`Nothing matches ${selector} of the query ${q}.`)
    for (const [id, own] of found) add(id, own)
  }
  return grades
}

const select = (catalog: Catalog, selector: string, grade: number): [id: string, grade: number][] => {
  const conditions = selector.split(' & ').map((part): [kind: string, value: string] => {
    const at = part.indexOf(':')
    return [part.slice(0, at), part.slice(at + 1)]
  })
  const [kind, value] = conditions[0]!
  const pages = PAGES[kind]?.(catalog)
  if (pages) return pages.filter(({ title }) => title === value).map(({ title }) => [toResourceId(kind, title), grade])
  if (kind === 'column') return selectByColumn(catalog, value, grade)
  const found = catalog.tables.filter((table) => conditions.every(([condition, wanted]) => matches(catalog, table, condition, wanted)))
  const best = Math.min(...found.map(({ layer }) => layer.rank))
  const toGrade = getGrading(conditions.map(([condition]) => condition))
  return found.map((table): [string, number] => [table.id, toGrade(grade, table.layer.rank - best, table)]).filter(([, own]) => own > 0)
}

/** Tables with this column, then those with a column that only contains its words. */
const selectByColumn = ({ tables }: Catalog, wanted: string, grade: number): [id: string, grade: number][] => {
  const named = tables.filter(({ columns }) => columns.some(({ name }) => foldName(name) === foldName(wanted)))
  const related = tables.filter((table) => !named.includes(table) && table.columns.some(({ name }) => containsWords(name, wanted)))
  const best = Math.min(...named.map(({ layer }) => layer.rank))
  return [
    ...named.map(({ id, layer }): [string, number] => [id, byRank(grade, layer.rank - best)]),
    ...related.map(({ id }): [string, number] => [id, 1]),
  ].filter(([, own]) => own > 0)
}

const splitName = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
const foldName = (name: string): string => splitName(name).join('')
const containsWords = (name: string, wanted: string): boolean => splitName(wanted).every((word) => splitName(name).includes(word))

/** The grade of a table, by how many ranks its layer is below the best that matches. */
type Grading = (grade: number, ranksBelow: number, table: CatalogTable) => number

const EXACT = ['name', 'title', 'title_is', 'title_contains', 'layer', 'says']

const getGrading = (conditions: readonly string[]): Grading => {
  // Whoever names a table or a layer wants just that; for all else the curated table comes first and leftovers last.
  if (conditions.some((condition) => EXACT.includes(condition))) return (grade) => grade
  if (conditions.includes('about'))
    return (grade, ranksBelow, { explained }) => [grade, explained ? Math.max(1, grade - 1) : 1, 0][ranksBelow]!
  return byRank
}

const byRank = (grade: number, ranksBelow: number): number => [grade, Math.max(1, grade - 1), grade === 3 ? 1 : 0][ranksBelow]!

const PAGES: Readonly<Record<string, (catalog: Catalog) => readonly { readonly title: string }[]>> = {
  dashboard: ({ dashboards }) => dashboards,
  document: ({ documents }) => documents,
  glossary: ({ terms }) => terms,
}

const matches = ({ terms }: Catalog, table: CatalogTable, condition: string, wanted: string): boolean => {
  const { subject, layer, path, title, owner, tags, columns, properties } = table
  switch (condition) {
    case 'name':
      return path === wanted
    case 'subject':
    case 'about':
      return subject.key === wanted
    case 'begins':
      return [subject.singular, subject.plural, title.toLowerCase().replace(/^(t|tbl)_/, '')].some((name) => name.startsWith(wanted))
    case 'title':
      return title.startsWith(wanted)
    case 'title_is':
      return title === wanted
    case 'title_contains':
      return title.includes(wanted)
    case 'says':
      return [table, ...columns].some(({ description }) => description?.toLowerCase().includes(wanted.toLowerCase()))
    case 'domain':
      return subject.domain.name === wanted
    case 'schema':
      return path.startsWith(`${wanted}.`)
    case 'layer':
      return layer.name === wanted
    case 'owner':
      return owner === wanted
    case 'group':
      return layer.rank === 0 && subject.domain.group === wanted
    case 'tag':
      return tags.includes(wanted)
    case 'property': {
      const [name, value] = wanted.split('=')
      return properties[name!] === value
    }
    case 'term':
      return layer.rank === 0 && terms.some(({ title: term, subjects }) => term === wanted && subjects.includes(subject.key))
    default:
      throw new Error(`Unknown selector ${condition}.`)
  }
}
