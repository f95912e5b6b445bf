import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { axe, type BrowserApp, noBrowser, openBrowserApp, saveScreenshot } from './browser.ts'

const JOB = {
  id: '0198c0de-0000-7000-8000-000000000001',
  title: 'Install the driver for Snowflake',
  logs: '',
  has_artifact: false,
  user: null,
}
const TIMES = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z', started: '2026-01-01T00:00:00Z' }

/** What the server says about its drivers: the servers of tests have all of them. */
interface State {
  missing: boolean
  obstacle: string | null
  job: object | null
  readonly requests: string[]
}

const answer = async (page: Page, state: State): Promise<void> => {
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
      status: 'RUNNING',
      progress: 40,
      failed: false,
      completed: null,
      logs: `${TIMES.started} Downloading snowflake-sdk@3.3.0.\n`,
    }
    return route.fulfill(json(state.job))
  })
  await page.route('**/api/v1/background_jobs/*/cancel', (route) => {
    state.requests.push('cancel')
    const logs = `${TIMES.started} Failed: The job was cancelled.\n`
    state.job = { ...JOB, ...TIMES, status: 'FAILED', progress: 0, failed: true, completed: TIMES.started, logs }
    return route.fulfill(json(state.job))
  })
  await page.route(`**/api/v1/background_jobs/${JOB.id}`, (route) => route.fulfill(json(state.job)))
}

/** The panel of a driver that is not installed. */
describe.skipIf(noBrowser())('drivers', () => {
  let app: BrowserApp
  beforeAll(async () => {
    app = await openBrowserApp()
  })
  afterAll(() => app?.[Symbol.asyncDispose]())
  afterEach(() => expect(app.problems.splice(0)).toEqual([]))

  test('a completed installation that this server does not have was made on another machine', async () => {
    const page = await app.page()
    const state: State = { missing: true, obstacle: null, job: null, requests: [] }
    await answer(page, state)
    await page.goto('/integrations/new?type=snowflake')
    await page.getByRole('button', { name: 'Install driver' }).click()
    await page.getByRole('progressbar').waitFor()
    state.job = { ...state.job, status: 'COMPLETED', progress: 100, completed: TIMES.started }
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
