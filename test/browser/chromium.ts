import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { findMissingPrograms } from '../servers/debian.ts'

/** A browser for the tests, found without configuration: CHROMIUM_PATH, a system Chromium, the one from npm, or Debian's package. */
interface BrowserLocation {
  readonly path: string
  readonly env?: Record<string, string>
}

const SYSTEM_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable']
const PACKAGE = join(import.meta.dirname, '../../node_modules/@sparticuz/chromium')

/** Why no browser is available; undefined if there is one. The npm package exists only for x64 Linux: elsewhere Debian's is installed, as root. */
export const findMissingBrowser = async (
  { platform, arch }: { platform: string; arch: string },
  isThere: (path: string) => boolean,
  install: typeof findMissingPrograms,
): Promise<string | undefined> => {
  if (process.env.CHROMIUM_PATH || SYSTEM_PATHS.some(isThere)) return undefined
  if (platform === 'linux' && arch === 'x64' && isThere(PACKAGE)) return undefined
  if (platform === 'linux') return install({ programs: ['chromium'], packages: ['chromium'] })
  const missing = `No browser found for ${platform}-${arch}. Install Chromium or set CHROMIUM_PATH.`
  if (process.env.CI === 'true') throw new Error(missing)
  console.warn(`Skipped: ${missing}`)
  return missing
}

const missing = await findMissingBrowser(process, existsSync, findMissingPrograms)
export const skipWithoutBrowser = (): string | undefined => missing

const findBrowser = async (): Promise<BrowserLocation> => {
  const path = process.env.CHROMIUM_PATH ?? SYSTEM_PATHS.find(existsSync)
  return path ? { path } : findUnpackedBrowser()
}

/** The npm package contains the compressed browser, its libraries and a font. Unpacked once per version, next to the other packages. */
const findUnpackedBrowser = async (): Promise<BrowserLocation> => {
  const { version } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'))
  const folder = join(import.meta.dirname, `../../node_modules/.cache/chromium-${version}`)
  if (!existsSync(folder)) await unpack(folder)
  const fonts = join(folder, 'fonts.conf')
  return { path: join(folder, 'chromium'), env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_FILE: fonts } }
}

const unpack = async (folder: string): Promise<void> => {
  const own = `${folder}-${process.pid}`
  await mkdir(own, { recursive: true })
  const before = process.env.TMPDIR
  process.env.TMPDIR = own // where the package unpacks to
  try {
    const { inflate } = await import('@sparticuz/chromium')
    const parts = await readdir(join(PACKAGE, 'bin'))
    await Promise.all(parts.map((part) => inflate(join(PACKAGE, 'bin', part))))
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
  // The package's font settings refer to a folder that exists only on AWS Lambda, and without fonts no text is rendered.
  const dirs = [join(folder, 'fonts'), '/usr/share/fonts'].map((dir) => `<dir>${dir}</dir>`).join('')
  await writeFile(
    join(own, 'fonts.conf'),
    `<?xml version="1.0"?><fontconfig>${dirs}<cachedir>${join(folder, 'font-cache')}</cachedir></fontconfig>`,
  )
  await rename(own, folder).catch(() => rm(own, { recursive: true, force: true })) // another process was faster
}

export const launchBrowser = async (): Promise<Browser> => {
  const { path, env } = await findBrowser()
  return chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none', '--hide-scrollbars'],
    // Without LANG, `navigator.language` has a value that Intl rejects.
    env: { ...(process.env as Record<string, string>), LANG: 'en_US.UTF-8', ...env },
  })
}
