import { globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { writeApiReference } from '../../scripts/docs/api-reference.ts'
import { findForeignHosts } from '../../scripts/docs/check-hosts.ts'
import { findDeadLinks } from '../../scripts/docs/check-links.ts'
import { listAnchors, listLinks, mapLinks, slugify } from '../../scripts/docs/markdown.ts'
import { convertPage, findPages } from '../../scripts/docs/pages.ts'
import { SCREENSHOTS } from '../../scripts/docs/screenshot-list.ts'
import { findUnlistedPages, readSideBar, type SideBarEntry } from '../../scripts/docs/side-bar.ts'
import { findLockProblems } from '../../scripts/lock-problems.ts'
import { readDocument } from '../../scripts/openapi.ts'

const createFolder = async (files: Readonly<Record<string, string>>): Promise<AsyncDisposable & { path: string }> => {
  const path = await mkdtemp(join(tmpdir(), 'tablinum-docs-'))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(join(path, name), text)
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

const ROOT = join(import.meta.dirname, '../..')
const pages = findPages(ROOT)

test('no link of the documentation is dead', () => {
  expect(findDeadLinks(ROOT, pages)).toEqual([])
})

test('a dead link is found: a missing file, a missing heading, not what is only code', async () => {
  await using folder = await createFolder({
    'docs/README.md': '# A page\n\n[x](none.md) [y](#a-page) [z](#none) `[c](code.md)` [`d`](other.md#b)\n```\n[e](code.md)\n```\n',
    'docs/other.md': '## B\n',
    'docs/unlisted.md': '',
  })
  expect(findDeadLinks(folder.path, findPages(folder.path))).toEqual([
    'docs/README.md: none.md does not exist.',
    'docs/README.md: #none is not a heading of docs/README.md.',
  ])
  expect(findUnlistedPages(folder.path, findPages(folder.path))).toEqual(['docs/unlisted.md'])
})

test('every page is in the index, which is the side bar', () => {
  expect(findUnlistedPages(ROOT, pages)).toEqual([])
  const sideBar = readSideBar(ROOT, pages)
  expect(sideBar.map(({ text }) => text)).toEqual(['Try it', 'Run it', 'Connect sources', 'Watch data', 'Use the API', 'Develop'])
  const links = (entries: readonly SideBarEntry[]): string[] =>
    entries.flatMap(({ link, items = [] }) => [...(link ? [link] : []), ...links(items)])
  expect(links(sideBar)).toEqual(expect.arrayContaining(['/tutorial', '/sizing', '/clients/python', '/clients/typescript', '/decisions/']))
})

test('links lead to the place of a page in the site, and headings have the anchors of GitHub', () => {
  const { text } = convertPage(ROOT, pages, 'docs/README.md')
  expect(listLinks(text)).toEqual(expect.arrayContaining(['./tutorial.md', './project/contributing.md', './decisions/index.md']))
  expect(convertPage(ROOT, pages, 'CONTRIBUTING.md').text).toContain('](../releases.md#migrations-without-a-gap)')
  expect(convertPage(ROOT, pages, 'docs/install.md').downloads).toContain('packaging/compose.yaml')
  expect(['tablinum backup and tablinum restore', 'What’s new? (1.0)', 'A & b'].map(slugify)).toEqual([
    'tablinum-backup-and-tablinum-restore',
    'whats-new-10',
    'a--b',
  ])
  expect([...listAnchors('# One `two`\n## Same\n## Same\n```\n# no\n```\n')]).toEqual(['one-two', 'same', 'same-1'])
  expect(mapLinks('[a](b.md) `[c](d.md)`', () => 'x')).toBe('[a](x) `[c](d.md)`')
})

test('the API reference has every operation and explains every type', async () => {
  const document = await readDocument()
  const { pages: reference } = writeApiReference(document)
  const text = [...reference.values()].join('\n')
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `\`${method.toUpperCase()} ${path}\``),
  )
  expect(operations.length).toBeGreaterThan(300)
  expect(operations.filter((each) => !text.includes(`\n${each}`))).toEqual([])
  const dead = [...reference].flatMap(([page, markdown]) =>
    listLinks(markdown)
      .filter((link) => link.includes('.md') && !link.startsWith('../'))
      .filter((link) => {
        const [file, anchor] = link.replace('./', 'reference/').split('#')
        const target = reference.get(file!)
        return target === undefined || (anchor !== undefined && !listAnchors(target).has(anchor))
      })
      .map((link) => `${page}: ${link}`),
  )
  expect(dead).toEqual([])
})

test('the lock file of the site is complete for every supported platform', () => {
  expect(findLockProblems(JSON.parse(readFileSync(join(ROOT, 'site/package-lock.json'), 'utf8')))).toEqual([])
})

test('what a page would load from another host is found, not what it links to', async () => {
  await using folder = await createFolder({
    'a.html': '<a href="https://example.com">x</a><img src="/images/x.png"><script async src="//cdn.example.com/x.js"></script>',
    'b.css': '@import "https://fonts.example.com/x"; body { background: url(/x.png) }',
  })
  expect(findForeignHosts(folder.path).toSorted()).toEqual(['a.html: //cdn.example.com/x.js', 'b.css: https://fonts.example.com/x'])
})

test('every picture is taken by the script', () => {
  const names = globSync('*.png', { cwd: join(ROOT, 'docs/images') })
  expect(names.toSorted()).toEqual(SCREENSHOTS.map(({ name }) => `${name}.png`).toSorted())
})
