import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { mapLinks } from './markdown.ts'

/** Markdown files of the repository that are pages of the site, with their place in it. */
export type Pages = ReadonlyMap<string, string>

const ELSEWHERE: Readonly<Record<string, string>> = {
  'README.md': 'overview.md',
  'ARCHITECTURE.md': 'project/architecture.md',
  'CHANGELOG.md': 'project/changelog.md',
  'CODE_OF_CONDUCT.md': 'project/code-of-conduct.md',
  'CONTRIBUTING.md': 'project/contributing.md',
  'GLOSSARY.md': 'project/glossary.md',
  'GOVERNANCE.md': 'project/governance.md',
  'SECURITY.md': 'project/security.md',
  'STYLE.md': 'project/style.md',
  'client/README.md': 'clients/typescript.md',
  'client-python/README.md': 'clients/python.md',
  'connector/README.md': 'connector-library.md',
}

/** `docs/README.md` is the start page, every other file of `docs` keeps its name. */
export const findPages = (root: string): Pages => {
  const docs = globSync('docs/**/*.md', { cwd: root })
    .toSorted()
    .map((file) => [file, file.slice('docs/'.length).replace(/README\.md$/, 'index.md')] as const)
  return new Map([...docs, ...Object.entries(ELSEWHERE).filter(([file]) => existsSync(join(root, file)))])
}

export const isExternal = (target: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(target)

export const splitAnchor = (target: string): [path: string, anchor: string] => {
  const at = target.indexOf('#')
  return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)]
}

/** The file of the repository that a link in `file` leads to. */
export const resolveLink = (file: string, path: string): string =>
  path === '' ? file : posix.normalize(posix.join(posix.dirname(file), path)).replace(/\/$/, '')

export interface SitePage {
  readonly path: string
  readonly text: string
  /** Files that are not pages but are linked from this one; the site offers them for download. */
  readonly downloads: readonly string[]
}

/** A page with links to the places of other pages in the site. */
export const convertPage = (root: string, pages: Pages, file: string): SitePage => {
  const path = pages.get(file)!
  const downloads: string[] = []
  const text = mapLinks(readFileSync(join(root, file), 'utf8'), (target) => {
    if (isExternal(target) || target.startsWith('/')) return target
    const [linked, anchor] = splitAnchor(target)
    const resolved = resolveLink(file, linked)
    const page = pages.get(resolved)
    const suffix = anchor && `#${anchor}`
    if (page) return toRelative(path, page) + suffix
    if (resolved.startsWith('docs/images/')) return `/${resolved.slice('docs/'.length)}`
    if (!statSync(join(root, resolved), { throwIfNoEntry: false })?.isFile()) return '#' // a folder: named, but nothing to open
    downloads.push(resolved)
    return `/${toDownload(resolved)}`
  })
  return { path, text, downloads }
}

/** Where the site has a file that is not a page. */
export const toDownload = (file: string): string => `files/${file.replace(/\.md$/, '.txt')}`

const toRelative = (from: string, to: string): string => {
  const path = posix.relative(posix.dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}
