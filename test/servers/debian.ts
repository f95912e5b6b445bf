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
  const get = 'apt-get -qq -y -o DPkg::Lock::Timeout=240 --no-install-recommends install'
  const script = [
    `dpkg -s ${all} >/dev/null 2>&1 || { apt-get -qq update; ${get} ${all}; } || exit`,
    // Moved into place when it is complete.
    ...(unpack
      ? [
          `mkdir -p new && cd new && { apt-get -qq download ${unpack} || { apt-get -qq update; apt-get -qq download ${unpack}; }; } && mv *.deb ..`,
        ]
      : []),
  ]
  await run('flock', [join(DOWNLOAD_FOLDER, 'lock'), 'sh', '-c', script.join('\n')], {
    cwd: DOWNLOAD_FOLDER,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: INSTALL_MS,
  })
  return undefined
}
