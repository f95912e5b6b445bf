import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listAnchors, listLinks } from './markdown.ts'
import { isExternal, type Pages, resolveLink, splitAnchor } from './pages.ts'

/** Links to files and headings that do not exist, one sentence each. */
export const findDeadLinks = (root: string, pages: Pages): string[] => {
  const texts = new Map([...pages.keys()].map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const anchors = new Map<string, Set<string>>()
  const hasAnchor = (file: string, anchor: string): boolean => {
    if (!anchors.has(file)) anchors.set(file, listAnchors(texts.get(file)!))
    return anchors.get(file)!.has(anchor)
  }
  const problems: string[] = []
  for (const [file, text] of texts)
    for (const target of listLinks(text)) {
      if (isExternal(target)) continue
      const [path, anchor] = splitAnchor(target)
      const linked = resolveLink(file, path)
      if (!existsSync(join(root, linked))) problems.push(`${file}: ${target} does not exist.`)
      else if (anchor !== '' && texts.has(linked) && !hasAnchor(linked, anchor))
        problems.push(`${file}: ${target} is not a heading of ${linked}.`)
    }
  return problems
}
