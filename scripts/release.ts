// `npm run release -- <version> [--dry-run] [--skip-tests]`: prepares a release. Sets the version everywhere, dates the changelog, runs all
// tests, and writes the package, its bill of materials and checksums to dist/release. Commits, tags and publishes nothing: it prints how.
// With --dry-run, no file of the repository is changed.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import type { LockPackages } from '../src/sources/drivers/lock-file.ts'
import { createNotices, NOTICES_FILE } from './notices.ts'
import { buildPackage } from './package.ts'
import { findShippedFolders, ROOT, readJson } from './shipped-packages.ts'

const OUTPUT = join(ROOT, 'dist/release')
const VERSION = /^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/

/** The changelog with everything unreleased as a version of this day. */
export const dateChangelog = (changelog: string, version: string, day: string): string => {
  const [, changes] = /^## \[Unreleased\]\n(.*?)(?=^## \[|$(?![\s\S]))/ms.exec(changelog) ?? []
  if (!changes?.includes('\n- ')) throw new Error('CHANGELOG.md lists nothing under [Unreleased].')
  if (changelog.includes(`## [${version}]`)) throw new Error(`CHANGELOG.md has a section for ${version} already.`)
  return changelog.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${day}\n`)
}

/** The files in which the version is written, and where. */
const VERSIONED: readonly (readonly [string, RegExp])[] = [
  ['package.json', /(?<=^ {2}"version": ")[^"]+/m],
  ['package-lock.json', /(?<="name": "tablinum",\s+"version": ")[^"]+/g],
  ['client/package.json', /(?<=^ {2}"version": ")[^"]+/m],
  ['client/package-lock.json', /(?<="name": "@tablinum\/client",\s+"version": ")[^"]+/g],
  ['client-python/tablinum/_version.py', /(?<=__version__ = ")[^"]+/],
  ['connector/package.json', /(?<=^ {2}"version": ")[^"]+/m],
  ['packaging/compose.yaml', /(?<=-tablinum:)[^}]+/],
  ['docs/install.md', /(?<=[Tt]ablinum[-: ])\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?/g],
  ['packaging/helm/tablinum/Chart.yaml', /(?<=^(?:version|appVersion): ).+/gm],
]

/** The versions that these files contain: one, unless something was forgotten. */
export const findVersions = (): string[] => [
  ...new Set(VERSIONED.flatMap(([file, place]) => readFileSync(join(ROOT, file), 'utf8').match(place) ?? [`none in ${file}`])),
]

const setVersion = (version: string): void => {
  for (const [file, place] of VERSIONED) {
    const path = join(ROOT, file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(place, version))
  }
}

interface BillOfMaterials {
  readonly components: readonly { readonly 'bom-ref': string; readonly name: string; readonly version: string }[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/** Writes copies of the files, the bill of materials (CycloneDX) and the checksums of all. */
export const writeArtifacts = (files: readonly string[], folder = OUTPUT): void => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const file of files) copyFileSync(file, join(folder, basename(file)))
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(createBillOfMaterials(), null, 2)}\n`)
  const sums = readdirSync(folder).map((name) => `${hashFile(join(folder, name))}  ${name}`)
  writeFileSync(join(folder, 'SHA256SUMS'), `${sums.join('\n')}\n`)
}

const hashFile = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/** npm lists the packages of a checkout; what is not shipped is left out. */
const createBillOfMaterials = (): object => {
  const bill: BillOfMaterials = JSON.parse(run('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx']))
  const { packages } = readJson<{ packages: LockPackages }>('package-lock.json')
  const shipped = new Set(findShippedFolders(packages).map((folder) => toReference(folder, packages[folder]!.version!)))
  const components = bill.components.filter(({ name, version }) => shipped.has(`${name}@${version}`))
  const references = new Set(components.map((component) => component['bom-ref']))
  const dependencies = bill.dependencies.filter(({ ref }, i) => i === 0 || references.has(ref))
  return {
    ...bill,
    components,
    dependencies: dependencies.map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => references.has(each)) })),
  }
}

const toReference = (folder: string, version: string): string => `${folder.replace(/^.*node_modules\//, '')}@${version}`

const run = (command: string, args: readonly string[]): string =>
  execFileSync(command, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 256 * 1024 * 1024 })

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    options: { 'dry-run': { type: 'boolean', default: false }, 'skip-tests': { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const [version = ''] = positionals
  if (!VERSION.test(version)) throw new Error(`Expected a version such as 1.2.0 or 1.2.0-rc.1, not "${version}".`)
  if (!values['dry-run'] && run('git', ['status', '--porcelain']) !== '')
    throw new Error('There are uncommitted changes. Commit or discard them first.')
  const changelog = dateChangelog(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version, new Date().toISOString().slice(0, 10))
  if (!values['dry-run']) {
    setVersion(version)
    writeFileSync(join(ROOT, 'CHANGELOG.md'), changelog)
    writeFileSync(NOTICES_FILE, createNotices())
    run(process.execPath, ['scripts/client.ts']) // the document of the API contains the version
    run(process.execPath, ['scripts/freeze-release.ts', version, `v${version}`])
  }
  if (!values['skip-tests']) execFileSync('npm', ['test'], { cwd: ROOT, stdio: 'inherit' })
  writeArtifacts([await buildPackage(), NOTICES_FILE])
  console.log(
    `Written: ${readdirSync(OUTPUT)
      .map((name) => relative(process.cwd(), join(OUTPUT, name)))
      .join(', ')}`,
  )
  console.log(
    values['dry-run']
      ? 'Dry run: the repository was not changed.'
      : `Next: git commit -am "release: ${version}" && git tag v${version}\nThen: npm publish ${OUTPUT}/tablinum-${version}.tgz`,
  )
}

if (import.meta.main) await main()
