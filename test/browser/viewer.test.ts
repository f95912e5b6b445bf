import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type BrowserApp, noBrowser, openBrowserApp, runCommand } from './browser.ts'

/** Where the focus is: `visible` (a ring, a caret, or the content of a page that was just opened), or the element that has it unseen. */
const FOCUS = `(() => {
  const element = document.activeElement
  if (!element || element === document.body) return 'nowhere'
  const { width, height, top, bottom } = element.getBoundingClientRect()
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const caret = element.matches('input, textarea, [contenteditable=true]')
  const shown = caret || element.id === 'content' || (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0)
  const inSight = width > 0 && height > 0 && bottom > 0 && top < innerHeight
  return shown && inSight ? 'visible' : element.outerHTML.slice(0, 300)
})()`
const expectFocusVisible = (page: Page) => eventually(async () => expect(await page.evaluate(FOCUS)).toBe('visible'))

const MAX_TABS = 80

/** Presses Tab until the element has the focus, which is visible all the way. */
const tabTo = async (page: Page, target: Locator, key = 'Tab') => {
  await target.waitFor()
  for (let i = 0; i < MAX_TABS; i++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press(key)
    await expectFocusVisible(page)
  }
  throw new Error(`${target} cannot be reached with ${MAX_TABS} times ${key}.`)
}

/** The app for invited users, viewers, guests, users without a mouse, on a phone, and in German. */
describe.skipIf(noBrowser())('all kinds of users', () => {
  let app: BrowserApp
  beforeAll(async () => {
    app = await openBrowserApp()
  })
  afterAll(() => app?.[Symbol.asyncDispose]())
  afterEach(() => expect(app.problems.splice(0)).toEqual([]))

  test('an invited user can sign in before the admin has a password', async () => {
    const { body: user } = await app.call('POST', '/user', { email: 'eddi@example.com', role: 'viewer' })
    const { body: invitation } = await app.call('POST', `/user/${user.id}/invitation`)
    const page = await app.page({ role: null })
    await page.goto(`/welcome#code=${invitation.code}`)
    await page.getByLabel('Password', { exact: true }).fill('a long enough secret')
    await page.getByLabel('Confirm password').fill('a long enough secret')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: /What are you looking for/ }).waitFor()
    const other = await app.page({ role: null })
    await other.goto('/')
    await other.getByLabel('E-mail or name').fill('eddi@example.com')
    await other.getByLabel('Password').fill('a long enough secret')
    await other.getByRole('button', { name: 'Sign in', exact: true }).click()
    await other.getByRole('heading', { name: /What are you looking for/ }).waitFor()
  })

  test('shows a guest an empty state without actions they cannot perform', async () => {
    const page = await app.page({ role: 'guest' })
    for (const path of ['/', '/search']) {
      await page.goto(path)
      await page.getByText('Nothing is shared with you yet.').waitFor()
      expect(await page.getByText('Getting started').count()).toBe(0)
    }
  })

  test('a viewer is told what they may not see, what a dashboard contains, and which columns changed', async () => {
    const page = await app.page({ role: 'viewer' })
    await page.goto('/r/408240dd-3987-558d-9644-7e6034b36de5') // fct_orders, whose sources are not published
    await page.getByText(/resources? you can’t see/).waitFor()
    await page.goto('/r/9c4f9580-350e-5658-8f09-c93ee0465624') // a dashboard without documentation
    await page.getByRole('heading', { name: 'Morning numbers' }).waitFor()
    await page.locator('[aria-current=page]', { hasText: 'Contents' }).waitFor()
    await page.locator('#content').getByRole('link', { name: 'Net revenue by day' }).waitFor()
    await page.goto('/r/60cd12ca-70e8-5a88-bb18-06d4cbfc2388?tab=schema') // orders
    await page.getByRole('region', { name: 'Health' }).getByText('changed the type of shipping_total from integer').waitFor()
    await page.getByRole('heading', { name: /^May break/ }).waitFor()
  })

  test('a viewer is shown no settings of a monitor that they may not read', async () => {
    const monitor = { target: '60cd12ca-70e8-5a88-bb18-06d4cbfc2388', metric_type: 'row_count' } // of orders
    const { id } = (await app.call('POST', '/monitor/monitors', monitor)).body as { id: string }
    for (const [role, rows] of [
      ['viewer', 0],
      ['editor', 1],
    ] as const) {
      const page = await app.page({ role })
      await page.goto(`/monitors/${id}`)
      await page.getByText('Schedule', { exact: true }).waitFor()
      expect(await page.getByText('Filter (WHERE)').count()).toBe(rows)
    }
  })

  test('a viewer reads owners, breadcrumbs and versions, and cannot restore', async () => {
    const { body: people } = await app.call('GET', '/user?name=Grace')
    const { body: schema } = await app.call('POST', '/resource/catalog', { title: 'pantry', entity_type: 'schema' })
    const created = { title: 'quince_jars', entity_type: 'table', parent: schema.id, owners: [people.results[0].id], description: 'One.' }
    const { body: table } = await app.call('POST', '/resource/catalog', created)
    await app.call('PATCH', `/resource/all/${table.id}`, { published: true, description: 'Two.' })
    const page = await app.page({ role: 'viewer' })
    await page.goto(`/r/${table.id}?tab=activity`)
    await page.getByText('Grace Lindqvist').first().waitFor()
    await page.getByRole('link', { name: 'pantry' }).first().waitFor()
    await page.getByRole('button', { name: 'Show changes' }).first().waitFor()
    expect(await page.getByRole('button', { name: 'Restore' }).count()).toBe(0)
  })

  test('a day without a mouse: the focus is always visible and never lost', async () => {
    const { body: user } = await app.call('POST', '/user', { email: 'kim@example.com', role: 'editor' })
    const { body: invitation } = await app.call('POST', `/user/${user.id}/invitation`)
    await app.call('POST', '/auth/invitation/accept', { code: invitation.code, password: 'a long enough secret' })
    const page = await app.page({ role: null })
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await page.goto('/')
    await tabTo(page, page.getByLabel('E-mail or name'))
    await page.keyboard.type('kim@example.com')
    await tabTo(page, page.getByLabel('Password'))
    await page.keyboard.type('a long enough secret')
    await press('Enter')
    await page.getByRole('heading', { name: /What are you looking for/ }).waitFor()
    await expectFocusVisible(page)

    await page.keyboard.type('fct_orders')
    await page
      .getByRole('option', { name: /^fct_orders/ })
      .first()
      .waitFor()
    await press('ArrowDown', 'Enter')
    await page.getByRole('heading', { level: 1, name: 'fct_orders' }).waitFor()
    await expectFocusVisible(page)
    const { id } = (await app.call('GET', '/search?q=fct_orders&entity_type=table')).body.results[0]
    const read = async () => (await app.call('GET', `/resource/all/${id}`)).body

    await runCommand(page, page.getByRole('textbox', { name: 'Documentation in Markdown' }), 'e')
    await expectFocusVisible(page)
    await press('Control+End', 'Enter')
    await page.keyboard.type('Typed by Kim.')
    await press('Control+s')
    await eventually(async () => expect((await read()).definition).toContain('Typed by Kim.'))
    await press('Escape', 'Escape') // the first may close suggestions of people, the second lets Tab leave the editor
    await tabTo(page, page.getByRole('button', { name: 'Done' }), 'Shift+Tab')
    await press('Enter')
    await eventually(async () => expect(await page.locator(':focus').textContent()).toBe('Edit'))

    await tabTo(page, page.getByRole('button', { name: 'Edit tags' }))
    await press('Enter')
    await page.getByPlaceholder('Tags').waitFor()
    await page.keyboard.type('by keyboard')
    await page.getByRole('option', { name: 'Create “by keyboard”' }).waitFor()
    await press('Enter')
    await eventually(async () => expect((await read()).tags.length).toBeGreaterThan(0))
    await press('Escape')
    await expectFocusVisible(page)

    await tabTo(
      page,
      page
        .getByRole('main')
        .getByRole('link', { name: /^Lineage/ })
        .first(),
      'Shift+Tab',
    )
    await press('Enter')
    await tabTo(page, page.getByRole('button', { name: /^fct_orders/ }).first())
    await press('ArrowRight')
    await eventually(async () => expect(await page.locator(':focus').textContent()).not.toMatch(/^fct_orders/))
    await expectFocusVisible(page)
    await press('Escape')
    await runCommand(page, page.getByRole('heading', { level: 1, name: 'Incidents' }), 'g', 'o')
    const [incident] = (await app.call('GET', '/monitor/incidents?status=open')).body.results
    await expectFocusVisible(page)
    await tabTo(page, page.locator(`main a[href="/incidents/${incident.id}"]`).first())
    await press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'Resolve', exact: true }))
    await press('Enter')
    await eventually(async () => expect(await page.locator(':focus').textContent()).toBe('Reopen'))

    await runCommand(page, page.getByRole('heading', { name: 'Profile' }).first(), 'g', 's')
    await press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.keyboard.type('sign out')
    await page.getByRole('option', { name: /Sign out/, selected: true }).waitFor()
    await press('Enter')
    await page.getByLabel('E-mail or name').waitFor()
    expect((await page.request.get('/api/v1/user/me')).status()).toBe(401)
  })

  test('small things: a peek of a wide table, switches of channels that are not set up, and column descriptions on a phone', async () => {
    const { body: table } = await app.call('POST', '/resource/catalog', {
      title: 'wide_quinces',
      entity_type: 'table',
      published: true,
      definition: `\`\`\`\n${'select '.repeat(80)}\n\`\`\`\n`,
    })
    for (let i = 0; i < 21; i++) await app.call('POST', '/table/columns', { title: `c${i}`, parent: table.id, type: 'timestamp' })
    const page = await app.page({ role: 'editor', width: 390 })
    await page.goto(`/r/${table.id}?tab=columns`)
    await page.getByRole('button', { name: /^Edit description of c0/ }).click()
    await page.getByRole('textbox', { name: /^Description of c0/ }).fill('typed on a phone')
    await page.keyboard.press('Enter')
    await eventually(async () => {
      const { body } = await app.call('GET', `/table/columns?parent_id=${table.id}&page_size=100`)
      expect(body.results.map(({ description }: { description: string }) => description)).toContain('typed on a phone')
    })
    await page.goto('/settings/notifications')
    for (const name of ['Notify me by e-mail', 'Notify me on Slack']) {
      const channel = page.getByRole('switch', { name })
      await channel.waitFor()
      await eventually(async () => expect([await channel.isChecked(), await channel.isDisabled()]).toEqual([false, true]))
    }
    const wide = await app.page({ role: 'editor' })
    await wide.goto(`/search?q=wide_quinces&peek=${table.id}`)
    const peek = wide.getByRole('complementary', { name: 'Quick preview' })
    await peek.getByText('and 1 other').waitFor()
    const overflow =
      '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector(\'aside[aria-label="Quick preview"]\'))'
    expect(await wide.evaluate(overflow)).toBe(0)
  })

  test('texts of the server are in the language of the app', async () => {
    const page = await app.page()
    await page.goto('/settings/profile')
    await page.getByRole('button', { name: 'App language: English' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { name: 'Sprache' }).waitFor()

    const { body: table } = await app.call('POST', '/resource/catalog', { title: 'quittung', entity_type: 'table' })
    await app.call('PATCH', `/resource/all/${table.id}`, { verified: true })
    await page.goto(`/r/${table.id}?tab=activity`)
    await page.getByText('hat quittung als geprüft markiert').waitFor()
    await page.getByText('hat die Tabelle quittung erstellt').waitFor()
    await page.goto('/activity?type=resource_')
    await page.getByText('hat die Tabelle quittung erstellt').waitFor()

    const [incident] = (await app.call('GET', '/monitor/incidents')).body.results
    await page.goto(`/incidents/${incident.id}`)
    await page.getByText(/(über|unter) der Grenze von/).waitFor()

    await page.goto('/integrations/new')
    await page.getByRole('link', { name: 'PostgreSQL' }).click()
    await page.getByLabel('Name').fill('Lager')
    await page.getByLabel('Benutzer').fill('leser')
    await page.keyboard.press('Enter')
    await page.getByText('ist erforderlich.').first().waitFor()
    await page.goto('/lineage/not-an-id')
    await page.getByText('Der Server antwortete: resource_id: must be a UUID.').waitFor()
  })
})
