// `npm run docs [-- --release <version>] [--base /docs/]`: builds the documentation as a site in dist/site. Without --release from the files of
// this checkout; with it, those of an earlier version, in a folder below. Why it is built like this: docs/decisions/0037-docs-site.md.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { writeApiReference } from './docs/api-reference.ts'
import { findForeignHosts } from './docs/check-hosts.ts'
import { convertPage, findPages, toDownload } from './docs/pages.ts'
import { checkOutRelease, readReleaseDocument } from './docs/release.ts'
import { readSideBar } from './docs/side-bar.ts'
import { type OpenApi, readDocument } from './openapi.ts'
import { ROOT, readJson } from './shipped-packages.ts'

const SITE = join(ROOT, 'site')
const PAGES = join(SITE, 'pages')
const BUILT = join(ROOT, 'dist/site-build')
const OUTPUT = join(ROOT, 'dist/site')
const VITEPRESS = join(SITE, 'node_modules/vitepress/bin/vitepress.js')
const VERSION = /^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/

interface BuildOptions {
  /** The version to build, if it is not this checkout. */
  readonly release?: string
  /** The path of the site on its host. */
  readonly base?: string
}

/** Returns the folder of the site. */
const buildSite = async ({ release, base = '/' }: BuildOptions): Promise<string> => {
  if (release !== undefined && !VERSION.test(release)) throw new Error(`Expected a version such as 1.2.0, not "${release}".`)
  using code = release === undefined ? undefined : checkOutRelease(release)
  const document = code ? readReleaseDocument(code.folder) : await readDocument()
  const current = `current (${readJson<{ version: string }>('package.json').version})`
  const version = release ?? current
  writePages(code?.folder ?? ROOT, document, { version, root: base, base: release === undefined ? base : `${base}${release}/` })
  runVitePress()
  const foreign = findForeignHosts(BUILT)
  if (foreign.length > 0) throw new Error(`The site would load from other hosts:\n${foreign.join('\n')}`)
  moveInto(OUTPUT, release)
  writeFileSync(join(OUTPUT, 'versions.json'), `${JSON.stringify(listVersions(OUTPUT, current), null, 2)}\n`)
  return OUTPUT
}

interface Settings {
  readonly version: string
  /** The path of all versions, and that of this one. */
  readonly root: string
  readonly base: string
}

/** What VitePress reads: all pages with links between them, pictures, files to download, and the settings of this build. */
const writePages = (root: string, document: OpenApi, settings: Settings): void => {
  rmSync(PAGES, { recursive: true, force: true })
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(PAGES, path)), { recursive: true })
    writeFileSync(join(PAGES, path), text)
  }
  const pages = findPages(root)
  const converted = [...pages.keys()].map((file) => convertPage(root, pages, file))
  for (const { path, text } of converted) write(path, text)
  for (const file of new Set(converted.flatMap(({ downloads }) => downloads)))
    cpSync(join(root, file), join(PAGES, 'public', toDownload(file)), { recursive: true })
  cpSync(join(root, 'docs/images'), join(PAGES, 'public/images'), { recursive: true })
  const reference = writeApiReference(document)
  for (const [path, text] of reference.pages) write(path, text)
  const sideBar = [...readSideBar(root, pages), reference.sideBar]
  write('settings.json', JSON.stringify({ ...settings, sideBar, output: BUILT }))
}

/** It is installed in a folder of its own, so that a server or its tests never install it. */
const runVitePress = (): void => {
  if (!existsSync(VITEPRESS)) execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: SITE, stdio: 'inherit' })
  rmSync(BUILT, { recursive: true, force: true })
  execFileSync(process.execPath, [VITEPRESS, 'build', SITE], { cwd: SITE, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** The current version replaces everything but the folders of earlier ones. */
const moveInto = (output: string, release: string | undefined): void => {
  mkdirSync(output, { recursive: true })
  if (release !== undefined) {
    rmSync(join(output, release), { recursive: true, force: true })
    renameSync(BUILT, join(output, release))
    return
  }
  for (const name of readdirSync(output)) if (!VERSION.test(name)) rmSync(join(output, name), { recursive: true })
  for (const name of readdirSync(BUILT)) renameSync(join(BUILT, name), join(output, name))
}

/** What the version switch offers: every version that was built here, the newest first. */
const listVersions = (output: string, current: string): { text: string; path: string }[] => {
  const earlier = readdirSync(output)
    .filter((name) => VERSION.test(name))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => ({ text: name, path: `${name}/` }))
  return existsSync(join(output, 'index.html')) ? [{ text: current, path: '' }, ...earlier] : earlier
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { release: { type: 'string' }, base: { type: 'string' } } })
  console.log(relative(process.cwd(), await buildSite(values)))
}
