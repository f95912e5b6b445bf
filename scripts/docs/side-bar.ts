import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isExternal, type Pages, resolveLink, splitAnchor } from './pages.ts'

/** The side bar of the site, in the form of VitePress. */
export interface SideBarEntry {
  readonly text: string
  readonly link?: string
  readonly items?: readonly SideBarEntry[]
  readonly collapsed?: boolean
}

const INDEX = 'docs/README.md'
const LINK = /\[([^\]]+)\]\(([^)\s]+)\)/g

/** The side bar says what `docs/README.md` says: its sections are the groups, its links the entries. */
export const readSideBar = (root: string, pages: Pages): SideBarEntry[] => {
  const groups: { text: string; items: SideBarEntry[] }[] = []
  for (const line of readFileSync(join(root, INDEX), 'utf8').split('\n')) {
    const [, heading] = /^## (.+)$/.exec(line) ?? []
    if (heading) groups.push({ text: heading, items: [] })
    const [, item] = /^(?:\d+\.|-) (.+)$/.exec(line) ?? []
    if (item) groups.at(-1)?.items.push(...readItem(pages, item))
  }
  return groups.filter(({ items }) => items.length > 0)
}

/** `BI tools: [Tableau](tableau.md), …` is a group of its own, any other item only its links. */
const readItem = (pages: Pages, item: string): SideBarEntry[] => {
  const entries = [...item.matchAll(LINK)].flatMap(([, text, target]) => {
    const page = isExternal(target!) ? undefined : pages.get(resolveLink(INDEX, splitAnchor(target!)[0]))
    return page ? [{ text: capitalize(text!.replaceAll('`', '')), link: toLink(page) }] : []
  })
  const [, group] = /^([^[:]+): \[/.exec(item) ?? []
  return group && entries.length > 1 ? [{ text: group, collapsed: true, items: entries }] : entries
}

const toLink = (page: string): string => `/${page.replace(/index\.md$/, '').replace(/\.md$/, '')}`

const capitalize = (text: string): string => text[0]!.toUpperCase() + text.slice(1)

/** Pages of `docs` that no path of `docs/README.md` leads to. Decisions have a list of their own. */
export const findUnlistedPages = (root: string, pages: Pages): string[] => {
  const index = readFileSync(join(root, INDEX), 'utf8')
  const linked = new Set([...index.matchAll(LINK)].map(([, , target]) => resolveLink(INDEX, splitAnchor(target!)[0])))
  return [...pages.keys()].filter((file) => /^docs\/[^/]+$/.test(file) && file !== INDEX && !linked.has(file))
}
