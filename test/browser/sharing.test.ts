import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { axe, type BrowserApp, noBrowser, openBrowserApp, saveScreenshot } from './browser.ts'

const ORDERS = '60cd12ca-70e8-5a88-bb18-06d4cbfc2388'
const DOCUMENT = '0fa95307-80ae-5d85-8b08-cc69d8a85f32'

/** What people without an account see, and what admins do about it. */
describe.skipIf(noBrowser())('sharing and backups', () => {
  let app: BrowserApp
  let backups: string
  beforeAll(async () => {
    backups = await mkdtemp(join(tmpdir(), 'tablinum-backups-'))
    app = await openBrowserApp({ TABLINUM_BACKUPS: backups })
  })
  afterAll(async () => {
    await app?.[Symbol.asyncDispose]()
    await rm(backups, { recursive: true, force: true })
  })

  const overflows = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth')
  afterEach(() => app.problems.splice(0))

  test('an admin shares a document by a public link and revokes it', async () => {
    const page = await app.page()
    await page.goto('/settings/server')
    await page.getByRole('switch', { name: 'Public links' }).click()
    await page.getByRole('switch', { name: 'Public links', checked: true }).waitFor()
    await page.goto(`/documents/${DOCUMENT}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Public link' }).click()
    const dialog = page.getByRole('dialog', { name: 'Public link' })
    await dialog.getByLabel('Expires in').selectOption('7')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const url = await dialog.locator('code', { hasText: '/shared/' }).innerText()
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
    await page.goto(`/r/${ORDERS}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Copy embed code' }).click()
    await page.getByRole('dialog', { name: 'Embed code' }).getByRole('link', { name: 'Open sharing settings' }).click()
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

  test('a public page shows its own image, and health in words', async () => {
    await app.call('PUT', '/sharing/settings', { embed_origins: [], public_links: true })
    const { id } = (await app.call('POST', '/resource/catalog', { entity_type: 'document', title: 'Returns', published: true })).body
    const uploaded = await fetch(`${app.address}/api/v1/resource/all/${id}/attachments?name=logo.png`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.token}` },
      body: await readFile('docs/images/what-if.png'),
    })
    const { url } = (await uploaded.json()) as { url: string }
    await app.call('PATCH', `/resource/all/${id}`, {
      description: 'How returns are counted.',
      definition: `## Where they are\n\n![The shelf](${url})\n\nSee [the plan](${url}).`,
      deprecation: { reason: 'There is a newer one.' },
    })
    const { body: link } = await app.call('POST', `/resource/all/${id}/public_links`, {})
    for (const [theme, width] of [
      ['light', 1280],
      ['dark', 390],
    ] as const) {
      const reader = await app.page({ role: null, theme, width })
      await reader.goto(link.url)
      const image = reader.getByRole('img', { name: 'The shelf' })
      await image.waitFor()
      await expect.poll(() => reader.evaluate(`document.querySelector('.prose img').naturalWidth`)).toBeGreaterThan(0)
      await reader.getByText('Deprecated', { exact: true }).waitFor()
      expect(await reader.title()).toBe('Returns · Tablinum')
      expect(await axe(reader, theme)).toEqual([])
      expect(await overflows(reader)).toBe(false)
      await saveScreenshot(reader, `shared-image-${theme}`)
    }
    expect(app.problems.splice(0)).toEqual([])
  })

  test('an admin sets up scheduled backups and sees why the last one failed', async () => {
    const page = await app.page({ width: 390 })
    await page.goto('/settings/server')
    const form = page.getByRole('form', { name: 'Scheduled backups' })
    await form.getByText(backups).waitFor()
    await form.getByRole('switch', { name: 'Scheduled backups' }).click()
    await form.getByRole('switch', { name: 'Scheduled backups', checked: true }).waitFor()
    await form.getByLabel('Frequency').selectOption('weekly')
    await form.getByLabel('On', { exact: true }).selectOption('Monday')
    await form.getByLabel('At', { exact: true }).selectOption('04:00')
    await form.getByLabel('Keep the last').fill('3')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(async () => (await app.call('GET', '/server/backups/schedule')).body)
      .toMatchObject({
        keep: 3,
        schedule: { cadence: 'weekly', day: 1, hour: 4 },
      })
    const at = new Date(Date.now() - 3_600_000)
    await app.db
      .insertInto('backups')
      .values({ id: newId(), method: 'schedule', started_at: at, finished_at: at, error: 'no space left on device, write' })
      .execute()
    await page.reload()
    await form.getByText(/^Last backup failed 1 hour ago: no space left/).waitFor()
    await form.getByText(/^Next backup/).waitFor()
    await expect.poll(() => form.getByLabel('Keep the last').inputValue()).toBe('3')
    expect(await axe(page)).toEqual([])
    expect(await overflows(page)).toBe(false)
    await form.scrollIntoViewIfNeeded()
    await saveScreenshot(page, 'backup-schedule-phone')
    const dark = await app.page({ theme: 'dark' })
    await dark.goto('/settings/server')
    await dark
      .getByRole('form', { name: 'Scheduled backups' })
      .getByText(/^Last backup failed/)
      .waitFor()
    await dark.getByRole('form', { name: 'Scheduled backups' }).scrollIntoViewIfNeeded()
    expect(await axe(dark, 'dark')).toEqual([])
    await saveScreenshot(dark, 'backup-schedule-dark')
    await dark.goto('/needs-you')
    await dark.getByRole('region', { name: 'Failed backups' }).getByText('no space left on device, write').waitFor()
    await saveScreenshot(dark, 'needs-you-backups')
    await dark.getByRole('region', { name: 'Failed backups' }).getByRole('link').click()
    await dark.getByRole('form', { name: 'Scheduled backups' }).waitFor()
    await form.getByRole('switch', { name: 'Scheduled backups' }).click()
    await form.getByRole('switch', { name: 'Scheduled backups', checked: false }).waitFor()
    expect(app.problems.splice(0)).toEqual([])
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
