import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeApiReference } from '../scripts/docs/api-reference.ts'
import { findDeadLinks } from '../scripts/docs/check-links.ts'
import { listAnchors, listLinks, mapLinks, slugify } from '../scripts/docs/markdown.ts'
import { convertPage, findPages } from '../scripts/docs/pages.ts'
import { SCREENSHOTS } from '../scripts/docs/screenshot-list.ts'
import { findUnlistedPages, readSideBar, type SideBarEntry } from '../scripts/docs/side-bar.ts'
import { buildSite } from '../scripts/docs.ts'
import { findLockProblems } from '../scripts/lock-problems.ts'
import { readDocument } from '../scripts/openapi.ts'

const ROOT = join(import.meta.dirname, '..')
const pages = findPages(ROOT)

test('no link of the documentation is dead', () => {
  expect(findDeadLinks(ROOT, pages)).toEqual([])
})

test('a dead link is found: a missing file, a missing heading, not what is only code', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-links-'))
  try {
    const { mkdirSync, writeFileSync } = await import('node:fs')
    mkdirSync(join(folder, 'docs'))
    writeFileSync(
      join(folder, 'docs/README.md'),
      '# A page\n\n[x](none.md) [y](#a-page) [z](#none) `[c](code.md)` [`d`](other.md#b)\n```\n[e](code.md)\n```\n',
    )
    writeFileSync(join(folder, 'docs/other.md'), '## B\n')
    expect(findDeadLinks(folder, findPages(folder))).toEqual([
      'docs/README.md: none.md does not exist.',
      'docs/README.md: #none is not a heading of docs/README.md.',
    ])
  } finally {
    await rm(folder, { recursive: true })
  }
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

let output: string
beforeAll(async () => {
  output = await mkdtemp(join(tmpdir(), 'tablinum-site-'))
  await buildSite({ output })
})
afterAll(() => rm(output, { recursive: true, force: true }))

test('the site is built with a search index, and loads nothing from other hosts', async () => {
  const files = globSync('**/*.{html,css}', { cwd: output })
  const html = files.filter((file) => file.endsWith('.html'))
  expect(html).toEqual(
    expect.arrayContaining(['index.html', 'tutorial.html', 'reference/catalog.html', 'decisions/0037-docs-site.html', '404.html']),
  )
  const foreign: string[] = []
  for (const file of files)
    for (const [found] of (await readFile(join(output, file), 'utf8')).matchAll(
      /<(?:script|link|img|iframe|source)\b[^>]*(?:src|href)="(?:https?:)?\/\/[^"]*"|(?:url\(|@import )["']?(?:https?:)?\/\/[^)"']*/g,
    ))
      foreign.push(`${file}: ${found}`)
  expect(foreign).toEqual([])
  const [index] = globSync('assets/chunks/@localSearchIndex*.js', { cwd: output })
  expect(await readFile(join(output, index!), 'utf8')).toContain('tutorial')
  expect(JSON.parse(await readFile(join(output, 'versions.json'), 'utf8'))).toEqual([
    { text: expect.stringMatching(/^current \(\d/), path: '' },
  ])
})

test('every picture is taken by the script', () => {
  const names = globSync('*.png', { cwd: join(ROOT, 'docs/images') })
  expect(names.toSorted()).toEqual(SCREENSHOTS.map(({ name }) => `${name}.png`).toSorted())
})
