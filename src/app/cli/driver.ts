import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { DRIVER_NAMES, DRIVERS, isDriverName } from '../../sources/drivers/driver-packages.ts'
import type { Drivers } from '../../sources/drivers/drivers.ts'
import { CliError, type Command } from './command.ts'

const HELP = `Usage: tablinum driver list
       tablinum driver install <name>...

list     the optional drivers of sources, and whether they are installed
install  downloads drivers with npm into the data folder, in the versions this release was tested with

Uses TABLINUM_DATA and npm's configuration of this account. A running server needs no restart.

  --help

Exits with code 1 if a driver could not be installed.
`

export const driverCommand: Command = {
  name: 'driver',
  summary: 'list or install drivers of sources',
  help: HELP,
  run: async ([action, ...names]) => {
    if (action === 'list' && names.length === 0) return listDrivers()
    if (action === 'install' && names.length > 0) return installDrivers(names)
    throw new CliError('Expected "list", or "install" with names of drivers. Run with --help for details.')
  },
}

/** See backup.ts. */
const openDrivers = async (): Promise<Drivers> => {
  const [{ readConfig }, { Drivers }] = await Promise.all([
    import('../../platform/config/config.ts'),
    import('../../sources/drivers/drivers.ts'),
  ])
  const { dataFolder, driverInstall, npm }: Config = readConfig(process.env, [])
  return new Drivers({ folder: join(dataFolder, 'drivers'), allowed: driverInstall, npm })
}

const listDrivers = async (): Promise<number> => {
  const drivers = await openDrivers()
  for (const name of DRIVER_NAMES) {
    const { package: packageName, megabytes } = DRIVERS[name]
    const version = `${packageName} ${drivers.getVersion(name)}`
    const state = drivers.isInstalled(name) ? 'installed' : `not installed, about ${megabytes} MB`
    process.stdout.write(`${name.padEnd(12)}${version.padEnd(30)}${state}\n`)
  }
  return 0
}

const installDrivers = async (names: readonly string[]): Promise<number> => {
  const unknown = names.find((name) => !isDriverName(name))
  if (unknown !== undefined) throw new CliError(`Unknown driver "${unknown}". Available: ${DRIVER_NAMES.join(', ')}.`)
  const drivers = await openDrivers()
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stopping.abort())
  for (const name of names.filter(isDriverName))
    try {
      const wasInstalled = drivers.isInstalled(name)
      await drivers.install(name, { signal: stopping.signal, onProgress: async () => {} })
      process.stdout.write(`${name}: ${wasInstalled ? 'was installed already' : 'installed'}.\n`)
    } catch (error) {
      const why = stopping.signal.aborted ? `Cancelled. ${name} was not installed.` : (error as Error).message
      process.stderr.write(`${why}\n`)
      return 1
    }
  return 0
}
