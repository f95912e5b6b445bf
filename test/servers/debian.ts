import { execFile } from 'node:child_process'
import { access, mkdir, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Servers that are no npm package come from Debian's: installed by the tests that need them, once for each machine. */
export interface Wanted {
  readonly programs: readonly string[]
  /** What brings them and does not start them. */
  readonly packages: readonly string[]
  /** A package that would start its program: fetched, and left for the test to unpack. */
  readonly unpack?: string
}

/** Why it is not there, or nothing. Said once, where people see it; in CI nothing is left out. */
export const findMissing = async (wanted: Wanted): Promise<string | undefined> => {
  if (await isThere(wanted)) return undefined
  const why = await install(wanted).catch((error) => (error.stderr || error.message).trim())
  if (!why && (await isThere(wanted))) return undefined
  const missing = `There is no ${wanted.programs.join(', ')} on this machine: ${why ?? 'its package does not bring it.'}`
  if (process.env.CI === 'true') throw new Error(missing)
  console.warn(`Skipped: ${missing}`)
  return missing
}

const FETCHED = resolve('node_modules/.cache/tablinum-servers')

const isThere = async (wanted: Wanted): Promise<boolean> => {
  const found = await Promise.all(wanted.programs.map(findProgram))
  return found.every(Boolean) || ((await findPackage(wanted)) !== undefined && (await isInstalled(wanted)))
}

const isInstalled = ({ packages }: Wanted): Promise<boolean> =>
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

/** The package that was fetched and not installed. */
export const findPackage = async ({ unpack }: Wanted): Promise<string | undefined> => {
  const files = unpack ? await readdir(FETCHED).catch(() => []) : []
  const file = files.find((name) => name.startsWith(`${unpack}_`) && name.endsWith('.deb'))
  return file && join(FETCHED, file)
}

const INSTALL_MS = 300_000

/** Others may do the same at this moment: one after the other, and who comes second finds it done. */
const install = async ({ packages, unpack }: Wanted): Promise<string | undefined> => {
  if (process.getuid?.() !== 0) return `install the packages ${packages.join(', ')}, or run the tests as root on a Debian.`
  if (!(await findProgram('apt-get')) || !(await findProgram('flock'))) return 'there is no apt-get to install it with.'
  await mkdir(FETCHED, { recursive: true })
  const all = packages.join(' ')
  const get = 'apt-get -qq -y -o DPkg::Lock::Timeout=240 --no-install-recommends install'
  const script = [
    `dpkg -s ${all} >/dev/null 2>&1 || { apt-get -qq update; ${get} ${all}; } || exit`,
    // Moved into its place when it is whole.
    ...(unpack
      ? [
          `mkdir -p new && cd new && { apt-get -qq download ${unpack} || { apt-get -qq update; apt-get -qq download ${unpack}; }; } && mv *.deb ..`,
        ]
      : []),
  ]
  await run('flock', [join(FETCHED, 'lock'), 'sh', '-c', script.join('\n')], {
    cwd: FETCHED,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: INSTALL_MS,
  })
  return undefined
}
