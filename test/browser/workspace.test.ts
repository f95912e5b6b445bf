import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { axe, type BrowserApp, noBrowser, openBrowserApp, runCommand, saveScreenshot } from './browser.ts'

/** Integrations, settings, the audit log, documents and glossary. */
describe.skipIf(noBrowser())('workspace pages', () => {
  let app: BrowserApp
  let files: string
  beforeAll(async () => {
    files = await mkdtemp(join(tmpdir(), 'tablinum-files-'))
    const bikes = new DatabaseSync(join(files, 'bikes.db'))
    bikes.exec('create table bikes_for_hire (id integer primary key, price real); create view dear_bikes as select id from bikes_for_hire')
    bikes.close()
    app = await openBrowserApp({ TABLINUM_FILES: files })
  })
  afterAll(async () => {
    await app?.[Symbol.asyncDispose]()
    if (files) await rm(files, { recursive: true })
  })
  afterEach(() => expect(app.problems.splice(0)).toEqual([]))

  test('adds a source, reports a connection error, syncs after it is fixed, and publishes its tables', async () => {
    const page = await app.page()
    await page.goto('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('body').click({ position: { x: 400, y: 5 } })
    await runCommand(page, page.getByRole('heading', { level: 1, name: 'Integrations' }), 'g', 'i')
    await page.getByRole('link', { name: 'Add integration' }).click()
    await page.getByRole('link', { name: 'SQLite' }).click()
    await page.getByLabel('Name').fill('Bikes')
    await page.getByRole('button', { name: 'Add integration' }).click()
    await page.getByText('is required.').waitFor()
    await page.getByLabel('Path').fill('no-such.db')
    await page.getByRole('button', { name: 'Add integration' }).click()

    await page.getByRole('heading', { name: 'Bikes' }).waitFor()
    await page.getByRole('alert').filter({ hasText: 'Connection failed' }).waitFor()
    await page.getByText('Never synced').waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Path').fill('bikes.db')
    await page.getByRole('dialog').getByLabel('Sync').selectOption('Every hour')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Every hour').waitFor()
    await page.getByText(/2 tables and views/).waitFor()
    await page.getByText(/2 tables, 3 columns, 1 database new/i).waitFor()
    await page.getByText('Healthy').waitFor()
    await page.getByRole('button', { name: 'Sync now' }).click()
    await page.getByText('No changes').waitFor()

    // What patterns match is shown as they are typed, without a sync.
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Permissions the user needs in the source').click()
    await dialog.getByText(/never writes them/).waitFor()
    await dialog.getByRole('button', { name: 'Preview patterns' }).click()
    await dialog.getByText('2 included, 0 excluded').waitFor()
    await dialog.locator('summary').filter({ hasText: 'archive after' }).click()
    await dialog.getByLabel(/^Exclude/).fill('dear_*')
    await dialog.getByText('1 included, 1 excluded').waitFor()
    // Schemas, or what the source has instead of them, are chosen by keyboard instead of typed.
    await dialog.getByRole('button', { name: 'Choose what to exclude' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Choose what to exclude' }).waitFor()
    await page.keyboard.type('bik')
    await page.getByRole('option', { name: /^bikes/ }).waitFor()
    expect(await axe(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await eventually(async () => expect(await dialog.getByLabel(/^Exclude/).inputValue()).toMatch(/^dear_\*, bikes\S*\.\*$/))
    await dialog.getByText('0 included, 2 excluded').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    const viewer = await app.page({ role: 'viewer' })
    await viewer.goto('/search?q=bikes')
    await viewer.getByText('No results').waitFor()
    await page.getByText('2 tables are not published').waitFor()
    await page.getByRole('link', { name: 'Choose what to publish' }).click()
    await page.getByRole('grid').getByRole('checkbox', { name: 'Select bikes_for_hire' }).check()
    await page.getByRole('button', { name: 'Select all 2' }).click()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Publish: 2 resources').waitFor()
    await viewer.reload()
    await viewer
      .getByRole('grid')
      .getByRole('link', { name: /bikes_for_hire/ })
      .first()
      .waitFor()
  })

  test('editors can view but not manage sources; viewers cannot see them', async () => {
    const editor = await app.page({ role: 'editor' })
    await editor.goto('/integrations')
    await editor.getByRole('link', { name: /Shop warehouse/ }).click()
    await editor.getByRole('heading', { name: /Shop warehouse/ }).waitFor()
    await editor.getByText('Last sync').waitFor()
    expect(await editor.getByRole('button', { name: /Sync now|Edit|Delete/ }).count()).toBe(0)
    const viewer = await app.page({ role: 'viewer' })
    await viewer.goto('/integrations')
    await viewer.getByText('You don’t have access').waitFor()
    expect(await viewer.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Integrations' }).count()).toBe(0)
  })

  test('shows a new token once, and revoking it disables it', async () => {
    const page = await app.page()
    await page.goto('/settings/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Nightly script')
    await page.getByRole('dialog').getByLabel('Scope').selectOption('Read')
    await page.getByRole('button', { name: 'Create token' }).click()
    const shown = page.getByRole('textbox', { name: 'Token' })
    await shown.waitFor()
    const token = await shown.inputValue()
    expect(token).toMatch(/^tbl_/)
    const fetchUser = () => fetch(`${app.address}/api/v1/user/me`, { headers: { authorization: `Bearer ${token}` } })
    expect(await (await fetchUser()).json()).toMatchObject({ scope: 'read' })
    await page.getByRole('button', { name: 'Done' }).click()
    await page.reload()
    await page.getByRole('listitem').filter({ hasText: 'Nightly script' }).getByRole('button', { name: 'Revoke' }).click()
    expect(await page.content()).not.toContain(token)
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Nightly script revoked').waitFor()
    expect((await fetchUser()).status).toBe(401)
  })

  test('allows an application to connect, and revokes it; accepts a change it suggested', async () => {
    const page = await app.page()
    const callback = `${app.address}/trash`
    const client = await fetch(`${app.address}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Robot', redirect_uris: [callback] }),
    })
    const { client_id } = (await client.json()) as { client_id: string }
    const verifier = 'v'.repeat(43)
    const code_challenge = createHash('sha256').update(verifier).digest('base64url')
    const request = { client_id, redirect_uri: callback, response_type: 'code', code_challenge, code_challenge_method: 'S256' }
    // A request that is not valid leads nowhere without a click.
    await page.goto(`/oauth/authorize?${new URLSearchParams({ ...request, response_type: 'token', state: '6' })}`)
    await page.getByText('Robot sent a request that is not valid.').waitFor()
    expect(await axe(page)).toEqual([])
    await page.getByRole('button', { name: 'Back to the application' }).click()
    await page.waitForURL(/trash\?error=unsupported_response_type/)
    await page.goto(`/oauth/authorize?${new URLSearchParams({ ...request, scope: 'read write', state: '7' })}`)
    await page.getByText('Robot wants to use Tablinum as').waitFor()
    await page.getByText('The application chose its name itself.').waitFor()
    expect(await axe(page)).toEqual([])
    await saveScreenshot(page, 'consent')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(/trash\?code=/)
    const { searchParams } = new URL(page.url())
    expect(searchParams.get('state')).toBe('7')
    const form = { grant_type: 'authorization_code', client_id, code: searchParams.get('code')!, code_verifier: verifier }
    const granted = await fetch(`${app.address}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
    const { access_token } = (await granted.json()) as { access_token: string }

    const [table] = (await app.call('GET', '/search?q=fct_orders&entity_type=table')).body.results
    const params = {
      name: 'suggest_change',
      arguments: { id: table.id, field: 'description', value: 'Suggested words.', reason: 'Its SQL.' },
    }
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${access_token}`,
    }
    const call = { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) }
    expect(await (await fetch(`${app.address}/mcp`, call)).text()).toContain('Suggested words.')
    await page.goto(`/r/${table.id}`)
    const suggestion = page.getByRole('region', { name: 'Suggested changes' })
    await suggestion.getByText('By an agent').waitFor()
    await saveScreenshot(page, 'suggestion')
    await suggestion.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Change applied').waitFor()
    await suggestion.waitFor({ state: 'detached' })
    await page.getByText('Suggested words.').waitFor()

    await page.goto('/settings/tokens')
    await page.getByRole('listitem').filter({ hasText: 'Connected application' }).getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Robot revoked').waitFor()
    expect((await fetch(`${app.address}/mcp`, call)).status).toBe(401)
  })

  test('creates a channel and a rule that sends to it, sets quiet hours, and explains who was notified', async () => {
    const { body: team } = await app.call('POST', '/auth/teams', { name: 'Night shift' })
    const page = await app.page()
    await page.goto('/settings/routing')
    await page.getByRole('button', { name: 'New channel' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type').selectOption('PagerDuty')
    await dialog.getByLabel('Name').fill('Data on-call')
    await dialog.getByLabel('Integration key').fill('R0UT1NG')
    await dialog.getByRole('button', { name: 'Create channel' }).click()
    await page.getByText('PagerDuty · https://events.pagerduty.com').waitFor()
    await page.getByRole('button', { name: 'New rule' }).click()
    await dialog.getByLabel('Name', { exact: true }).fill('Page someone')
    await dialog.getByLabel('Incidents', { exact: true }).uncheck()
    await dialog.getByText('Only incidents are previewed.').waitFor()
    await dialog.getByRole('button', { name: 'Create rule' }).click()
    await dialog.getByRole('group', { name: 'Events' }).getByText('must not be empty').waitFor()
    await dialog.getByLabel('Incidents', { exact: true }).check()
    await dialog.getByLabel('Severity at least').selectOption('High')
    await dialog.getByText(/^Matches \d+ of the last \d+ incidents|There have been no incidents/).waitFor()
    await dialog.getByRole('button', { name: 'Send to' }).click()
    await page.getByRole('option', { name: 'Data on-call' }).click()
    await page.getByRole('heading', { name: 'New rule' }).click() // closes the list
    await dialog.getByRole('button', { name: 'Notify people and teams' }).click()
    await page.getByRole('combobox', { name: 'Notify people and teams' }).fill('night')
    await page.getByRole('option', { name: 'Night shift' }).click()
    await page.getByRole('heading', { name: 'New rule' }).click()
    expect(await axe(page)).toEqual([])
    await saveScreenshot(page, 'routing rule')
    await dialog.getByRole('button', { name: 'Create rule' }).click()
    await page.getByText('Incidents · severity at least High → Data on-call, Night shift').waitFor()
    const [rule] = (await app.call('GET', '/notification/rules')).body.results
    expect(rule.recipients).toEqual([team.id])
    await saveScreenshot(page, 'routing')

    await page.goto('/settings/notifications')
    await page.getByRole('switch', { name: 'Quiet hours' }).click()
    await dialog.getByLabel('Sun', { exact: true }).uncheck()
    expect(await axe(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Mon, Tue, Wed, Thu, Fri, Sat, 20:00 to 08:00 (UTC)').waitFor()

    const { body } = await app.call('GET', '/monitor/incidents')
    await page.goto(`/incidents/${body.results[0].id}`)
    await page.getByRole('button', { name: 'Who was notified?' }).click()
    await dialog.getByText('Page someone').first().waitFor()
    expect(await axe(page)).toEqual([])
    await saveScreenshot(page, 'who was notified')
  })

  test('says at the field what is missing or wrong in a form, in the language of the app', async () => {
    const page = await app.page()
    await page.goto('/settings/people')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const mail = dialog.getByLabel('E-mail address')
    const submit = dialog.getByRole('button', { name: 'Invite' })
    const wrong = dialog.getByText(/^Enter /)
    await submit.click()
    expect(await wrong.allTextContents()).toEqual(['Enter a value.'])
    expect(await mail.and(page.locator(':focus[aria-invalid=true]')).count()).toBe(1)
    await mail.fill('nobody')
    expect(await wrong.count()).toBe(0)
    await submit.click()
    expect(await wrong.allTextContents()).toEqual(['Enter an e-mail address, e.g. name@example.com.'])
    expect(await mail.getAttribute('aria-describedby')).toBe(await wrong.getAttribute('id'))
    await saveScreenshot(page, 'form with an error')
  })

  test('invites a user, who opens the link, and disables them', async () => {
    const page = await app.page()
    await page.goto('/settings/people')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByRole('dialog').getByLabel('E-mail address').fill('lin@example.com')
    await page.getByRole('dialog').getByLabel('First name').fill('Lin')
    await page.getByRole('dialog').getByLabel('Role').selectOption('viewer')
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    const link = await page.getByRole('textbox', { name: 'One-time link' }).inputValue()
    await page.getByRole('button', { name: 'Done' }).click()

    const guest = await app.page({ role: null })
    await guest.goto(new URL(link).pathname + new URL(link).hash)
    await guest.getByRole('heading', { name: /Welcome, Lin/ }).waitFor()

    await page.getByRole('button', { name: 'More for Lin' }).click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await page.getByRole('listitem').filter({ hasText: 'lin@example.com' }).getByText('Disabled').waitFor()
    await eventually(async () => {
      const { body } = await app.call('GET', '/user?email=lin@example.com')
      expect(body.results[0]).toMatchObject({ role: 'viewer', disabled: true })
    })
  })

  test('switches the language of the app and remembers it; user content is not translated', async () => {
    const page = await app.page({ role: 'viewer' })
    await page.goto('/settings/profile')
    await page.getByRole('button', { name: 'App language: English' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { name: 'Sprache' }).waitFor()
    await page.locator('html[lang=de]').waitFor({ state: 'attached' })
    await page.goto('/search?q=orders')
    await page.getByText(/^\d+ Ergebnisse/).waitFor()
    await page.getByRole('grid').getByRole('link', { name: 'fct_orders' }).first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('glossar')
    await page.getByRole('option', { name: /Wechseln zu Glossar/ }).waitFor()

    const outside = await app.page({ role: null })
    const setup = Promise.withResolvers<Route>()
    await outside.route('**/auth/setup', setup.resolve, { times: 1 })
    await outside.goto('/sign-in')
    const request = await setup.promise
    expect(await outside.getByRole('textbox').count()).toBe(0) // a form that is replaced would close the menu
    await request.continue()
    await outside.getByRole('button', { name: 'Language: English' }).click()
    await outside.getByRole('menuitemcheckbox', { name: 'Français' }).focus()
    await outside.keyboard.press('Enter') // the page reloads before the key is released
    await outside.getByRole('heading', { name: /^Se connecter|^Bienvenue/ }).waitFor()
  })

  test('the audit log shows values before and after', async () => {
    const { body } = await app.call('POST', '/tag', { name: 'watched closely', color: '#123456' })
    await app.call('PATCH', `/tag/${body.id}`, { name: 'watched from afar' })
    const page = await app.page()
    await page.goto('/activity?type=tag_')
    await page
      .getByRole('button', { name: /watched from afar/ })
      .first()
      .click()
    const entry = page.getByRole('dialog', { name: 'Activity details' })
    await entry.getByText('watched closely').last().waitFor()
    await entry.getByText('watched from afar').last().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox').fill('afar')
    await page.waitForURL(/q=afar/)
    await page.getByText('1 entry').waitFor()
  })

  test('moves a document below another one by keyboard, and back', async () => {
    const create = async (title: string) => (await app.call('POST', '/document', { title, published: true })).body as { id: string }
    const [handbook, page] = [await create('Gardening handbook'), await create('Watering plan')]
    const parentOf = async () => (await app.call('GET', `/resource/all/${page.id}`)).body.parent
    const browser = await app.page()
    await browser.goto(`/documents/${page.id}`)
    await browser.getByRole('button', { name: 'Move', exact: true }).focus()
    await browser.keyboard.press('Enter')
    await browser.getByRole('combobox', { name: 'Move to' }).waitFor()
    await browser.keyboard.type('Gardening')
    await browser.getByRole('option', { name: /^Gardening handbook/ }).waitFor()
    expect(await axe(browser)).toEqual([])
    await browser.getByRole('option', { name: /^Gardening handbook/ }).click()
    await browser.getByRole('button', { name: 'Undo' }).hover() // a message stays under the pointer
    await eventually(async () => expect(await parentOf()).toBe(handbook.id))
    await browser.getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => expect(await parentOf()).toBeNull())
  })

  test('events of a webhook are chosen from a list', async () => {
    const page = await app.page()
    await page.goto('/settings/webhooks')
    await page.getByRole('button', { name: 'New webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'New webhook' })
    expect(await page.title()).toBe('Webhooks · Settings · Tablinum')
    await dialog.getByLabel('URL').fill('https://hooks.example.com/in')
    expect(await dialog.getByRole('checkbox', { name: 'Incidents' }).isChecked()).toBe(true)
    await dialog.getByRole('checkbox', { name: 'Schema changes' }).check()
    await dialog.getByLabel('Other activity types').fill('person_mentioned')
    expect(await axe(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    await eventually(async () => {
      const { results } = (await app.call('GET', '/notification/webhooks')).body as { results: { events: string[] }[] }
      expect(results.map(({ events }) => events)).toEqual([['incident_*', 'person_mentioned', 'schema_changed']])
    })
    await page.getByText('· Incidents, person_mentioned, Schema changes').waitFor()
  })

  test('creates a child document, publishes it, and links it from a term', async () => {
    const handbook = (await app.call('POST', '/document', { title: 'Handbook of bikes' })).body.id as string
    const page = await app.page()
    await page.goto(`/documents/${handbook}`)
    await page.getByRole('button', { name: 'New subpage' }).click()
    await page.getByRole('dialog').getByLabel('Title').fill('How to brake')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Documentation in Markdown' }).fill('With **both** hands.')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('With both hands.').waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Draft', { exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('navigation', { name: 'Documents' }).getByRole('link', { name: 'How to brake' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)!
    await eventually(async () =>
      expect((await app.call('GET', `/document/${id}`)).body).toMatchObject({
        parent: handbook,
        definition: 'With **both** hands.',
        published: true,
      }),
    )

    await app.call('POST', '/glossary', { title: 'Brake', description: 'It stops.', definition: `See [this](/r/${id}).` })
    await page.goto('/glossary?q=brake')
    await page.getByRole('link', { name: /Brake/ }).click()
    await page.getByRole('heading', { name: /Brake/ }).waitFor()
    await page.goto(`/documents/${id}`)
    await page.getByRole('heading', { name: 'Linked from' }).waitFor()
    await page.getByRole('link', { name: /Brake/ }).waitFor()
  })
})
