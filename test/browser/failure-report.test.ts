import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser, skipWithoutBrowser } from './chromium.ts'
import { describePage, recordPointer } from './failure-report.ts'

/** What a failed browser test prints. */
describe.skipIf(skipWithoutBrowser())('the report of a failed browser test', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  const open = async (body: string): Promise<Page> => {
    const context = await browser.newContext()
    await recordPointer(context)
    const page = await context.newPage()
    await page.goto(`data:text/html,${encodeURIComponent(body)}`)
    return page
  }
  const listPresses = async (page: Page) =>
    (await describePage(page)).split('\n').flatMap((line) => /^\d.* s (\w+ at .*)$/.exec(line)?.[1] ?? [])

  test('names the last presses, those without a click, and what became of their elements', async () => {
    const style = 'position: fixed; width: 100px; height: 20px; left: 0; top:'
    const page = await open(`
      <button style="${style} 0">Stays</button>
      <button style="${style} 100px" onpointerdown="this.style.top = '200px'">Moves</button>
      <button style="${style} 300px" onpointerdown="this.replaceWith(this.cloneNode(true))">Is replaced</button>`)
    for (const y of [10, 110, 310]) await page.mouse.click(10, y)
    expect(await listPresses(page)).toEqual([
      'pointerdown at 10, 10 on <button> "Stays"',
      'mousedown at 10, 10 on <button> "Stays"',
      'pointerup at 10, 10 on <button> "Stays"',
      'click at 10, 10 on <button> "Stays"',
      'pointerdown at 10, 110 on <button> "Moves"',
      'mousedown at 10, 110 on <button> "Moves"',
      'pointerup at 10, 110 on <body> "Stays Moves Is replaced"; the pressed element was moved by 0, 100',
      'click at 10, 110 on <body> "Stays Moves Is replaced"; not where it was pressed',
      'pointerdown at 10, 310 on <button> "Is replaced"',
      'mousedown at 10, 310 on <body> "Stays Moves Is replaced"',
      'pointerup at 10, 310 on <button> "Is replaced"; the pressed element was removed; no click followed',
    ])
  })

  test('keeps twenty events, shows what is on the page, and is bounded', async () => {
    const page = await open('<script>for (let i = 0; i < 1000; i++) document.write("<p>Paragraph " + i + "</p>")</script>')
    for (let i = 0; i < 10; i += 1) await page.mouse.click(i, 10)
    const report = await describePage(page)
    expect(report).toContain('- paragraph: Paragraph 1\n')
    expect(report.length).toBe(8_000)
    expect(await listPresses(page)).toHaveLength(20)
  })

  test('of a page that hangs, says so', async () => {
    const page = await open('<button>Hang</button>')
    await page.evaluate('void setTimeout(() => { for (;;); })')
    expect(await describePage(page, 1_000)).toMatch(/^Page: data:.*, which does not answer$/)
  })
})
