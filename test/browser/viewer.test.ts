import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserApp, noBrowser, openBrowserApp } from './browser.ts'

/** The app for users without write access. */
describe.skipIf(noBrowser())('viewers and guests', () => {
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
})
