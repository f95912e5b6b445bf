import type { Browser, CDPSession, Page } from 'playwright-core'
import { PATIENCE_MS } from '../support/patience.ts'
import { recordPointer } from './failure-report.ts'

/**
 * Pages that one test after another uses. A new page, also in the same context, is a new process of the browser: its first load costs twice
 * the CPU time of a load in a process that has compiled the scripts.
 */
export interface PagePool {
  /** A page without cookies and storage that shows a document without scripts. */
  acquire(options: { theme: 'light' | 'dark'; width: number }): Promise<Page>
  /** Resets the page for another test, or closes it if it cannot be reset. */
  release(page: Page, options: { reuse: boolean }): Promise<void>
}

interface PooledPage {
  readonly page: Page
  readonly session: CDPSession
  state: 'used' | 'being reset' | 'idle'
  /** A test did what cannot be undone. */
  isSpoiled: boolean
}

/** Of the same origin: for another site the browser starts another process. */
const PLAIN_DOCUMENT = '/favicon.svg'
const EVENTS = [
  'dialog',
  'download',
  'filechooser',
  'framenavigated',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
] as const
const SPOILING = {
  page: ['addInitScript', 'addLocatorHandler', 'exposeBinding', 'exposeFunction', 'setExtraHTTPHeaders'],
  context: ['addInitScript', 'exposeBinding', 'exposeFunction', 'newPage', 'setExtraHTTPHeaders', 'setGeolocation'],
  clock: ['install', 'setFixedTime', 'setSystemTime'],
}

/** `report` receives the errors of pages in use: exceptions, console errors, blocked scripts. */
export const createPagePool = (browser: Browser, baseURL: string, report: (problem: string) => void): PagePool => {
  const pool = new Map<Page, PooledPage>()

  const open = async (): Promise<PooledPage> => {
    const context = await browser.newContext({ baseURL, locale: 'en-US', timezoneId: 'UTC' })
    await recordPointer(context)
    context.setDefaultTimeout(PATIENCE_MS)
    const page = await context.newPage()
    const pooled: PooledPage = { page, session: await context.newCDPSession(page), state: 'idle', isSpoiled: false }
    const add = (problem: string) => {
      if (pooled.state === 'used') report(problem)
    }
    page.on('pageerror', (error) => add(String(error)))
    page.on('console', (message) => {
      // Error responses are expected in many tests, and the browser logs each of them.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) add(message.text())
    })
    const spoil = () => {
      pooled.isSpoiled = true
    }
    onCall(page, SPOILING.page, spoil)
    onCall(context, SPOILING.context, spoil)
    onCall(page.clock, SPOILING.clock, spoil)
    pool.set(page, pooled)
    return pooled
  }

  const reset = async ({ page, session }: PooledPage): Promise<boolean> => {
    const context = page.context()
    for (const event of EVENTS) page.removeAllListeners(event)
    try {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.unrouteAll({ behavior: 'ignoreErrors' })
      await context.setOffline(false)
      await context.clearPermissions()
      await page.goto(PLAIN_DOCUMENT) // ends timers and the event stream
      await page.evaluate('localStorage.clear(); sessionStorage.clear()')
      await page.mouse.move(0, 0)
      await context.clearCookies()
      await session.send('Page.resetNavigationHistory')
      return true
    } catch {
      return false // e.g. because the page is about to show another one
    }
  }

  return {
    acquire: async ({ theme, width }) => {
      const pooled = pool.values().find(({ state }) => state === 'idle') ?? (await open())
      pooled.state = 'used'
      const { page } = pooled
      await page.emulateMedia({ media: null, colorScheme: theme, reducedMotion: 'reduce', forcedColors: null, contrast: null })
      await page.setViewportSize({ width, height: 860 })
      return page
    },
    release: async (page, { reuse }) => {
      const pooled = pool.get(page)!
      const context = page.context()
      const isAlone = context.pages().length === 1 && context.pages()[0] === page
      pooled.state = 'being reset'
      if (reuse && isAlone && !pooled.isSpoiled && (await reset(pooled))) pooled.state = 'idle'
      else {
        pool.delete(page)
        await context.close()
      }
    },
  }
}

const onCall = (target: object, names: readonly string[], notify: () => void): void => {
  const methods = target as Record<string, (...args: unknown[]) => unknown>
  for (const name of names) {
    const original = methods[name]!
    methods[name] = (...args) => {
      notify()
      return original.apply(target, args)
    }
  }
}
