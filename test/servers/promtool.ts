import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findMissingPrograms, findPackage, findProgram, type PackageSpec } from './debian.ts'

const run = promisify(execFile)

// Its package would start Prometheus: only this program of it is unpacked.
const PACKAGE: PackageSpec = { programs: ['promtool'], packages: ['libc6'], unpack: 'prometheus' }

/** Why promtool is not available here, or undefined. */
export const skipWithoutPromtool = await findMissingPrograms(PACKAGE)

let program: Promise<string> | undefined
const unpack = async (): Promise<string> => {
  const installed = await findProgram('promtool')
  if (installed) return installed
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-promtool-'))
  await run('sh', ['-c', 'dpkg-deb --fsys-tarfile "$0" | tar -x -C "$1" ./usr/bin/promtool', (await findPackage(PACKAGE))!, folder])
  return join(folder, 'usr/bin/promtool')
}

/** Returns the output, or throws with it. */
export const runPromtool = async (...args: string[]): Promise<string> => {
  program ??= unpack()
  const { stdout } = await run(await program, args)
  return stdout
}
