import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { GROUPS, PEOPLE, TEAMS } from '../../src/operations/demo/people.ts'
import { axe, type BrowserApp, noBrowser, openBrowserApp, saveScreenshot } from './browser.ts'

const TABLE = '60cd12ca-70e8-5a88-bb18-06d4cbfc2388' // orders
const DERIVED = '408240dd-3987-558d-9644-7e6034b36de5' // fct_orders, which has an incident
const DOCUMENT = '0fa95307-80ae-5d85-8b08-cc69d8a85f32'
const ASKED_ABOUT = '13f4bcdc-d1f5-58bd-9610-666a3d34acbd' // revenue_by_country, with an open question

describe.skipIf(noBrowser())('working together', () => {
  let app: BrowserApp
  beforeAll(async () => {
    app = await openBrowserApp()
  })
  afterAll(() => app?.[Symbol.asyncDispose]())
  afterEach(() => expect(app.problems.splice(0)).toEqual([]))

  test('a viewer comments on a column from the columns, an editor replies and resolves', async () => {
    const viewer = await app.page({ role: 'viewer' })
    await viewer.goto(`/r/${TABLE}?tab=columns&q=status`)
    await viewer.getByRole('link', { name: /^status: 1 open discussion$/ }).click()
    await viewer.getByText('About the column').waitFor()
    await viewer.getByRole('textbox', { name: 'Start a discussion' }).fill('Is **lost** a status?')
    await viewer.getByRole('button', { name: 'Comment', exact: true }).click()
    const written = viewer.getByRole('article', { name: 'Discussion' }).filter({ hasText: 'Is lost a status?' })
    await written.getByRole('link', { name: 'status' }).waitFor()

    const editor = await app.page({ role: 'editor' })
    await editor.goto(`/r/${TABLE}?tab=discussion`)
    const thread = editor.getByRole('article', { name: 'Discussion' }).filter({ hasText: 'Is lost a status?' })
    await thread.getByRole('button', { name: 'Reply' }).click()
    await thread.getByRole('textbox', { name: 'Your reply' }).fill('No.')
    await thread.getByRole('button', { name: 'Reply' }).click()
    await thread.getByText('No.').waitFor()
    await thread.getByRole('button', { name: 'Resolve' }).click()
    await thread.waitFor({ state: 'detached' })
    await editor.getByRole('button', { name: /^Show 2 resolved discussions$/ }).click()
    await thread.getByText('Resolved by').waitFor()
  })

  test('what needs a person is listed, and hidden with undo', async () => {
    const { me } = (await app.call('GET', '/ui/bootstrap')).body as { me: { id: string } }
    await app.call('PATCH', `/resource/all/${DERIVED}`, { owners: [me.id] })
    await app.call('PATCH', `/resource/all/${ASKED_ABOUT}`, { owners: [me.id] })
    const page = await app.page()
    await page.goto('/needs-you')
    await page.getByRole('region', { name: 'Unanswered questions' }).getByText('demo_marts.revenue_by_country').waitFor()
    const incidents = page.getByRole('region', { name: 'Open incidents' })
    await incidents.getByRole('button', { name: 'Hide' }).first().click()
    await page.getByRole('menuitem', { name: 'Hide for a week' }).click()
    await page.getByText('Hidden from your list').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await incidents.waitFor()
    expect(await axe(page)).toEqual([])
  })

  test('a document is discussed, and its versions are read, on its own page', async () => {
    const page = await app.page({ role: 'editor' })
    await page.goto(`/documents/${DOCUMENT}`)
    await page.getByRole('button', { name: /^Discussion/ }).click()
    await page.getByRole('textbox', { name: 'Start a discussion' }).fill('Is this still right?')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByRole('article', { name: 'Discussion' }).getByText('Is this still right?').waitFor()
    await page.reload()
    await page.getByRole('article', { name: 'Discussion' }).getByText('Is this still right?').waitFor() // open at once
    await page.getByRole('button', { name: /^Activity/ }).click()
    await page.getByRole('region', { name: 'Activity' }).getByText('version 1').waitFor()
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      expect(await axe(page, theme)).toEqual([])
    }
  })

  test('a notification and an entry of the history say why one was notified', async () => {
    const { me } = (await app.call('GET', '/ui/bootstrap')).body as { me: { id: string } }
    const { body } = await app.call('POST', '/resource/catalog', { title: 'asked about', entity_type: 'table', owners: [me.id] })
    await app.call('POST', '/comments', { resource_id: body.id, text: 'Mine.' })
    const page = await app.page()
    await page.goto(`/r/${body.id}?tab=activity`)
    await page.getByRole('button', { name: 'Who was notified and why' }).first().click()
    await page
      .getByRole('dialog', { name: 'Who was notified and why' })
      .getByText('People are not notified of what they do themselves.')
      .waitFor()
    await page.keyboard.press('Escape')
    const editor = await app.page({ role: 'editor' })
    await editor.goto(`/r/${body.id}?tab=discussion`)
    await editor.getByRole('textbox', { name: 'Start a discussion' }).fill('Which one?')
    await editor.getByRole('button', { name: 'Comment', exact: true }).click()
    await editor.getByText('Which one?').waitFor()
    await page.getByRole('button', { name: 'Inbox' }).first().click()
    const item = page.getByRole('listitem').filter({ hasText: 'asked about' })
    await item.getByRole('button', { name: 'Why did I get this?' }).click()
    await page.getByText('The event is addressed to this person.').waitFor()
    expect(await axe(page)).toEqual([])
  })

  test('names lead to people and teams, and a wrong number to its cause', async () => {
    const page = await app.page({ role: 'viewer' })
    await page.goto(`/people/${PEOPLE.grace.id}`)
    await page.getByRole('heading', { name: 'Grace Lindqvist' }).waitFor()
    expect(await page.getByText('grace@shop.example.com').count()).toBe(0)
    const editor = await app.page({ role: 'editor' })
    await editor.goto(`/people/${PEOPLE.grace.id}`)
    await editor.getByRole('link', { name: 'grace@shop.example.com' }).waitFor()
    await editor.getByRole('link', { name: TEAMS.shop.name }).click()
    await editor.getByRole('link', { name: 'Ada Okafor' }).waitFor()
    await page.goto(`/why/${DERIVED}`)
    await page.getByRole('link', { name: 'View incident' }).first().waitFor()
  })

  if (process.env.SHOTS)
    test('looks right on every width, in both themes and for every role', async () => {
      const pages = [
        ['discussion', `/r/${TABLE}?tab=discussion`],
        ['needs-you', '/needs-you'],
        ['person', `/people/${PEOPLE.grace.id}`],
        ['team', `/teams/${TEAMS.shop.id}`],
        ['group', `/groups/${GROUPS.data.id}`],
        ['why', `/why/${DERIVED}`],
        ['columns', `/r/${TABLE}?tab=columns`],
      ] as const
      for (const role of ['admin', 'editor', 'viewer'] as const)
        for (const width of [1280, 390])
          for (const theme of ['light', 'dark'] as const) {
            if (role !== 'admin' && theme === 'dark') continue
            const page = await app.page({ role, width, theme })
            for (const [name, path] of pages) {
              await page.goto(path)
              await page.locator('h1, [role=alert]').first().waitFor()
              await page.waitForLoadState('networkidle')
              await saveScreenshot(page, `together-${name}-${role}-${width}-${theme}`)
            }
            await page.close()
          }
    })
})
