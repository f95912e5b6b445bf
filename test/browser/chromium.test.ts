import { expect, test, vi } from 'vitest'
import { findMissingBrowser } from './chromium.ts'

const nothing = () => false
const ARM = { platform: 'linux', arch: 'arm64' }

test('on a Linux without a browser, Debian’s Chromium is installed', async () => {
  vi.stubEnv('CHROMIUM_PATH', '')
  const install = vi.fn(async () => undefined)
  expect(await findMissingBrowser(ARM, nothing, install)).toBeUndefined()
  expect(install).toHaveBeenCalledExactlyOnceWith({ programs: ['chromium'], packages: ['chromium'] })
  expect(await findMissingBrowser(ARM, nothing, async () => 'no root')).toBe('no root')
  vi.unstubAllEnvs()
})

test('nothing is installed where there is a browser', async () => {
  vi.stubEnv('CHROMIUM_PATH', '')
  const install = vi.fn(async () => 'not asked')
  expect(await findMissingBrowser(ARM, (path) => path === '/usr/bin/chromium', install)).toBeUndefined()
  expect(await findMissingBrowser({ platform: 'linux', arch: 'x64' }, (path) => path.includes('node_modules'), install)).toBeUndefined()
  expect(install).not.toHaveBeenCalled()
  vi.unstubAllEnvs()
})

test('elsewhere the tests are skipped with a reason, but not in CI', async () => {
  vi.stubEnv('CHROMIUM_PATH', '')
  vi.stubEnv('CI', 'false')
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const mac = () => findMissingBrowser({ platform: 'darwin', arch: 'arm64' }, nothing, async () => undefined)
  expect(await mac()).toContain('set CHROMIUM_PATH')
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('Skipped: No browser found for darwin-arm64'))
  vi.stubEnv('CI', 'true')
  await expect(mac()).rejects.toThrow('No browser')
  warn.mockRestore()
  vi.unstubAllEnvs()
})
