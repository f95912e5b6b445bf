import { t } from '../i18n/messages.ts'
import { tokenizeSql } from './sql-tokens.ts'

/** Adds to sanitized Markdown what its authors cannot write: anchors of headings, callouts, colors and buttons of code blocks. */
export const decorateMarkdown = (root: Element): void => {
  addAnchors(root)
  linkFootnotes(root)
  for (const quote of root.querySelectorAll('blockquote')) toCallout(quote)
  for (const code of root.querySelectorAll('pre > code')) decorateCode(code)
}

/** IDs have a prefix, so that a heading cannot take the ID of a part of the page. */
const toSlug = (text: string): string =>
  `md-${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80)}`

/** Numbers equal headings of one text. */
export const createSlugs = (): ((text: string) => string) => {
  const seen = new Map<string, number>()
  return (text) => {
    const slug = toSlug(text)
    const count = (seen.get(slug) ?? 0) + 1
    seen.set(slug, count)
    return count === 1 ? slug : `${slug}-${count}`
  }
}

const addAnchors = (root: Element): void => {
  const slugs = createSlugs()
  for (const heading of root.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    heading.id = slugs(heading.textContent)
    const link = document.createElement('a')
    link.className = 'heading-anchor'
    link.href = `#${heading.id}`
    link.textContent = '#'
    link.setAttribute('aria-label', t('Link to this section'))
    heading.append(link)
  }
}

/** A note and its first reference lead to each other. */
const linkFootnotes = (root: Element): void => {
  const toId = (link: Element, prefix: string): string => `${prefix}${link.getAttribute('href')!.split('-').slice(2).join('-')}`
  const seen = new Set<string>()
  for (const link of root.querySelectorAll('sup > a[href^="#md-note-"]')) {
    link.setAttribute('aria-label', t('Footnote {n}', { n: link.textContent }))
    const id = toId(link, 'md-noted-')
    if (!seen.has(id)) link.id = id
    seen.add(id)
  }
  for (const link of root.querySelectorAll('li > a[href^="#md-noted-"]:last-child')) {
    link.setAttribute('aria-label', t('Back to the text'))
    link.parentElement!.id = toId(link, 'md-note-')
  }
}

const CALLOUTS: Readonly<Record<string, () => string>> = {
  NOTE: () => t('Note // heading of a callout'),
  TIP: () => t('Tip // heading of a callout'),
  IMPORTANT: () => t('Important // heading of a callout'),
  WARNING: () => t('Warning // heading of a callout'),
  CAUTION: () => t('Caution // heading of a callout'),
}
const CALLOUT = /^\s*\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*\n?/i

/** As on GitHub: a quote that starts with `[!NOTE]`. */
const toCallout = (quote: Element): void => {
  const text = quote.querySelector('p')?.firstChild
  const kind = CALLOUT.exec(text?.nodeValue ?? '')?.[1]?.toUpperCase()
  if (!text || !kind || quote.querySelector('p') !== quote.firstElementChild) return
  text.nodeValue = text.nodeValue!.replace(CALLOUT, '')
  if (quote.firstElementChild!.textContent.trim() === '') quote.firstElementChild!.remove()
  quote.className = `callout callout-${kind.toLowerCase()}`
  const title = document.createElement('p')
  title.className = 'callout-title'
  title.textContent = CALLOUTS[kind]!()
  quote.prepend(title)
}

const SQL_LANGUAGES = new Set([
  'sql',
  'postgres',
  'postgresql',
  'mysql',
  'bigquery',
  'snowflake',
  'duckdb',
  'clickhouse',
  'tsql',
  'plsql',
  'redshift',
  'databricks',
  'sqlite',
])
const MAX_COLORED = 100_000 // characters; more would take long and be read by no one

const decorateCode = (code: Element): void => {
  const language = /^language-(.+)$/.exec(code.className)?.[1]?.toLowerCase() ?? ''
  const pre = code.parentElement!
  const text = code.textContent
  if (SQL_LANGUAGES.has(language) && text.length < MAX_COLORED) code.replaceChildren(...tokenizeSql(text).map(toNode))
  const box = document.createElement('div')
  box.className = 'code-block'
  if (language === 'mermaid') box.dataset.diagram = ''
  pre.replaceWith(box)
  const copy = document.createElement('button')
  copy.type = 'button'
  copy.className = 'copy-code'
  copy.dataset.copy = ''
  copy.textContent = t('Copy')
  pre.tabIndex = 0 // scrolls sideways
  box.append(pre, copy)
}

const toNode = ({ kind, text }: ReturnType<typeof tokenizeSql>[number]): Node => {
  if (kind === 'text') return document.createTextNode(text)
  const span = document.createElement('span')
  span.className = `sql-${kind}`
  span.textContent = text
  return span
}
