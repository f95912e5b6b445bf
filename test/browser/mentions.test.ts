import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { type BrowserApp, noBrowser, openBrowserApp } from './browser.ts'

describe.skipIf(noBrowser())('mentions and tabs', () => {
  let app: BrowserApp
  beforeAll(async () => {
    app = await openBrowserApp()
  })
  afterAll(() => app?.[Symbol.asyncDispose]())
  afterEach(() => expect(app.problems.splice(0)).toEqual([]))

  /** A table with a monitor and an active incident. */
  const createIncident = async (title: string) => {
    const table = (await app.call('POST', '/resource/catalog', { entity_type: 'table', title, published: true })).body as { id: string }
    const monitor = { target: table.id, metric_type: 'pushed', key: title, name: `Rows of ${title}`, condition_manual_max: 10 }
    const { id } = (await app.call('POST', '/monitor/monitors', monitor)).body as { id: string }
    await app.call('POST', '/monitor/measurements', { measurements: [{ key: title, value: 100 }] })
    const incident = (await app.call('GET', `/monitor/incidents?monitor=${id}`)).body.results[0] as { id: string }
    return { table: table.id, incident: incident.id }
  }

  test('@ suggests people in documentation and in comments', async () => {
    const { table, incident } = await createIncident('mentioned')
    const page = await app.page()
    await page.goto(`/r/${table}?edit=1`)
    const editor = page.getByRole('textbox', { name: 'Documentation in Markdown' })
    await editor.waitFor()
    await editor.focus()
    await page.keyboard.type('Ask @Grac')
    await page.getByRole('option', { name: /Grace Lindqvist/ }).waitFor()
    await page.waitForTimeout(200) // CodeMirror ignores keys that follow the opening of the list at once
    await page.keyboard.press('Enter')
    await eventually(async () => expect(await editor.textContent()).toMatch(/^Ask @grace\S*@\S+\.\S+ $/))

    await page.goto(`/incidents/${incident}`)
    const comment = page.getByRole('textbox', { name: 'Comment' })
    await comment.focus()
    await page.keyboard.type('@Grac')
    await page.getByRole('option', { name: /Grace Lindqvist/ }).click()
    expect(await comment.inputValue()).toMatch(/^@grace\S*@\S+\.\S+ $/)
    await page.keyboard.type('and @grace')
    await page.getByRole('option', { name: /Grace Lindqvist/ }).waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('option', { name: /Grace/ }).count()).toBe(0)
    await page.keyboard.type('x')
    expect(await comment.inputValue()).toMatch(/ and @gracex$/)
  })

  test('tabs of a resource show on a phone that they scroll', async () => {
    const { table } = await createIncident('narrow')
    const page = await app.page({ width: 375 })
    await page.goto(`/r/${table}`)
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Monitors/ })
      .waitFor()
    const seen = await page.evaluate(`(() => {
      const strip = document.querySelector('main .scroll-shadows')
      return { overflows: strip.scrollWidth > strip.clientWidth, shadows: getComputedStyle(strip).backgroundAttachment }
    })()`)
    expect(seen).toEqual({ overflows: true, shadows: 'local, local, scroll, scroll' })
  })
})
