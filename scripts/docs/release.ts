import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenApi } from '../openapi.ts'
import { ROOT } from '../shipped-packages.ts'

/** The files of a release in a folder of their own, with the packages of this checkout. */
export const checkOutRelease = (version: string): Disposable & { folder: string } => {
  const folder = mkdtempSync(join(tmpdir(), 'tablinum-docs-'))
  const archive = execFileSync('git', ['archive', findRef(version)], { cwd: ROOT, maxBuffer: 1024 ** 3 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) }
}

/** Its tag, or the commit at which a version that is not published was frozen for the tests. */
const findRef = (version: string): string => {
  const frozen = join(ROOT, 'test/releases', version, 'release.json')
  return existsSync(frozen) ? (JSON.parse(readFileSync(frozen, 'utf8')) as { ref: string }).ref : `v${version}`
}

/** The document that the code of a release serves. */
export const readReleaseDocument = (folder: string): OpenApi => {
  mkdirSync(join(folder, 'scripts'), { recursive: true })
  copyFileSync(join(ROOT, 'scripts/openapi.ts'), join(folder, 'scripts/openapi.ts'))
  const output = execFileSync(process.execPath, [join(folder, 'scripts/openapi.ts')], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
  })
  return JSON.parse(output)
}
