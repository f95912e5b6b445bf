import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CLIENT, createOidcProvider, type OidcProvider } from '../accounts/oidc-provider.ts'
import { createMailServer, createSlackServer, type MailServer, type SlackServer } from '../support/notification-servers.ts'
import { axe, type BrowserApp, noBrowser, openBrowserApp, saveScreenshot } from './browser.ts'

/** Forms for the mail server, the Slack app and the identity provider: tested before they are saved. */
describe.skipIf(noBrowser())('server settings', () => {
  let app: BrowserApp
  let mail: MailServer
  let slack: SlackServer
  let provider: OidcProvider
  beforeAll(async () => {
    mail = await createMailServer()
    slack = await createSlackServer()
    provider = await createOidcProvider()
    app = await openBrowserApp({ SLACK_API_URL: slack.url, TABLINUM_WEBHOOK_ALLOW: '127.0.0.1', TABLINUM_SECRET_KEY: 'a key for tests' })
  })
  afterAll(async () => {
    for (const each of [app, mail, slack, provider]) await each?.[Symbol.asyncDispose]()
  })
  afterEach(() => expect(app.problems.splice(0)).toEqual([]))

  test('a mail server is entered by keyboard, tested, saved and removed', async () => {
    mail.login = { user: 'catalog', password: 'correct horse' }
    const page = await app.page()
    await page.goto('/settings/server')
    const row = page.getByRole('listitem').filter({ hasText: 'E-mail' })
    await row.getByText('Not set').waitFor()
    await row.getByRole('button', { name: 'Set up' }).focus()
    await page.keyboard.press('Enter')
    const form = page.getByRole('form', { name: 'E-mail' })
    await form.getByLabel('Host').fill('127.0.0.1')
    await form.getByLabel('Encryption').selectOption('None, unless the server offers it')
    await form.getByLabel('Port').fill(new URL(mail.url).port)
    await form.getByLabel('Sender').fill('Catalog <catalog@example.com>')
    await form.getByLabel('User name').fill('catalog')
    await form.getByLabel('Password').fill('wrong')
    const send = form.getByRole('button', { name: /^Send a test mail to / })
    await form.getByLabel('Sender').fill('')
    await send.click() // the form is checked as it is when it is saved
    expect(await page.evaluate('document.activeElement.labels?.[0]?.textContent')).toBe('Sender')
    await form.getByLabel('Sender').fill('Catalog <catalog@example.com>')
    await send.click()
    await form.getByText('The mail server rejected the user name or the password.').waitFor()
    await form.getByLabel('Password').fill('correct horse')
    await send.focus()
    await page.keyboard.press('Enter')
    await form.getByText(/^A test mail was sent to /).waitFor()
    expect(mail.mails).toHaveLength(1)
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      expect(await axe(page, theme)).toEqual([])
      await saveScreenshot(page, `server-settings-${theme}`)
    }
    await form.getByRole('button', { name: 'Save' }).click()
    await row.getByText('On', { exact: true }).waitFor()
    // The password stays on the server, and another host needs it again.
    await row.getByRole('button', { name: 'Edit' }).click()
    expect(await form.getByLabel('Password').inputValue()).toBe('')
    await form.getByLabel('Host').fill('localhost')
    await form.getByText('Enter this again because the connection changed.').waitFor()
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText(/is required to change the server/).waitFor()
    await row.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await row.getByText('Not set').waitFor()
  })

  test('Slack and an identity provider are tested before they are saved', async () => {
    const page = await app.page({ width: 390 })
    await page.goto('/settings/server')
    await page.getByRole('listitem').filter({ hasText: 'Slack' }).getByRole('button', { name: 'Set up' }).click()
    const form = page.getByRole('form', { name: 'Slack' })
    await form.getByLabel('Bot token').fill('xoxb-wrong')
    await form.getByRole('button', { name: 'Test Slack' }).click()
    await form.getByText('Slack does not accept the bot token (invalid_auth).').waitFor()
    await form.getByLabel('Bot token').fill('xoxb-test')
    await form.getByLabel('Channel or person for the test').fill('C1')
    await form.getByRole('button', { name: 'Test Slack' }).click()
    await form.getByText('A test message was posted in the workspace Shop.').waitFor()
    expect(slack.posts).toMatchObject([{ channel: 'C1' }])
    await form.getByRole('button', { name: 'Save' }).click()

    const row = page.getByRole('listitem').filter({ hasText: 'Single sign-on' })
    await row.getByRole('button', { name: 'Set up' }).click()
    const sso = page.getByRole('form', { name: 'Single sign-on (OIDC)' })
    await sso.getByLabel('Issuer').fill(provider.issuer)
    await sso.getByLabel('Client ID').fill(CLIENT.clientId)
    await sso.getByLabel('Client secret').fill('wrong')
    await sso.getByRole('button', { name: 'Test the provider' }).click()
    await sso.getByText(/does not accept the client ID or the client secret/).waitFor()
    await sso.getByLabel('Client secret').fill(CLIENT.clientSecret)
    await sso.getByRole('button', { name: 'Test the provider' }).click()
    await sso.getByText(/The provider was found and accepts the client/).waitFor()
    await sso.getByLabel('Name on the sign-in button').fill('Shop account')
    expect(await axe(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await saveScreenshot(page, 'server-settings-390')
    await sso.getByRole('button', { name: 'Save' }).click()
    await row.getByText('On', { exact: true }).waitFor()
    const stranger = await app.page({ role: null })
    await stranger.goto('/sign-in')
    await stranger.getByRole('link', { name: /Shop account/ }).waitFor()
    await page.goto('/activity')
    await page
      .getByText(/changed the server settings of/)
      .first()
      .waitFor()
  })

  test('an editor does not see the page', async () => {
    const page = await app.page({ role: 'editor' })
    await page.goto('/settings/server')
    await page.getByText('You don’t have access').waitFor()
    await page.goto(new URL('/settings/nothing', page.url()).href)
    await page.getByText('This settings page doesn’t exist.').waitFor()
  })
})
