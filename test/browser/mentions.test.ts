import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { axe, type BrowserApp, noBrowser, openBrowserApp, saveScreenshot } from './browser.ts'

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
    await eventually(async () => expect(await comment.inputValue()).toMatch(/^@grace\S*@\S+\.\S+ $/))
    await page.keyboard.type('and @grace')
    await page.getByRole('option', { name: /Grace Lindqvist/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('option', { name: /Grace/ }).waitFor({ state: 'detached' })
    await page.keyboard.type('x')
    await eventually(async () => expect(await comment.inputValue()).toMatch(/ and @gracex$/))
  })

  test('the notification of a mention in a comment opens the discussion', async () => {
    const page = await app.page({ role: 'editor' })
    const me = await app.db.selectFrom('users').select('email').orderBy('created_at', 'desc').executeTakeFirstOrThrow()
    const { id } = (await app.call('POST', '/resource/catalog', { entity_type: 'table', title: 'discussed', published: true })).body as {
      id: string
    }
    expect((await app.call('POST', '/comments', { resource_id: id, text: `Is this right, @${me.email}?` })).status).toBe(201)
    const inbox = async () => (await page.request.get('/api/v1/notification/inbox')).json()
    await eventually(async () => expect((await inbox()).results).toHaveLength(1))
    await page.goto('/')
    await page.getByRole('button', { name: /^Inbox/ }).click()
    await page
      .getByRole('dialog', { name: 'Inbox' })
      .getByRole('link', { name: /discussed/ })
      .click()
    await page.getByText('Is this right').waitFor()
    await eventually(async () => expect(new URL(page.url()).searchParams.get('tab')).toBe('discussion'))
  })

  test('a link to a resource shows its current title and type, and nothing of what the reader may not see', async () => {
    const create = async (body: object) => (await app.call('POST', '/resource/catalog', body)).body as { id: string }
    const ada = await app.db.selectFrom('users').select('id').where('first_name', '=', 'Ada').executeTakeFirstOrThrow()
    const open = await create({
      entity_type: 'table',
      title: 'harvest',
      published: true,
      description: 'One row per harvest.',
      owners: [ada.id],
      deprecation: { reason: 'Fields are counted elsewhere.' },
    })
    const hidden = await create({ entity_type: 'dashboard', title: 'Secret plans', published: false })
    const link = (id: string) => `${app.address}/r/${id}`
    const page = await create({
      entity_type: 'document',
      title: 'Fields',
      published: true,
      description: `Made from ${link(open.id)} and ${link(hidden.id)}.`,
      definition: `See ${link(open.id)}, ${link(hidden.id)} and [the fields](${link(open.id)}).`,
    })
    await app.call('PATCH', `/resource/all/${open.id}`, { title: 'harvests' })
    const viewer = await app.page({ role: 'viewer' })
    await viewer.goto(`/r/${page.id}?tab=documentation`)
    const prose = viewer.locator('.prose')
    const titled = prose.getByRole('link', { name: 'harvests' })
    await titled.waitFor()
    expect(await titled.getAttribute('data-type')).toBe('Table')
    expect(await titled.getAttribute('href')).toBe(`/r/${open.id}`)
    await prose.getByRole('link', { name: 'the fields' }).waitFor()
    await prose.getByRole('link', { name: link(hidden.id) }).waitFor()
    expect(await viewer.locator('body').textContent()).not.toContain('Secret plans')
    await viewer.getByRole('list', { name: 'Linked resources' }).getByRole('link', { name: 'Table harvests' }).waitFor()
    expect(await viewer.getByRole('list', { name: 'Linked resources' }).getByRole('link').count()).toBe(1)
    expect(await axe(viewer)).toEqual([])
    // The card also opens by keyboard.
    await titled.focus()
    const card = viewer.getByRole('tooltip')
    for (const text of ['One row per harvest.', 'Table', 'Deprecated', 'Ada Okafor']) await card.getByText(text, { exact: true }).waitFor()
    expect(await axe(viewer)).toEqual([])
    await saveScreenshot(viewer, 'resource-card')
    await viewer.keyboard.press('Escape')
    await viewer.keyboard.press('Enter')
    await viewer.getByRole('heading', { name: 'harvests', level: 1 }).waitFor()
    const admin = await app.page()
    await admin.goto(`/r/${page.id}?tab=documentation`)
    await admin.locator('.prose').getByRole('link', { name: 'Secret plans' }).waitFor()
  })

  test('the address of a resource pasted into a text becomes a link with its title', async () => {
    const { table } = await createIncident('pasted_here')
    const document = (await app.call('POST', '/resource/catalog', { entity_type: 'document', title: 'Notes' })).body as { id: string }
    const page = await app.page()
    await page.goto(`/r/${document.id}?edit=1`)
    const editor = page.getByRole('textbox', { name: 'Documentation in Markdown' })
    await editor.focus()
    await page.keyboard.type('Uses ')
    await page.evaluate(`(() => {
      const data = new DataTransfer()
      data.setData('text/plain', location.origin + '/r/${table}?tab=columns')
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    })()`)
    await page.getByRole('region', { name: 'Preview' }).getByRole('link', { name: 'pasted_here' }).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    const saved = (await app.call('GET', `/resource/all/${document.id}`)).body.definition
    expect(saved).toBe(`Uses [/r/${table}?tab=columns](/r/${table}?tab=columns)`)
    // In a comment it stays an address, and is shown with its title.
    await page.goto(`/r/${document.id}?tab=discussion`)
    const comment = page.getByRole('textbox', { name: 'Start a discussion' })
    await comment.fill(`Compare ${app.address}/r/${table}`)
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.locator('.prose').getByRole('link', { name: 'pasted_here' }).waitFor()
  })

  test('emptying the documentation moves no tab while the page is open', async () => {
    const create = async (body: object) => ((await app.call('POST', '/resource/catalog', body)).body as { id: string }).id
    const schema = await create({ entity_type: 'schema', title: 'ledger', definition: 'Read **this** first.' })
    await create({ entity_type: 'table', title: 'entries', parent: schema })
    const page = await app.page()
    await page.goto(`/r/${schema}`)
    const tabs = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const editor = page.getByRole('textbox', { name: 'Documentation in Markdown' })
    await editor.focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Delete')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('No documentation yet').waitFor()
    expect((await app.call('GET', `/resource/all/${schema}`)).body.definition ?? '').toBe('')
    expect((await tabs.allTextContents())[0]).toBe('Documentation')
    await page.reload() // now the contents say more
    await eventually(async () => expect((await tabs.allTextContents())[0]).toMatch(/^Contents/))
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
