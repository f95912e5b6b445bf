import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { axe, type BrowserApp, noBrowser, openBrowserApp, saveScreenshot } from './browser.ts'

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGNQSXfCgxhGpbEiAK3RU9F3MeUeAAAAAElFTkSuQmCC', 'base64')

const TEXT = `# Orders

> [!WARNING]
> Rows before 2024 have **no** currency.

## How to query

\`\`\`sql
-- revenue of a day
select sum(amount) from orders where day = '2026-01-31'
\`\`\`

## How it is made

\`\`\`mermaid
flowchart LR
  accTitle: From raw to daily
  raw[raw.orders] --> clean[clean.orders] --> daily[daily_revenue]
  click raw "javascript:alert(1)"
\`\`\`

\`\`\`mermaid
flowchart LR
  a --> --> b
\`\`\`

Revenue is net.[^1] Twice.[^1] Unknown.[^2]

[^1]: After refunds, see [orders](/r/60cd12ca-70e8-5a88-bb18-06d4cbfc2388).

<img src=x onerror="alert(1)"><p class="fixed" id="content">plain</p>
`

describe.skipIf(noBrowser())('writing documents', () => {
  let app: BrowserApp
  beforeAll(async () => {
    app = await openBrowserApp()
  })
  afterAll(() => app?.[Symbol.asyncDispose]())
  afterEach(() => expect(app.problems.splice(0)).toEqual([]))

  const createDocument = async (definition: string): Promise<string> =>
    (await app.call('POST', '/document', { title: 'About orders', definition, published: true })).body.id

  test.each([
    ['editor', 'light', 1280],
    ['viewer', 'dark', 1280],
    ['viewer', 'light', 390],
  ] as const)('callouts, code, diagrams, anchors and an outline are shown to readers: %s, %s, %i', async (role, theme, width) => {
    const id = await createDocument(TEXT)
    const page = await app.page({ role, theme, width })
    await page.goto(`/documents/${id}`)
    await page.getByRole('img', { name: 'From raw to daily' }).waitFor()
    await page.getByText(/^The diagram can’t be drawn/).waitFor()
    await page.locator('pre', { hasText: 'a --> --> b' }).waitFor()
    await page.locator('.callout-warning', { hasText: 'Warning' }).waitFor()
    await eventually(async () => expect(await page.locator('.sql-keyword').allTextContents()).toEqual(['select', 'from', 'where']))
    expect(await page.locator('.prose .fixed, .prose #content').count()).toBe(0)
    await page.getByText('On this page').click()
    await page.getByRole('link', { name: 'How it is made', exact: true }).click()
    await eventually(async () => expect(new URL(page.url()).hash).toBe('#md-how-it-is-made'))
    await page.getByRole('heading', { name: 'How it is made' }).waitFor()
    await page.getByRole('link', { name: 'Footnote 1' }).first().click()
    await eventually(async () => expect(new URL(page.url()).hash).toBe('#md-note-1'))
    const notes = page.locator('.prose > ol').last().getByRole('listitem')
    expect(await notes.allTextContents()).toEqual([expect.stringMatching(/^After refunds, see orders/)])
    expect(await page.getByText('Unknown.[^2]').count()).toBe(1)
    await notes.getByRole('link', { name: 'Back to the text' }).click()
    await eventually(async () => expect(new URL(page.url()).hash).toBe('#md-noted-1'))
    await saveScreenshot(page, `document-${role}-${theme}-${width}`)
    expect(await axe(page, theme)).toEqual([])
  })

  test('files are attached with a button, by pasting and by dropping', async () => {
    const id = await createDocument('')
    const page = await app.page({ role: 'editor' })
    await page.goto(`/r/${id}?tab=documentation&edit=1`)
    const editor = page.getByRole('textbox', { name: 'Documentation in Markdown' })
    await editor.focus()
    await page.getByLabel('Attach an image or a file').setInputFiles([
      { name: 'plan.png', mimeType: 'image/png', buffer: PNG },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
    ])
    await eventually(async () =>
      expect(await editor.textContent()).toMatch(/^!\[plan\.png\]\(\/api\/v1\/attachment\/[\w-]+\)\[notes\.txt\]\(\S+\)$/),
    )
    await page.evaluate(`(() => {
      const files = new DataTransfer()
      files.items.add(new File([new Uint8Array(${JSON.stringify([...PNG])})], 'pasted.png', { type: 'image/png' }))
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: files, bubbles: true, cancelable: true }))
    })()`)
    await eventually(async () => expect(await editor.textContent()).toContain('![pasted.png](/api/v1/'))
    await editor.press('Control+End')
    await page.keyboard.type('\n\n| a |\n|---|\n| 1 |\n')
    await page.getByLabel('Attach an image or a file').setInputFiles([{ name: 'below.png', mimeType: 'image/png', buffer: PNG }])
    await page.getByRole('img', { name: 'below.png' }).waitFor()
    expect(await page.getByRole('table').getByRole('img').count()).toBe(0) // not a row of the table above it
    await page
      .getByLabel('Attach an image or a file')
      .setInputFiles([{ name: 'x.exe', mimeType: 'image/png', buffer: Buffer.from('MZ\u0000') }])
    await page.getByText('Couldn’t attach x.exe.').waitFor()
    await saveScreenshot(page, 'editor-attachments')
    await page.getByRole('button', { name: 'Done' }).click()
    const picture = page.getByRole('img', { name: 'plan.png' })
    await eventually(async () =>
      expect(await picture.evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth)).toBe(10),
    )
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'notes.txt' }).click()])
    expect(download.suggestedFilename()).toBe('notes.txt')
    app.problems.splice(0) // the rejected file
  })

  test('an Excel file is imported, and a view notifies about new matches', async () => {
    const page = await app.page()
    await page.goto('/import')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'old.xls', mimeType: 'application/vnd.ms-excel', buffer: Buffer.from('d0cf11e0', 'hex') })
    await page.getByText('protected by a password').waitFor()
    await saveScreenshot(page, 'import-xlsx-problem')
    app.problems.splice(0)
    await page.goto('/search?q=orders')
    await page.getByRole('button', { name: 'Export' }).click()
    await saveScreenshot(page, 'export-menu')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'All columns, to edit and import (Excel)' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^catalog-.*\.xlsx$/)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Orders')
    await page.getByRole('switch', { name: 'Notify me about new matches' }).click()
    await saveScreenshot(page, 'save-view')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByLabel('Notifies you about new matches').waitFor()
    expect((await app.call('GET', '/view')).body.results[0]).toMatchObject({ name: 'Orders', notify: true })
  })
})
