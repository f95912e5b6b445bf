import { existsSync, readFileSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import type { Program } from '../../../connector/src/process.ts'
import { formatText, type Translatable, translatable } from '../../platform/core/translatable.ts'
import { DRIVERS, type DriverName, isDriverName } from './driver-packages.ts'
import { createDriverProject, type DriverProject } from './driver-project.ts'
import { type InstallOptions, installProject } from './install-project.ts'
import type { LockPackages } from './lock-file.ts'
import { findNpm, InstallError, type NpmSettings } from './npm.ts'

declare module '../../platform/context/runtime.ts' {
  interface Runtime {
    /** The drivers of sources that are installed when they are needed. */
    readonly drivers: Drivers
  }
}

export interface DriversConfig {
  /** Where they are installed. */
  readonly folder?: string | undefined
  /** Whether the operator allows it. */
  readonly allowed?: boolean | undefined
  readonly npm?: NpmSettings | undefined
  /** In place of the lock file of this release. */
  readonly packages?: LockPackages | undefined
  /** Whether a package is installed with this code, by an operator or with a checkout. */
  readonly isPreinstalled?: ((name: string) => boolean) | undefined
}

/** The drivers of this installation: preinstalled with its code, or in a folder of its data. */
export class Drivers {
  readonly #config: DriversConfig
  #packages: LockPackages | undefined
  readonly #projects = new Map<DriverName, DriverProject>()

  constructor(config: DriversConfig = {}) {
    this.#config = config
    this.#packages = config.packages
  }

  isInstalled(name: DriverName): boolean {
    return this.#isPreinstalled(name) || this.#findFolder(name) !== undefined
  }

  getVersion(name: DriverName): string {
    return this.#getProject(name).version
  }

  /** The package to install for this type of integration, with its version, if it is missing. */
  findMissingPackage(type: string): string | undefined {
    return isDriverName(type) && !this.isInstalled(type) ? `${DRIVERS[type].package}@${this.getVersion(type)}` : undefined
  }

  /** The program of this type of integration, with access to its driver. `label`: of the source. */
  prepare(program: Program, type: DriverName, label: string): Program {
    if (this.#isPreinstalled(type)) return program
    const folder = this.#findFolder(type)
    if (folder === undefined)
      throw new Error(
        `The driver for ${label} is not installed. An admin installs it on the page of the integration or with "tablinum driver install ${type}".`,
      )
    const hook = new URL('./use-driver.ts', import.meta.url)
    hook.searchParams.set('folder', folder)
    hook.searchParams.set('package', DRIVERS[type].package)
    const [node = '', ...args] = program.command
    return { ...program, command: [node, `--import=${hook.href}`, ...args] }
  }

  /** Why this process cannot install the driver, or undefined. */
  async findObstacle(name: DriverName): Promise<Translatable | undefined> {
    const { folder, allowed = true, npm } = this.#config
    const { package: packageName } = DRIVERS[name]
    const values = { command: `npm install ${packageName}@${this.getVersion(name)}` }
    if (!allowed)
      return translatable('The operator of this server does not allow it (TABLINUM_DRIVER_INSTALL=off). By hand: {command}', values)
    if (!npm || findNpm(npm) === undefined)
      return translatable(
        'There is no npm on this server. Install npm, or use an image that contains the driver (npm run image -- --with {package}).',
        { package: packageName },
      )
    if (folder === undefined || !(await isWritable(folder)))
      return translatable('The data folder of this server cannot be written to. Run where Tablinum is installed: {command}', values)
    return undefined
  }

  /** Downloads the driver and everything it needs. Nothing is left of an attempt that fails or is stopped. */
  async install(name: DriverName, options: InstallOptions): Promise<void> {
    const { folder, npm } = this.#config
    if (this.isInstalled(name)) return
    const obstacle = await this.findObstacle(name)
    if (obstacle) throw new InstallError(formatText(obstacle))
    await installProject(this.#getProject(name), { folder: folder!, npm: npm! }, options)
  }

  #isPreinstalled(name: DriverName): boolean {
    return (this.#config.isPreinstalled ?? isPackageInstalled)(DRIVERS[name].package)
  }

  #findFolder(name: DriverName): string | undefined {
    if (this.#config.folder === undefined) return undefined
    const folder = join(this.#config.folder, this.#getProject(name).folder)
    return existsSync(folder) ? folder : undefined
  }

  #getProject(name: DriverName): DriverProject {
    const known = this.#projects.get(name)
    if (known) return known
    this.#packages ??= readLock()
    const project = createDriverProject(this.#packages, DRIVERS[name].package)
    this.#projects.set(name, project)
    return project
  }
}

const isPackageInstalled = (name: string): boolean => {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined
  } catch {
    return false
  }
}

/** npm leaves package-lock.json out of packages: the package of Tablinum has the part that belongs to drivers. */
const LOCK_FILES = ['drivers-lock.json', 'package-lock.json']

const ROOT = join(import.meta.dirname, '../../..')

const readLock = (): LockPackages => {
  const file = LOCK_FILES.map((name) => join(ROOT, name)).find((each) => existsSync(each))
  if (file === undefined) throw new Error('The lock file of this installation is missing.')
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

/** Whether it can be written to, or created. */
const isWritable = async (folder: string): Promise<boolean> => {
  try {
    await access(folder, constants.W_OK)
    return true
  } catch (error) {
    const parent = dirname(folder)
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && parent !== folder && isWritable(parent)
  }
}
