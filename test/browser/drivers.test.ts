import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { axe, type BrowserApp, noBrowser, openBrowserApp, saveScreenshot } from './browser.ts'

const JOB = {
  title: 'Install the driver for Snowflake',
  logs: '',
  has_artifact: false,
  user: null,
}
const TIMES = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z', started: '2026-01-01T00:00:00Z' }
const COMPLETED = { status: 'COMPLETED', progress: 100, completed: TIMES.started }

/** What the server says about its drivers: the servers of tests have all of them. */
interface State {
  missing: boolean
  obstacle: string | null
  job: (typeof JOB & { id: string }) | null
  /** What the job becomes with the next event of the stream. */
  next?: object
  readonly requests: string[]
}

const answer = async (page: Page, state: State): Promise<void> => {
  onTestFinished(() => page.unrouteAll({ behavior: 'ignoreErrors' })) // the page may ask again while it is closed
  const json = (body: unknown) => ({ status: 200, contentType: 'application/json', body: JSON.stringify(body) })
  await page.route('**/api/v1/integration/types', async (route) => {
    const types = await (await route.fetch()).json()
    const missing_package = state.missing ? 'snowflake-sdk@3.3.0' : null
    await route.fulfill(json(types.map((each: { type: string }) => (each.type === 'snowflake' ? { ...each, missing_package } : each))))
  })
  await page.route('**/api/v1/integration/drivers', async (route) => {
    const drivers = await (await route.fetch()).json()
    const more = { installed: !state.missing, obstacle: state.obstacle }
    await route.fulfill(json(drivers.map((each: { name: string }) => (each.name === 'snowflake' ? { ...each, ...more } : each))))
  })
  await page.route('**/api/v1/integration/drivers/snowflake/install', (route) => {
    state.requests.push('install')
    state.job = {
      ...JOB,
      ...TIMES,
      id: `0198c0de-0000-7000-8000-00000000000${state.requests.length}`, // each installation is a job of its own
      ...{ status: 'RUNNING', progress: 40, failed: false, completed: null },
      logs: `${TIMES.started} Downloading snowflake-sdk@3.3.0.\n`,
    }
    return route.fulfill(json(state.job))
  })
  await page.route('**/api/v1/background_jobs/*/cancel', (route) => {
    state.requests.push('cancel')
    const logs = `${state.job?.logs}${TIMES.started} Failed: The job was cancelled.\n`
    state.next = { status: 'FAILED', progress: 0, failed: true, completed: TIMES.started, logs }
    return route.fulfill(json(state.job))
  })
  await page.route('**/api/v1/background_jobs/*', (route) => route.fulfill(json(state.job)))
  await page.route('**/api/v1/ui/stream', (route) => {
    const { next } = state
    state.next = undefined
    if (next) state.job = { ...state.job!, ...next }
    const { logs: _, ...event } = { ...state.job } // as the server sends it: without its log
    const body = next ? `event: job\ndata: ${JSON.stringify(event)}\n\n` : ''
    return route.fulfill({ status: 200, contentType: 'text/event-stream', body: `retry: 100\n\n${body}` })
  })
}

/** The panel of a driver that is not installed. */
describe.skipIf(noBrowser())('drivers', () => {
  let app: BrowserApp
  beforeAll(async () => {
    app = await openBrowserApp()
  })
  afterAll(() => app?.[Symbol.asyncDispose]())
  afterEach(() => expect(app.problems.splice(0)).toEqual([]))

  test('an admin installs one, cancels, and tries again', async () => {
    const page = await app.page()
    const state: State = { missing: true, obstacle: null, job: null, requests: [] }
    await answer(page, state)
    await page.goto('/integrations/new?type=snowflake')
    await page.getByText('The driver for Snowflake is not installed (about 79 MB).').waitFor()
    for (const width of [1280, 390])
      for (const theme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 860 })
        await page.emulateMedia({ colorScheme: theme })
        expect(await axe(page, theme)).toEqual([])
        await saveScreenshot(page, `driver-missing-${width}-${theme}`)
      }
    await page.getByRole('button', { name: 'Install driver' }).click()
    await page.getByRole('progressbar').waitFor()
    expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40')
    await saveScreenshot(page, 'driver-installing-390-dark')
    await page.getByText('Install the driver for Snowflake').locator('..').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alert').getByText('The job was cancelled.').waitFor()
    await saveScreenshot(page, 'driver-failed-390-dark')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('progressbar').waitFor()
    state.missing = false
    state.next = COMPLETED
    await page.getByText('Install the driver for Snowflake').waitFor({ state: 'detached' })
    await page.getByText('is not installed').waitFor({ state: 'detached' })
    expect(state.requests).toEqual(['install', 'cancel', 'install'])
  })

  test('a completed installation that this server does not have was made on another machine', async () => {
    const page = await app.page()
    const state: State = { missing: true, obstacle: null, job: null, requests: [] }
    await answer(page, state)
    await page.goto('/integrations/new?type=snowflake')
    await page.getByRole('button', { name: 'Install driver' }).click()
    await page.getByRole('progressbar').waitFor()
    state.next = COMPLETED
    await page.getByText('The driver for Snowflake was installed on another machine.').waitFor()
    await page.getByText('Share the data folder between the servers, or install the driver on each.').waitFor()
    expect(await page.getByRole('progressbar').count()).toBe(0)
    for (const width of [1280, 390])
      for (const theme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 860 })
        await page.emulateMedia({ colorScheme: theme })
        expect(await axe(page, theme)).toEqual([])
        await saveScreenshot(page, `driver-elsewhere-${width}-${theme}`)
      }
  })

  test('where the server cannot install it, the panel says what to do', async () => {
    const page = await app.page()
    const obstacle =
      'There is no npm on this server. Install npm, or use an image that contains the driver (npm run image -- --with snowflake-sdk).'
    await answer(page, { missing: true, obstacle, job: null, requests: [] })
    await page.goto('/integrations/new?type=snowflake')
    await page.getByText(obstacle).waitFor()
    expect(await page.getByRole('button', { name: 'Install driver' }).count()).toBe(0)
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 860 })
      await saveScreenshot(page, `driver-obstacle-${width}`)
    }
  })
})
