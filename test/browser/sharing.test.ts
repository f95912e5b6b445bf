import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { axe, type BrowserApp, noBrowser, openBrowserApp, saveScreenshot } from './browser.ts'

const ORDERS = '60cd12ca-70e8-5a88-bb18-06d4cbfc2388'
const DOCUMENT = '0fa95307-80ae-5d85-8b08-cc69d8a85f32'

/** What people without an account see, and what admins do about it. */
describe.skipIf(noBrowser())('sharing and backups', () => {
  let app: BrowserApp
  beforeAll(async () => {
    app = await openBrowserApp()
  })
  afterAll(() => app?.[Symbol.asyncDispose]())
  afterEach(() => app.problems.splice(0))

  test('an admin shares a document by a public link and revokes it', async () => {
    const page = await app.page()
    await page.goto('/settings/server')
    await page.getByRole('switch', { name: 'Public links' }).click()
    await page.getByRole('switch', { name: 'Public links', checked: true }).waitFor()
    await page.goto(`/r/${DOCUMENT}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Public link' }).click()
    const dialog = page.getByRole('dialog', { name: 'Public link' })
    await dialog.getByLabel('Expires in').selectOption('7')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const url = await dialog.locator('code', { hasText: '/shared#' }).innerText()
    await saveScreenshot(page, 'public-link')

    const { body: document } = await app.call('GET', `/resource/all/${DOCUMENT}`)
    const reader = await app.page({ role: null })
    await reader.goto(url)
    await reader.getByRole('heading', { level: 1, name: document.title }).waitFor()
    await reader.locator('.prose').waitFor()
    expect(await reader.locator('main').innerHTML()).not.toContain('/r/')
    expect(await axe(reader)).toEqual([])
    await saveScreenshot(reader, 'shared')

    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await dialog.getByText('Revoked').waitFor()
    await reader.reload()
    await reader.getByText('This page is not available').waitFor()
  })

  test('a card is shown in a frame of an allowed site, and of no other', async () => {
    const serve = async () => {
      const site = createServer((request, response) => {
        const card = new URL(request.url!, 'http://x').searchParams.get('card') ?? ''
        response
          .setHeader('content-type', 'text/html')
          .end(`<title>wiki</title><iframe src="${card.replaceAll('&', '&amp;')}" width="800" height="600"></iframe>`)
      }).listen(0, '127.0.0.1')
      await once(site, 'listening')
      return { origin: `http://127.0.0.1:${(site.address() as AddressInfo).port}`, [Symbol.asyncDispose]: async () => void site.close() }
    }
    await using wiki = await serve()
    await using other = await serve()
    const page = await app.page()
    await page.goto('/settings/server')
    await page.getByLabel('Sites that may show cards of tables').fill(`${wiki.origin}/page`)
    const form = page.getByRole('form', { name: 'Sharing' })
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('without a path').waitFor()
    await page.getByLabel('Sites that may show cards of tables').fill(wiki.origin)
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await page.goto(`/r/${ORDERS}`)
    await page.evaluate('navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve() }')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Copy embed code' }).click()
    await page.getByText('Embed code copied').waitFor()
    const html = String(await page.evaluate('window.copied'))
    const card = /src="([^"]+)"/.exec(html)![1]!.replaceAll('&amp;', '&')
    const reader = await app.page({ role: null })
    await reader.goto(`${wiki.origin}/?card=${encodeURIComponent(card)}`)
    const frame = reader.frameLocator('iframe')
    await frame.getByRole('heading', { name: 'orders' }).waitFor()
    await frame.getByText('order_number').waitFor()
    await saveScreenshot(reader, 'card')
    await reader.goto(`${other.origin}/?card=${encodeURIComponent(card)}`)
    await expect.poll(() => app.problems.join()).toContain('frame-ancestors')
    expect(await reader.frameLocator('iframe').getByText('order_number').count()).toBe(0)
  })

  test('an admin downloads a backup and sees it in the list', async () => {
    const page = await app.page()
    await page.goto('/settings/server')
    await page.getByText('No backups yet').waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download backup' }).click()])
    expect(download.suggestedFilename()).toMatch(/^tablinum-.*\.backup$/)
    await download.path()
    await page.reload()
    await page.getByRole('list', { name: 'Last backups' }).getByRole('listitem').first().waitFor()
    await saveScreenshot(page, 'backups')
  })

  test('every type of source has a mark of its own', async () => {
    const page = await app.page()
    await page.goto('/integrations/new')
    await page.locator('[data-mark=postgres]').waitFor()
    const { body: types } = await app.call('GET', '/integration/types')
    const marks = (await page.evaluate(`[...document.querySelectorAll('[data-mark]')].map((each) => each.dataset.mark)`)) as string[]
    const without = ['custom', 'connector']
    expect(marks.toSorted()).toEqual(
      types
        .map(({ type }: { type: string }) => type)
        .filter((type: string) => !without.includes(type))
        .toSorted(),
    )
    await saveScreenshot(page, 'source-marks')
    await page.goto('/tree')
    await page.locator('[role=treeitem] [data-mark]').first().waitFor()
    await page.goto(`/r/${ORDERS}`)
    await page.getByRole('complementary', { name: 'Details' }).locator('[data-mark=postgres]').waitFor()
  })
})
