// `npm run screenshots [-- <name> …]`: takes the pictures of the documentation again: starts a server with the demo, opens each page in the
// browser of the tests and writes docs/images.
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser, skipWithoutBrowser } from '../test/browser/chromium.ts'
import { startTestServer, type TestServer } from '../test/faults/server.ts'
import { ADMIN_TOKEN } from '../test/support/database.ts'
import { PATIENCE_MS } from '../test/support/patience.ts'
import { MONITOR_NAME, SCREENSHOTS, type Screenshot } from './docs/screenshot-list.ts'
import { ROOT } from './shipped-packages.ts'

const takeScreenshots = async (screenshots: readonly Screenshot[]): Promise<void> => {
  const missing = skipWithoutBrowser()
  if (missing) throw new Error(missing)
  execFileSync(process.execPath, [join(ROOT, 'scripts/build-web.mjs')], { stdio: 'inherit' })
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-screenshots-'))
  await chmod(folder, 0o755) // for the account of the embedded Postgres
  try {
    await using server = await startTestServer({ TABLINUM_DATA: folder }, '--demo')
    const browser = await launchBrowser()
    try {
      const page = await signIn(
        await browser.newPage({ baseURL: server.address, locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' }),
      )
      const ids = await findIds(server)
      for (const each of screenshots) {
        await takeScreenshot(page, each, ids)
        console.log(`docs/images/${each.name}.png`)
      }
    } finally {
      await browser.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const signIn = async (page: Page): Promise<Page> => {
  page.setDefaultTimeout(PATIENCE_MS)
  const options = { data: { token: ADMIN_TOKEN }, headers: { 'x-requested-with': 'tablinum' } }
  const response = await page.request.post('/api/v1/auth/sign_in/token', options)
  if (!response.ok()) throw new Error(`Signing in failed: ${response.status()} ${await response.text()}`)
  return page
}

interface Ids {
  readonly monitor: string
  readonly incident: string
}

const findIds = async (server: TestServer): Promise<Ids> => {
  const { body } = await server.call('GET', `/monitor/monitors?page_size=100`)
  const found = body.results.find(({ name }: { name: string }) => name === MONITOR_NAME)
  if (!found) throw new Error(`The demo has no monitor "${MONITOR_NAME}".`)
  const { body: incidents } = await server.call('GET', `/monitor/incidents?monitor=${found.id}`)
  return { monitor: found.id, incident: incidents.results[0].id }
}

const takeScreenshot = async (page: Page, { name, path, until, size: [width, height] = [1440, 860] }: Screenshot, ids: Ids) => {
  await page.setViewportSize({ width, height })
  await page.goto(path.replace('{monitor}', ids.monitor).replace('{incident}', ids.incident))
  await page.locator(until).first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.evaluate('document.activeElement?.blur()')
  await page.screenshot({ path: join(ROOT, `docs/images/${name}.png`), animations: 'disabled' })
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !SCREENSHOTS.some((each) => each.name === name))
if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. Known: ${SCREENSHOTS.map(({ name }) => name).join(', ')}.`)
await takeScreenshots(SCREENSHOTS.filter(({ name }) => names.length === 0 || names.includes(name)))
process.exit(0)
