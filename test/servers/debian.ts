import { execFile } from 'node:child_process'
import { access, mkdir, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Servers that are not npm packages are installed from Debian packages by the tests that need them, once per machine. */
export interface PackageSpec {
  readonly programs: readonly string[]
  /** Packages that install it without starting it. */
  readonly packages: readonly string[]
  /** A package that would start its program: only downloaded, and unpacked by the test. */
  readonly unpack?: string
}

/** Why it is not available, or undefined. Logged once; in CI nothing is skipped. */
export const findMissingPrograms = async (spec: PackageSpec): Promise<string | undefined> => {
  if (await pathExists(spec)) return undefined
  const why = await install(spec).catch((error) => (error.stderr || error.message).trim())
  if (!why && (await pathExists(spec))) return undefined
  const missing = `${spec.programs.join(', ')} is not available on this machine: ${why ?? 'its package does not contain it.'}`
  if (process.env.CI === 'true') throw new Error(missing)
  console.warn(`Skipped: ${missing}`)
  return missing
}

const DOWNLOAD_FOLDER = resolve('node_modules/.cache/tablinum-servers')

const pathExists = async (spec: PackageSpec): Promise<boolean> => {
  const found = await Promise.all(spec.programs.map(findProgram))
  return found.every(Boolean) || ((await findPackage(spec)) !== undefined && (await isInstalled(spec)))
}

const isInstalled = ({ packages }: PackageSpec): Promise<boolean> =>
  run('dpkg', ['-s', ...packages]).then(
    () => true,
    () => false,
  )

export const findProgram = async (program: string): Promise<string | undefined> => {
  for (const folder of [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin']) {
    const path = join(folder || '.', program)
    const found = await access(path, 1).then(
      () => true,
      () => false,
    )
    if (found) return path
  }
  return undefined
}

/** The downloaded package. */
export const findPackage = async ({ unpack }: PackageSpec): Promise<string | undefined> => {
  const files = unpack ? await readdir(DOWNLOAD_FOLDER).catch(() => []) : []
  const file = files.find((name) => name.startsWith(`${unpack}_`) && name.endsWith('.deb'))
  return file && join(DOWNLOAD_FOLDER, file)
}

const INSTALL_MS = 300_000

/** Serialized with other processes: the second one finds it installed. */
const install = async ({ packages, unpack }: PackageSpec): Promise<string | undefined> => {
  if (process.getuid?.() !== 0) return `install the packages ${packages.join(', ')}, or run the tests as root on Debian.`
  if (!(await findProgram('apt-get')) || !(await findProgram('flock'))) return 'apt-get is not available to install it.'
  await mkdir(DOWNLOAD_FOLDER, { recursive: true })
  const all = packages.join(' ')
  const script = [
    APT,
    `dpkg -s ${all} >/dev/null 2>&1 || { update; apt -y --no-install-recommends install ${all}; } || exit`,
    // Moved into place when it is complete.
    ...(unpack ? [`mkdir -p new && cd new && { apt download ${unpack} || { update; apt download ${unpack}; }; } && mv *.deb ..`] : []),
  ]
  await run('flock', [join(DOWNLOAD_FOLDER, 'lock'), 'sh', '-c', script.join('\n')], {
    cwd: DOWNLOAD_FOLDER,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', FOLDER: DOWNLOAD_FOLDER },
    timeout: INSTALL_MS,
  })
  return undefined
}

/**
 * A dozen tests install something. Downloading and reading the lists of packages takes three seconds of CPU time, so it is done once, and
 * what was read is kept. Indexing the manuals takes longer than installing most packages, so they are left out.
 */
const APT = `
apt() {
  apt-get -qq -o DPkg::Lock::Timeout=240 -o Dir::Cache::pkgcache="$FOLDER/packages.bin" -o Dir::Cache::srcpkgcache="$FOLDER/sources.bin" \\
    -o 'DPkg::Options::=--path-exclude=/usr/share/man/*' "$@"
}
update() {
  [ -n "$(find "$FOLDER/updated" -mmin -30 2>/dev/null)" ] || { apt update && touch "$FOLDER/updated"; }
}`
