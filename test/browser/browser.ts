import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type AxeResults, type RunOptions, source } from 'axe-core'
import type { Page } from 'playwright-core'
import { vi } from 'vitest'
import type { Role } from '../../src/access/permissions.ts'
import type { Db } from '../../src/db/connect.ts'
import { aServer, type Server } from '../faults/server.ts'
import { aHouse } from '../house.ts'
import { launch, noBrowser } from './chromium.ts'
import { copyTables, shopTemplate } from './shop.ts'

export { noBrowser }

export interface PageOptions {
  /** Who looks; nobody is signed in with `null`. */
  readonly role?: Role | null
  readonly theme?: 'light' | 'dark'
  readonly width?: number
}

/** The product as people see it: a server of its own with the demo shop, and one browser for all tests of a file. */
export interface App extends AsyncDisposable {
  readonly address: string
  readonly token: string
  /** The API as an admin. */
  readonly call: Server['call']
  /** For what would take thousands of requests to make. */
  readonly db: Db
  /** A window of its own, signed in: its cookies are no other's. */
  page(options?: PageOptions): Promise<Page>
  /** What the pages complained of: exceptions, console errors, refused scripts. A test that ends with any has failed. */
  readonly problems: string[]
}

const root = join(import.meta.dirname, '../..')
/** How long a `beforeAll` may take: a build, a database, a shop and a browser, on a machine that does ten other things. */
export const STARTS_MS = 240_000
const PATIENCE_MS = 40_000 // for one thing to appear, on a machine that does ten others

/** `env` is said to the server as well. */
export const anApp = async (env: Record<string, string> = {}): Promise<App> => {
  await using undo = new AsyncDisposableStack()
  await promisify(execFile)(process.execPath, [join(root, 'scripts/build-web.mjs')]) // nothing when `npm test` has built it
  const house = undo.use(await aHouse({ template: await shopTemplate() }))
  await copyTables(house.url)
  const server = undo.use(await aServer({ DATABASE_URL: house.url, ...env }))
  const browser = await launch()
  undo.defer(() => browser.close())
  const problems: string[] = []
  const tokens = new Map<Role, string>([['admin', house.token]])
  const everything = undo.move()
  return {
    address: server.address,
    token: house.token,
    call: server.call,
    db: house.db,
    problems,
    page: async ({ role = 'admin', theme = 'light', width = 1280 } = {}) => {
      const context = await browser.newContext({
        baseURL: server.address,
        viewport: { width, height: 860 },
        colorScheme: theme,
        locale: 'en-US',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
      })
      context.setDefaultTimeout(PATIENCE_MS)
      if (role) {
        if (!tokens.has(role)) tokens.set(role, (await house.someone(role)).token)
        const headers = { 'x-requested-with': 'tablinum' }
        const answer = await context.request.post('/api/v1/auth/sign_in/token', { data: { token: tokens.get(role) }, headers })
        if (!answer.ok()) throw new Error(`The ${role} cannot sign in: ${answer.status()} ${await answer.text()}`)
      }
      const page = await context.newPage()
      page.on('pageerror', (error) => problems.push(String(error)))
      page.on('console', (message) => {
        // What the server refuses is part of many stories, and the browser mentions every one.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) problems.push(message.text())
      })
      return page
    },
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  }
}

// What fades in or changes its colour is judged when it is there, and not on the way.
const SETTLED = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() =>
  Promise.allSettled(document.getAnimations().filter((each) => each.effect.getComputedTiming().endTime < Infinity).map((each) => each.finished)))`
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe has against the page, in words; nothing is the only good answer. The dark theme differs in its colours alone. */
export const axe = async (page: Page, theme: 'light' | 'dark' = 'light'): Promise<string[]> => {
  await page.evaluate(SETTLED)
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source)
  const runOnly = theme === 'dark' ? { type: 'rule' as const, values: ['color-contrast'] } : TAGS
  const options: RunOptions = { runOnly, resultTypes: ['violations'], preload: false } // all styles are our own
  const violations = (await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as AxeResults['violations']
  return violations.map(({ id, help, nodes }) => `${id}: ${help} at ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`)
}

/** Keeps a picture to look at when `SHOTS=1`; nothing is compared with it. */
export const shot = async (page: Page, name: string): Promise<void> => {
  if (!process.env.SHOTS) return
  await mkdir(join(import.meta.dirname, 'shots'), { recursive: true })
  await page.screenshot({ path: join(import.meta.dirname, 'shots', `${name}.png`) })
}

/** Looks again until it holds: a page is never read once after an action. */
export const eventually = <T>(look: () => T | Promise<T>): Promise<T> => vi.waitFor(look, { timeout: PATIENCE_MS, interval: 100 })
