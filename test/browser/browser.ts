import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type AxeResults, type RunOptions, source } from 'axe-core'
import type { Locator, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { Db } from '../../src/platform/db/connect.ts'
import type { Role } from '../../src/platform/permissions/permissions.ts'
import { startTestServer, type TestServer } from '../faults/server.ts'
import { eventually } from '../support/eventually.ts'
import { createTestApp } from '../support/test-app.ts'
import { launchBrowser, skipWithoutBrowser } from './chromium.ts'
import { reportPages } from './failure-report.ts'
import { createPagePool } from './page-pool.ts'
import { copyTables, shopTemplate } from './shop.ts'

export { skipWithoutBrowser as noBrowser }

export interface PageOptions {
  /** The role of the signed-in user; `null` for no sign-in. */
  readonly role?: Role | null
  readonly theme?: 'light' | 'dark'
  readonly width?: number
}

/** The app in a browser: a separate server with the demo shop, and one browser for all tests of a file. */
export interface BrowserApp extends AsyncDisposable {
  readonly address: string
  readonly token: string
  /** The API as an admin. */
  readonly call: TestServer['call']
  /** For fixtures that would take thousands of requests. */
  readonly db: Db
  /** A signed-in page with its own cookies and storage, for one test. */
  page(options?: PageOptions): Promise<Page>
  /** Errors of the pages: exceptions, console errors, blocked scripts. A test must end without any. */
  readonly problems: string[]
}

const root = join(import.meta.dirname, '../..')

/** `env` is added to the environment of the server. */
export const openBrowserApp = async (env: Record<string, string> = {}): Promise<BrowserApp> => {
  await using undo = new AsyncDisposableStack()
  await promisify(execFile)(process.execPath, [join(root, 'scripts/build-web.mjs')]) // does nothing if `npm test` has built it
  const app = undo.use(await createTestApp({ template: await shopTemplate() }))
  await copyTables(app.url)
  const server = undo.use(await startTestServer({ DATABASE_URL: app.url, ...env }))
  const browser = await launchBrowser()
  undo.defer(() => browser.close())
  const problems: string[] = []
  const pages = createPagePool(browser, server.address, (problem) => problems.push(problem))
  const tokens = new Map<Role, string>([['admin', app.token]])
  const everything = undo.move()
  return {
    address: server.address,
    token: app.token,
    call: server.call,
    db: app.db,
    problems,
    page: async ({ role = 'admin', theme = 'light', width = 1280 } = {}) => {
      const page = await pages.acquire({ theme, width })
      onTestFinished(async ({ task }) => {
        const failed = task.result?.state === 'fail'
        if (failed) await reportPages(page.context())
        // A page left as it is follows the event stream, and would load again whatever later tests change.
        await pages.release(page, { reuse: !failed })
      })
      if (role) {
        if (!tokens.has(role)) tokens.set(role, (await app.createUser(role)).token)
        const headers = { 'x-requested-with': 'tablinum' }
        const response = await page.request.post('/api/v1/auth/sign_in/token', { data: { token: tokens.get(role) }, headers })
        if (!response.ok()) throw new Error(`Signing in as ${role} failed: ${response.status()} ${await response.text()}`)
      }
      return page
    },
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  }
}

// Wait for animations to finish, so that intermediate colors are not checked.
const SETTLED = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() =>
  Promise.allSettled(document.getAnimations().filter((each) => each.effect.getComputedTiming().endTime < Infinity).map((each) => each.finished)))`
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The accessibility violations axe finds on the page; must be empty. The dark theme differs only in its colors. */
export const axe = async (page: Page, theme: 'light' | 'dark' = 'light'): Promise<string[]> => {
  await page.evaluate(SETTLED)
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source)
  const runOnly = theme === 'dark' ? { type: 'rule' as const, values: ['color-contrast'] } : TAGS
  const options: RunOptions = { runOnly, resultTypes: ['violations'], preload: false } // there are no external styles
  const violations = (await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as AxeResults['violations']
  return violations.map(({ id, help, nodes }) => `${id}: ${help} at ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`)
}

/**
 * Runs a command by its keys, again until its result is there: a slow machine may take more than the second between two keys of a sequence,
 * and letters typed less than 1.5 s after a text field was left run no command.
 */
export const runCommand = (page: Page, result: Locator, ...keys: string[]): Promise<void> =>
  eventually(async () => {
    if (await result.isVisible()) return
    for (const key of keys) await page.keyboard.press(key)
    await result.waitFor({ timeout: 5_000 })
  }, 2_000)

/** Saves a screenshot when `SHOTS=1`; it is not compared with anything. */
export const saveScreenshot = async (page: Page, name: string): Promise<void> => {
  if (!process.env.SHOTS) return
  await mkdir(join(import.meta.dirname, 'shots'), { recursive: true })
  await page.screenshot({ path: join(import.meta.dirname, 'shots', `${name}.png`) })
}
