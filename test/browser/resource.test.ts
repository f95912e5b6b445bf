import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { axe, type BrowserApp, noBrowser, openBrowserApp, saveScreenshot } from './browser.ts'

const WAREHOUSE = '169896bd-3832-5cdd-a3b3-125de2ec4108' // of the demo

/** The page of a resource: inline editing, conflicts, documentation, questions. */
describe.skipIf(noBrowser())('resource page', () => {
  let app: BrowserApp
  beforeAll(async () => {
    app = await openBrowserApp()
  })
  afterAll(() => app?.[Symbol.asyncDispose]())
  afterEach(() => expect(app.problems.splice(0)).toEqual([]))

  const make = async (create: object) =>
    (await app.call('POST', '/resource/catalog', { entity_type: 'table', published: true, ...create })).body as { id: string }
  const read = async (id: string) => (await app.call('GET', `/resource/all/${id}`)).body

  test('edits flags, description, owners, tags and collections inline', async () => {
    const { id } = await make({ title: 'edited in place' })
    await app.call('POST', '/auth/group', { name: 'Night watch' })
    const page = await app.page()
    await page.goto(`/r/${id}`)
    await page.getByRole('button', { name: 'Not verified' }).click()
    await page.getByRole('button', { name: /^Edit description/ }).click()
    await page.getByRole('textbox', { name: 'description' }).fill('One row a day.')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Edit owners' }).click()
    await page.getByRole('option', { name: /Grace Lindqvist/ }).click()
    await page.getByRole('option', { name: /Night watch/ }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit tags' }).click()
    await page.getByPlaceholder('Tags').fill('brand new')
    await page.getByRole('option', { name: 'Create “brand new”' }).click()
    await eventually(async () => {
      const record = await read(id)
      expect(record).toMatchObject({ verified: true, description: 'One row a day.' })
      expect([record.owners.length, record.owners_groups.length, record.tags.length]).toEqual([1, 1, 1])
    })
    const aside = page.getByRole('complementary', { name: 'Details' })
    await aside.getByText('brand new').last().waitFor()
    await aside.getByRole('button', { name: 'Remove Night watch' }).click({ force: true }) // visible on hover only
    await eventually(async () => expect((await read(id)).owners_groups).toEqual([]))

    await page.getByRole('button', { name: 'Edit collections' }).click()
    await page.getByPlaceholder('Collections').fill('Counted by night')
    await page.getByRole('option', { name: 'Create “Counted by night”' }).click()
    await page.keyboard.press('Escape')
    await aside.getByRole('link', { name: 'Counted by night' }).click()
    await page.getByRole('heading', { level: 1, name: 'Counted by night' }).waitFor()
    await page.getByText('1 member', { exact: true }).waitFor()
    await page.getByRole('link', { name: /edited in place/ }).waitFor()
  })

  test('rolls back a rejected edit with a message', async () => {
    const { id } = await make({ title: 'refused', description: 'as it was' })
    const page = await app.page()
    await page.goto(`/r/${id}`)
    await page.getByRole('button', { name: /^Edit description/ }).waitFor()
    await page.route('**/api/v1/resource/all/*', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 500, json: { detail: 'The disk is on fire.', code: 'internal_error', request_id: 'req-77' } })
        : route.continue(),
    )
    await page.getByRole('button', { name: /^Edit description/ }).click()
    await page.getByRole('textbox', { name: 'description' }).fill('another')
    await page.keyboard.press('Enter')
    await page.getByText('The disk is on fire.').waitFor()
    await page.getByText('Request ID: req-77').waitFor()
    await page.getByText('as it was').waitFor()
  })

  test('shows the value of the source next to an edited field, and reverts to it', async () => {
    const { body } = await app.call('GET', '/search?q=purchase_orders&entity_type=table&page_size=1')
    const { id, description: originalDescription } = body.results[0]
    const viewer = await app.page({ role: 'viewer' })
    const page = await app.page()
    await page.goto(`/r/${id}`)
    const source = page.getByText(`Description in source: ${originalDescription}`)
    await page.getByRole('button', { name: /^Edit description/ }).click()
    await page.getByRole('textbox', { name: 'description' }).fill('What we owe to suppliers.')
    await page.keyboard.press('Enter')
    await source.waitFor()
    await viewer.goto(`/r/${id}`)
    await viewer.getByText(`Description in source: ${originalDescription}`).waitFor()
    expect(await viewer.getByRole('button', { name: 'Revert to source' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Revert to source' }).click()
    await page.getByRole('button', { name: 'Undo' }).hover() // a message stays under the pointer
    await page.getByRole('button', { name: `Edit description: ${originalDescription}` }).waitFor()
    await source.waitFor({ state: 'detached' })
    expect((await read(id)).description).toBe(originalDescription)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Edit description: What we owe to suppliers.' }).waitFor()
    await source.waitFor()
  })

  test('shows who has access, and why', async () => {
    const { id } = await make({ title: 'unseen', published: false })
    const page = await app.page({ role: 'editor' })
    await page.goto(`/r/${id}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Check access' }).click()
    await page.getByRole('button', { name: 'Select a person' }).click()
    await page.getByRole('option', { name: /^Emil Bauer/ }).click()
    await page.getByText('Emil Bauer can’t view this.').waitFor()
    await page.getByText('The resource is not published. Viewers and guests can only see published resources.').waitFor()
    await page.getByRole('button', { name: 'Emil Bauer' }).click()
    await page.getByRole('option', { name: /^Grace Lindqvist/ }).click()
    await page.getByText('Grace Lindqvist can view and edit this.').waitFor()
    await app.call('PATCH', `/resource/all/${id}`, { published: true })
    const viewer = await app.page({ role: 'viewer' })
    await viewer.goto(`/r/${id}`)
    await viewer.getByRole('button', { name: 'More', exact: true }).click()
    await viewer.getByRole('menuitem', { name: 'Copy link' }).waitFor()
    expect(await viewer.getByRole('menuitem', { name: 'Check access' }).count()).toBe(0)
  })

  test('deprecates a table with a replacement, and shows it with its open incident', async () => {
    const [next, { id }] = [await make({ title: 'shoes_v2' }), await make({ title: 'shoes', verified: true })]
    const page = await app.page()
    await page.goto(`/r/${id}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Deprecate' }).click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('Sizes are wrong.')
    await page.getByRole('button', { name: 'Replacement' }).click()
    await page.getByPlaceholder('Replacement').fill('shoes_v2')
    await page.getByRole('option', { name: /shoes_v2/ }).click()
    await page.getByRole('button', { name: 'Deprecate' }).click()
    const banner = page.getByRole('region', { name: 'Health' })
    await banner.getByText('Sizes are wrong.').waitFor()
    await banner.getByRole('link', { name: 'shoes_v2' }).waitFor()
    expect((await read(id)).deprecation).toMatchObject({ reason: 'Sizes are wrong.', replacement_id: next.id })
    // The incident appears live, with the next step.
    const monitor = { target: id, metric_type: 'pushed', name: 'Shoes left', condition_manual_max: 10 }
    const { id: monitor_id } = (await app.call('POST', '/monitor/monitors', monitor)).body
    await app.call('POST', '/monitor/measurements', { measurements: [{ monitor: monitor_id, value: 70 }] })
    await banner.getByText('No one is on it yet').waitFor()
    expect(await page.getByRole('button', { name: 'Verified' }).getAttribute('class')).not.toContain('text-good')
    await saveScreenshot(page, 'health-banner')
    await banner.getByRole('link', { name: 'View incident' }).click()
    await page.waitForURL(/\/incidents\//)
    await page.goto('/search?q=shoes&health=incident')
    await page.getByRole('row', { name: /shoes/ }).getByRole('img', { name: 'Deprecated' }).waitFor()
    expect(await page.getByRole('row', { name: /shoes_v2/ }).count()).toBe(0)
    const reader = await make({ title: 'outlet', published: true })
    await app.call('POST', '/lineage/manual', { from_entity: id, to_entity: reader.id, direction: 'DOWNSTREAM' })
    await page.goto(`/r/${reader.id}`)
    await banner.getByText(/Depends on .*shoes, which is deprecated/).waitFor()
    await banner.getByText('Use shoes_v2 instead.').waitFor()
    await banner.getByRole('link', { name: 'View replacement' }).click()
    await page.getByRole('heading', { name: 'shoes_v2' }).waitFor()
    // Wherever it is named.
    await page.goto('/')
    await page.getByRole('searchbox', { name: 'Search the catalog' }).fill('shoes')
    await page
      .getByRole('option', { name: /^shoes(?!_v2)/ })
      .getByRole('img', { name: 'Deprecated' })
      .waitFor()
    await page.goto(`/lineage/${id}?view=list`)
    await page
      .getByRole('row', { name: /outlet/ })
      .getByRole('img', { name: 'Needs attention' })
      .waitFor()
    await page.goto(`/monitors/${monitor_id}`)
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('img', { name: 'Open incident' }).waitFor()
    await page.goto(`/r/${next.id}`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Copy health badge' }).click()
    await page.getByText('Badge copied as Markdown').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^\[!\[Health\]\(http.*\/badge\.svg\?by=.*\)\]\(http.*\/r\//)
    await page.goto(`/r/${id}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Remove deprecation' }).click()
    await eventually(async () => expect((await read(id)).deprecation).toBe(null))
  })

  test('says what to do about a table that is missing from its source', async () => {
    const { id } = await make({ title: 'lost', integration: WAREHOUSE })
    await sql`update resources set stale = true, stale_at = now() where id = ${id}`.execute(app.db)
    const [editor, viewer] = [await app.page(), await app.page({ role: 'viewer' })]
    await editor.goto(`/r/${id}`)
    await editor.getByRole('region', { name: 'Health' }).getByRole('link', { name: 'View integration' }).click()
    await editor.waitForURL(`**/integrations/${WAREHOUSE}`)
    await viewer.goto(`/r/${id}`)
    await viewer.getByRole('region', { name: 'Health' }).getByRole('link', { name: 'Ask a question' }).click()
    await viewer.waitForURL(/tab=questions/)
  })

  test('merges concurrent edits of different fields, and reports a conflict for the same field', async () => {
    const { id } = await make({ title: 'contested', description: 'first' })
    const page = await app.page()
    await page.goto(`/r/${id}`)
    await page.getByRole('button', { name: /^Edit description/ }).click()
    await page.getByRole('textbox', { name: 'description' }).fill('mine')
    await app.call('PATCH', `/resource/all/${id}`, { pii: true })
    await page.keyboard.press('Enter')
    await eventually(async () => expect(await read(id)).toMatchObject({ pii: true, description: 'mine' }))

    await page.getByRole('button', { name: /^Edit description/ }).click()
    await page.getByRole('textbox', { name: 'description' }).fill('mine again')
    // As if the event had not arrived yet: the page still shows the old value.
    await app.call('PATCH', `/resource/all/${id}`, { description: 'theirs' })
    await page.keyboard.press('Enter')
    await page.getByText('Someone else changed the description in the meantime').waitFor()
    await page
      .getByRole('button', { name: /^Edit description/ })
      .getByText('theirs')
      .waitFor()
    expect(await read(id)).toMatchObject({ description: 'theirs' })
  })

  test('raw HTML links open external pages like other links, and never through a path', async () => {
    const paths = ['/\\evil.example/a', '/\t/evil.example/b', '//evil.example/c', '/\\/evil.example/d']
    const definition = [
      ...paths.map((href, i) => `<a href="${href}">way ${i}</a>`),
      '<a href="https://elsewhere.example/">elsewhere</a>',
      '<a href="/search">here</a>',
    ].join('\n\n')
    const { id } = await make({ title: 'linked', definition })
    const page = await app.page()
    await page.goto(`/r/${id}`)
    const outside = page.getByRole('link', { name: 'elsewhere' })
    await outside.waitFor()
    expect([await outside.getAttribute('rel'), await outside.getAttribute('target')]).toEqual(['noopener noreferrer', '_blank'])
    expect(await page.getByRole('link', { name: 'here', exact: true }).last().getAttribute('href')).toBe('/search')
    for (const i of paths.keys()) expect(await page.getByText(`way ${i}`, { exact: true }).getAttribute('href')).toBeNull()
  })

  test('a button that is pressed while the page loads stays under the pointer', async () => {
    const bare = await make({ title: 'pressed bare', definition: 'text' })
    const full = await make({ title: 'pressed full', definition: 'text' })
    for (const title of ['one', 'two', 'three']) await make({ title, entity_type: 'column', parent: full.id })
    const described = await make({ title: 'pressed described', definition: 'text' })
    for (let i = 0; i < 10; i++)
      await app.call('POST', '/table/columns', {
        ...{ title: `column ${i}`, parent: described.id, type: 'text', sort_order: i, published: true },
        ...(i % 2 === 0 || i === 9 ? { description: 'What it means.' } : {}),
      })
    await app.call('POST', '/lineage/manual', { from_entity: bare.id, to_entity: full.id, direction: 'DOWNSTREAM' })
    const alone = await make({ title: 'pressed alone', definition: 'text' })
    for (const [id, ...shown] of [
      [alone.id, 'No columns'],
      [full.id, 'three', 'pressed bare'],
      [described.id, 'column 7', 'None known'],
    ] as const) {
      const page = await app.page()
      const { promise: loading, resolve: load } = Promise.withResolvers<void>()
      for (const path of ['table/columns', 'lineage/graph'])
        await page.route(`**/api/v1/${path}?*`, async (route) => {
          await loading
          await route.fallback()
        })
      await page.goto(`/r/${id}`)
      await page.getByRole('button', { name: 'Edit', exact: true }).hover()
      await page.mouse.down()
      load()
      for (const text of shown) await page.getByText(text, { exact: true }).first().waitFor()
      if (id === alone.id) await expect.poll(() => page.getByText('None known').count()).toBe(2)
      await page.mouse.up()
      await page.getByRole('textbox', { name: 'Documentation in Markdown' }).waitFor()
    }
  })

  test('saves documentation automatically, and shows both versions after a conflict', async () => {
    const { id } = await make({ title: 'written', definition: 'line one\nline two\n' })
    const page = await app.page()
    // Without this the event stream may load the other version before anything is typed.
    await page.route('**/api/v1/ui/stream', (route) => route.abort())
    await page.goto(`/r/${id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const editor = page.getByRole('textbox', { name: 'Documentation in Markdown' })
    await editor.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('and **three**')
    await eventually(async () => expect((await read(id)).definition).toBe('line one\nline two\nand **three**'))
    await page.getByRole('region', { name: 'Preview' }).locator('strong', { hasText: 'three' }).waitFor()

    await app.call('PATCH', `/resource/all/${id}`, { definition: 'their text' })
    await editor.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' and four')
    await page.keyboard.press('Control+s')
    await page.getByText('Someone else saved changes while you were editing.').waitFor()
    expect((await read(id)).definition).toBe('their text')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await eventually(async () => expect((await read(id)).definition).toBe('line one\nline two\nand **three** and four'))
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: /^Activity \d/ }).click()
    await page.getByRole('button', { name: 'Restore' }).nth(0).click()
    await eventually(async () => expect((await read(id)).definition).toBe('their text'))
  })

  test('restores an unsaved text in another window without overwriting later changes', async () => {
    const { id } = await make({ title: 'drafted', definition: 'before' })
    const page = await app.page()
    const context = page.context()
    await context.route(`**/api/v1/resource/all/${id}`, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
    )
    await page.goto(`/r/${id}?edit=1`)
    const editor = (of: typeof page) => of.getByRole('textbox', { name: 'Documentation in Markdown' })
    await editor(page).fill('typed on a train')
    await page.locator('section[aria-label=Preview]').getByText('typed on a train').waitFor()
    await page.close({ runBeforeUnload: false })
    await app.call('PATCH', `/resource/all/${id}`, { definition: 'by somebody else' })
    await context.unrouteAll()

    const again = await context.newPage()
    again.setDefaultTimeout(PATIENCE_MS)
    await again.goto(`/r/${id}?edit=1`)
    await editor(again).getByText('typed on a train').waitFor()
    await again.getByText('Edit conflict', { exact: true }).waitFor()
    expect((await read(id)).definition).toBe('by somebody else')
    await again.getByRole('button', { name: 'Keep mine' }).click()
    await eventually(async () => expect((await read(id)).definition).toBe('typed on a train'))
    expect(await again.evaluate('Object.keys(localStorage).filter((key) => key.startsWith("draft "))')).toEqual([])
    app.problems.splice(0) // the browser reports aborted requests
  })

  test('preserves untouched text byte for byte', async () => {
    const texts = [
      'a\r\nb\r\n',
      'a\nb\r\nc',
      '\n\n| a | b |\n|--|:-:|\n* x\n- [ ] y\n\n<details>\n{{ ref("z") }}  \nend',
      'tab\t e\u0301 \u{1F600}',
    ]
    const page = await app.page()
    for (const definition of texts) {
      const { id } = await make({ title: 'bytes', definition })
      await page.goto(`/r/${id}?edit=1`)
      const editor = page.getByRole('textbox', { name: 'Documentation in Markdown' })
      await editor.click()
      await page.keyboard.press('Control+End')
      await page.keyboard.type('!')
      await page.keyboard.press('Backspace')
      await page.keyboard.type('?')
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
      expect((await read(id)).definition).toBe(`${definition}?`)
    }
  })

  test('a URL pasted over text links it; images of other sites become links', async () => {
    const { id } = await make({ title: 'pasted', definition: 'the shop ![its map](https://example.com/map.png)' })
    const page = await app.page()
    await page.goto(`/r/${id}?edit=1`)
    const editor = page.getByRole('textbox', { name: 'Documentation in Markdown' })
    await editor.click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Control+Shift+ArrowRight')
    await page.keyboard.press('Control+Shift+ArrowRight')
    const paste = (fill: string) =>
      page.evaluate(`(() => {
        const data = new DataTransfer()
        ${fill}
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
      })()`)
    await paste(`data.setData('text/plain', 'https://example.com/a_(b)')`)
    await page.getByRole('region', { name: 'Preview' }).getByRole('link', { name: 'the shop' }).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    // External images become links: loading one would tell its server who reads the page.
    const link = page.locator('.prose').getByRole('link', { name: 'its map' })
    expect(await link.getAttribute('href')).toBe('https://example.com/map.png')
    expect((await read(id)).definition).toBe('[the shop](<https://example.com/a_(b)>) ![its map](https://example.com/map.png)')
  })

  test('renders task lists, alignment and list numbers as written', async () => {
    const definition = '- [x] done\n- [ ] open\n\n| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n3. three\n4. four\n\n<p dir="rtl" lang="he">x</p>'
    const { id } = await make({ title: 'formatted', definition })
    const page = await app.page()
    await page.goto(`/r/${id}`)
    const prose = page.locator('.prose')
    await prose.getByText('three').waitFor()
    const boxes = prose.getByRole('checkbox')
    expect([await boxes.count(), await boxes.nth(0).isChecked(), await boxes.nth(1).isChecked()]).toEqual([2, true, false])
    expect(await boxes.nth(0).isDisabled()).toBe(true)
    const alignments = `[...document.querySelectorAll('.prose td')].map((cell) => getComputedStyle(cell).textAlign)`
    expect(await page.evaluate(alignments)).toEqual(['center', 'end'])
    expect(await prose.locator('ol').getAttribute('start')).toBe('3')
    expect(await prose.locator('[lang=he]').getAttribute('dir')).toBe('rtl')
    await saveScreenshot(page, 'formatted')
  })

  test('typing in a long document renders only the changed section', async () => {
    const paragraph = 'Words of a paragraph that is long enough. '.repeat(20)
    const definition = Array.from({ length: 80 }, (_, i) => `## Part ${i}\n\n${paragraph}\n\n`).join('')
    const { id } = await make({ title: 'long', definition })
    const page = await app.page()
    await page.goto(`/r/${id}?edit=1`)
    const preview = page.getByRole('region', { name: 'Preview' })
    const last = preview.locator('h2', { hasText: 'Part 79' })
    await last.waitFor({ state: 'attached' }) // rendered when idle
    await page.evaluate(`[...document.querySelectorAll('[aria-label=Preview] h2')].at(-1).setAttribute('data-same', '')`)
    await page.getByRole('textbox', { name: 'Documentation in Markdown' }).click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('Typed ')
    await preview.getByText('Typed ## Part 0').waitFor()
    expect(await preview.locator('h2[data-same]').count()).toBe(1)
  })

  test('folds a long description; the empty state of a dashboard does not mention rows', async () => {
    const { id } = await make({ title: 'much described', description: 'One of many sentences. '.repeat(80), entity_type: 'dashboard' })
    const page = await app.page()
    await page.goto(`/r/${id}`)
    await page.getByText('Describe what this contains, where it comes from, and how to use it.').waitFor()
    const description = page.getByRole('button', { name: /^Edit description/ })
    const folded = (await description.boundingBox())!.height
    expect(folded).toBeLessThan(150)
    await page.getByRole('button', { name: 'Show more' }).click()
    await eventually(async () => expect((await description.boundingBox())!.height).toBeGreaterThan(2 * folded))
  })

  test('shows an overview, facts about columns, code with the expression of a column, and relationships', async () => {
    const find = async (q: string) => (await app.call('GET', `/search?q=${q}&entity_type=table&page_size=1`)).body.results[0].id as string
    const page = await app.page({ role: 'viewer' })
    await page.goto(`/r/${await find('fct_orders')}`)
    const trust = page.getByRole('region', { name: 'Trust' })
    for (const text of ['Open incident', 'Grace Lindqvist', 'Verified', '460 queries in 24 h']) await trust.getByText(text).waitFor()
    await page.getByRole('region', { name: 'Columns' }).getByRole('link', { name: 'order_id' }).waitFor()
    const lineage = page.getByRole('region', { name: 'Lineage' })
    await lineage.getByRole('listitem').filter({ hasText: 'daily_revenue' }).getByRole('img', { name: 'Needs attention' }).waitFor()
    await saveScreenshot(page, 'overview')

    const editor = await app.page({ role: 'editor' })
    await editor.goto(`/r/${await find('fct_orders')}?tab=code`)
    await editor.getByRole('button', { name: 'net_revenue' }).click()
    await editor.getByRole('status').getByRole('link', { name: 'stg_orders.grand_total_eur' }).waitFor()
    await editor.getByRole('textbox', { name: 'Query that writes to this' }).locator('.cm-marked').first().waitFor()
    await saveScreenshot(editor, 'code')

    await editor.goto(`/r/${await find('demo_raw.orders')}?tab=columns`)
    const row = editor.getByRole('row').filter({ hasText: 'customer_id' })
    await row.getByRole('link', { name: 'Foreign key to customers' }).waitFor()
    await row.getByRole('link', { name: '0 upstream, 1 downstream' }).waitFor()
    await editor.getByRole('link', { name: 'Relationships' }).click()
    await editor.getByRole('group', { name: 'customers' }).getByRole('button', { name: 'customers' }).click()
    await editor.getByRole('region', { name: 'Relationships' }).getByText('1 relationship of customers').waitFor()
    await saveScreenshot(editor, 'relationships')

    await editor.goto(`/r/${await find('fct_orders')}?tab=columns`)
    await editor.getByRole('button', { name: 'Statistics of channel' }).click()
    const statistics = editor.getByRole('dialog', { name: 'Statistics of channel' })
    await statistics.getByRole('listitem').filter({ hasText: 'web' }).waitFor()
    expect(await axe(editor)).toEqual([])
  })

  test('opens the diagram of relationships with all tables in view', async () => {
    const find = async (q: string) => (await app.call('GET', `/search?q=${q}&page_size=1`)).body.results[0].id as string
    const page = await app.page({ role: 'viewer' })
    for (const [path, boxes] of [
      [`/r/${await find('demo_raw.orders')}?tab=relationships`, 9],
      ['/r/c1f5f127-2c07-5580-a3f5-d33c85648f8d?tab=relationships', 15], // demo_raw
    ] as const) {
      await page.goto(path)
      const stage = page.getByRole('figure')
      await stage.getByRole('group', { name: 'orders', exact: true }).waitFor()
      const frame = (await stage.locator(':scope > div').boundingBox())!
      const rects = await Promise.all((await stage.getByRole('group').all()).map((box) => box.boundingBox()))
      const inside = rects.filter(
        (box) =>
          box &&
          box.x >= frame.x &&
          box.y >= frame.y &&
          box.x + box.width <= frame.x + frame.width &&
          box.y + box.height <= frame.y + frame.height,
      )
      expect([path, inside.length, rects.length > boxes]).toEqual([path, rects.length, true])
    }
  })

  test('shows whole names of owners on the overview', async () => {
    const id = (await app.call('GET', '/search?q=fct_orders&entity_type=table&page_size=1')).body.results[0].id as string
    const page = await app.page({ role: 'viewer' })
    await page.goto(`/r/${id}`)
    const owners = page.getByRole('region', { name: 'Trust' }).getByRole('link')
    await owners.filter({ hasText: 'Grace Lindqvist' }).waitFor()
    const names = `[...document.querySelectorAll('section[aria-label="Trust"] a .truncate')]`
    expect(await page.evaluate(`${names}.length`)).toBeGreaterThan(1)
    expect(await page.evaluate(`${names}.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)`)).toEqual(
      [],
    )
  })

  test('opens with its suggestions, so that the tabs below do not move', async () => {
    const id = (await app.call('GET', '/search?q=demo_raw.orders&entity_type=table&page_size=1')).body.results[0].id as string
    const page = await app.page({ role: 'editor' })
    await page.route('**/change_suggestions?*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      await route.continue()
    })
    await page.goto(`/r/${id}`)
    const tabs = page.getByRole('navigation', { name: 'Sections' })
    await tabs.waitFor()
    const before = await tabs.boundingBox()
    await page.getByRole('button', { name: 'Accept' }).first().waitFor()
    expect((await tabs.boundingBox())?.y).toBe(before?.y)
  })

  test('filters columns and edits their descriptions by keyboard', async () => {
    const { id } = await make({ title: 'wide' })
    for (const title of ['one', 'two', 'three']) await app.call('POST', '/table/columns', { title, parent: id, type: 'text' })
    await Promise.all(Array.from({ length: 60 }, (_, i) => app.call('POST', '/table/columns', { title: `z${i}`, parent: id, type: 'int' })))
    const page = await app.page()
    await page.goto(`/r/${id}`)
    await page.getByText('No documentation yet').waitFor()
    // By keyboard only: two tabs on, and the first undocumented column.
    await page.keyboard.press(']')
    await page.getByRole('button', { name: 'Add documentation' }).waitFor()
    await page.keyboard.press(']')
    await page.getByRole('table', { name: 'Columns' }).getByText('Add a description').first().waitFor()
    await page.keyboard.press('d')
    await page.getByRole('textbox', { name: /^Description of/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Edit description of one/ }).click()
    await page.keyboard.type('the first')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.type('the second')
    // Enter moves to the next row: the letters that follow are its description, not commands.
    await page.keyboard.press('Enter')
    await page.keyboard.type('vat number of buyer')
    await page.keyboard.press('Enter')
    await page.keyboard.type('discarded')
    await page.keyboard.press('Escape')
    await eventually(async () => expect(await page.evaluate('document.activeElement.textContent')).toMatch(/^Edit description of z/))
    await page.keyboard.type('v b discarded, too') // nor does a space open the field again
    expect(await page.getByRole('textbox', { name: /^Description of/ }).count()).toBe(0)
    const described = async () => {
      const { body } = await app.call('GET', `/table/columns?parent_id=${id}&page_size=100`)
      return Object.fromEntries(body.results.map((each: { title: string; description: string }) => [each.title, each.description]))
    }
    await eventually(async () =>
      expect(
        Object.values(await described())
          .filter(Boolean)
          .sort(),
      ).toEqual(['the first', 'the second', 'vat number of buyer']),
    )
    expect(await read(id)).toMatchObject({ verified: false, description: null })
    await page.getByRole('button', { name: 'Not verified' }).waitFor()
    await page.getByRole('button', { name: 'Bookmark', exact: true }).waitFor()
    // A shortcut that changes something shows a toast with Undo.
    await page.getByRole('searchbox', { name: 'Filter columns' }).press('Escape')
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('v')
    await page.getByText('Marked as verified').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => expect((await read(id)).verified).toBe(false))
    await page.evaluate("document.querySelector('[role=table]').scrollTo(0, 100_000)")
    await page.getByRole('row', { name: 'z59' }).waitFor() // the last row
    await page.getByRole('searchbox', { name: 'Filter columns' }).fill('first')
    await eventually(async () => expect(await page.getByRole('row').count()).toBe(2))
  })

  test('column descriptions are pasted from a spreadsheet, by position or by name, undone and redone', async () => {
    const { id } = await make({ title: 'pasted' })
    for (const [i, title] of ['one', 'two', 'three', 'four'].entries())
      await app.call('POST', '/table/columns', { title, parent: id, type: 'text', sort_order: i, published: true })
    const page = await app.page()
    await page.goto(`/r/${id}?tab=columns`)
    const described = async () => {
      const { body } = await app.call('GET', `/table/columns?parent_id=${id}`)
      return body.results.map(({ description }: { description: string | null }) => description)
    }
    const paste = (text: string) =>
      page.evaluate(`(() => {
        const data = new DataTransfer()
        data.setData('text/plain', ${JSON.stringify(text)})
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
      })()`)
    // Headers sort; a third click restores the order of the source.
    const names = () =>
      page
        .getByRole('table', { name: 'Columns' })
        .getByRole('link', { name: /^(one|two|three|four)$/ })
        .allTextContents()
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
    await eventually(async () => expect(await names()).toEqual(['four', 'one', 'three', 'two']))
    expect(page.url()).toContain('sort=title')
    await page.keyboard.press('Enter')
    await eventually(async () => expect(await names()).toEqual(['two', 'three', 'one', 'four']))
    await page.keyboard.press('Enter')
    await eventually(async () => expect(await names()).toEqual(['one', 'two', 'three', 'four']))
    // The arrow keys move from row to row, also without editing.
    await page.getByRole('button', { name: /^Edit description of one/ }).focus()
    await page.keyboard.press('ArrowDown')
    await eventually(async () => expect(await page.evaluate('document.activeElement.textContent')).toMatch(/^Edit description of two/))
    await paste('the second\r\n"the ""third"""\r\n')
    await page.getByText('2 descriptions changed').waitFor()
    await eventually(async () => expect(await described()).toEqual([null, 'the second', 'the "third"', null]))
    await page.getByRole('button', { name: /^Edit description of one/ }).click()
    await page.getByRole('textbox', { name: 'Description of one' }).waitFor()
    await paste('four\ttext\tthe last\none\ttext\tthe first\nunknown\ttext\tnothing')
    await eventually(async () => expect(await described()).toEqual(['the first', 'the second', 'the "third"', 'the last']))
    await page.getByRole('button', { name: /^Edit description of one/ }).focus()
    await page.keyboard.press('Control+z')
    await eventually(async () => expect(await described()).toEqual([null, 'the second', 'the "third"', null]))
    await page.keyboard.press('Control+z')
    await eventually(async () => expect(await described()).toEqual([null, null, null, null]))
    await page.keyboard.press('Control+Shift+z')
    await eventually(async () => expect(await described()).toEqual([null, 'the second', 'the "third"', null]))
    await page.keyboard.press('Control+y')
    await eventually(async () => expect(await described()).toEqual(['the first', 'the second', 'the "third"', 'the last']))
    await page.keyboard.press('Control+z')
    await eventually(async () => expect(await described()).toEqual([null, 'the second', 'the "third"', null]))
    // An image has no text: nothing is emptied. Nor with a modifier key: Shift and Delete cut.
    const pasteImage = () =>
      page.evaluate(`(() => {
        const data = new DataTransfer()
        data.items.add(new File([new Uint8Array([137, 80, 78, 71])], 'image.png', { type: 'image/png' }))
        const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
        document.activeElement.dispatchEvent(event)
        return event.defaultPrevented
      })()`)
    await page.getByRole('button', { name: /^Edit description of two/ }).focus()
    expect(await pasteImage()).toBe(false)
    for (const key of ['Shift+Delete', 'Control+Delete', 'Alt+Backspace', 'Meta+Backspace']) await page.keyboard.press(key)
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Description of two' }).waitFor()
    expect(await pasteImage()).toBe(false)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Edit description of one/ }).focus()
    // A single cell is pasted too, and Delete empties it. What was not to be saved before would have been by now.
    await paste('"only ""one"""')
    await eventually(async () => expect(await described()).toEqual(['only "one"', 'the second', 'the "third"', null]))
    await page.keyboard.press('Delete')
    await eventually(async () => expect(await described()).toEqual([null, 'the second', 'the "third"', null]))
    // After a new edit there is nothing to redo.
    await page.keyboard.press('Enter')
    await page.keyboard.type('typed')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await eventually(async () => expect(await described()).toEqual(['typed', 'the second', 'the "third"', null]))
    await page.keyboard.press('Control+y')
    await page.keyboard.press('Control+z')
    await eventually(async () => expect(await described()).toEqual([null, 'the second', 'the "third"', null]))
  })

  test('buttons that are shown on hovering do not cut the names of columns, and keep the focus', async () => {
    const { id } = await make({ title: 'long names' })
    const title = 'shipping_total'
    await app.call('POST', '/table/columns', { title, parent: id, type: 'text', description: 'x', tags: [], published: true })
    const page = await app.page()
    await page.goto(`/r/${id}?tab=columns`)
    const link = page.getByRole('table', { name: 'Columns' }).getByRole('link', { name: title, exact: true })
    await link.waitFor()
    const cut = () =>
      page.evaluate(`(() => {
        const link = [...document.querySelectorAll('[role=table] a')].find((a) => a.textContent === '${title}')
        return link.scrollWidth > link.clientWidth
      })()`)
    await page.mouse.move(0, 0)
    expect(await cut()).toBe(false)
    await link.hover()
    expect(await cut()).toBe(false)
    const toggle = page.getByRole('button', { name: `${title} contains PII` })
    await toggle.focus()
    await page.keyboard.press('Enter')
    await eventually(async () => expect(await toggle.getAttribute('aria-pressed')).toBe('true'))
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(`${title} contains PII`)
    expect(await axe(page)).toEqual([])
  })

  test('shows how the source defines a table', async () => {
    const { id } = await make({ title: 'defined' })
    const facts = {
      constraints: [{ name: 'defined_pkey', type: 'primary key', definition: 'PRIMARY KEY (id)' }],
      indexes: [{ name: 'defined_by_day', unique: false, definition: 'btree (day)' }, { nonsense: true }],
      partition_key: 'RANGE (day)',
    }
    await app.db
      .updateTable('resources')
      .set({ display_metadata: JSON.stringify(facts) })
      .where('id', '=', id)
      .execute()
    const page = await app.page()
    await page.goto(`/r/${id}`)
    const section = page.getByRole('region', { name: 'In the source' })
    await page.getByText('RANGE (day)').waitFor()
    await section.getByText('1 constraint').click()
    await section.getByText('PRIMARY KEY (id)').waitFor()
    await section.getByText('1 index').click()
    await section.getByText('btree (day)').waitFor()
    expect(await axe(page)).toEqual([])
  })

  test('glossary terms are added from suggestions, and a CSV file is imported after a look at its changes', async () => {
    const { id: term } = (
      await app.call('POST', '/glossary', { title: 'Loyalty points', description: 'Earned per order.', published: true })
    ).body
    const { id } = await make({ title: 'loyalty_points', integration: WAREHOUSE })
    const column = (await app.call('POST', '/table/columns', { title: 'LoyaltyPoints', parent: id, type: 'int', published: true })).body.id
    const page = await app.page()
    await page.goto(`/r/${id}?tab=columns`)
    await page.getByRole('button', { name: '1 suggested term' }).click()
    await page.getByRole('button', { name: 'Add all' }).click()
    await eventually(async () => expect((await read(column)).terms).toEqual([term]))
    const aside = page.getByRole('complementary', { name: 'Details' })
    await aside.getByRole('button', { name: 'Add Loyalty points' }).click()
    const link = aside.getByRole('link', { name: 'Loyalty points' })
    await link.hover()
    await page.getByRole('tooltip').getByText('Earned per order.').waitFor()
    await link.click()
    await page.getByRole('link', { name: '1 table' }).waitFor()
    await page.getByRole('link', { name: '1 column' }).click()
    await page.getByRole('grid').getByText('LoyaltyPoints', { exact: true }).waitFor()

    await page.goto('/import')
    await page.getByRole('combobox', { name: 'Source' }).selectOption(WAREHOUSE)
    const choose = (text: string) =>
      page.locator('input[type=file]').setInputFiles({ name: 'points.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await choose(`id,pii\n${id},perhaps\n`)
    await page.getByRole('alert').getByText('pii: must be boolean').waitFor()
    await choose(`id,description,color\n${id},Points of each customer.,red\n`)
    await page.getByRole('row', { name: /loyalty_points Description — Points of each customer\./ }).waitFor()
    await page.getByText('Ignored columns: color').waitFor()
    expect((await read(id)).description).toBeNull()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('link', { name: 'Show the resources' }).waitFor()
    expect((await read(id)).description).toBe('Points of each customer.')
  })

  test('previews rows of the source with PII masked until requested, and profiles the table', async () => {
    const { body } = await app.call('GET', '/search?q=customers&entity_type=table')
    const { id } = body.results.find(({ title }: { title: string }) => title === 'customers')
    const page = await app.page()
    await page.goto(`/r/${id}?tab=preview`)
    await page.getByText(/^First 50 rows/).waitFor()
    expect(await page.getByRole('gridcell', { name: '@' }).count()).toBe(0)
    await page.getByRole('switch', { name: 'Show personal data' }).click()
    await page.getByRole('gridcell', { name: '@' }).first().waitFor()
    await page.getByRole('link', { name: 'Profile' }).click()
    await page.getByRole('button', { name: 'Profile now' }).click()
    await page.getByText(/^1,400 rows read/).waitFor()
    await page
      .getByRole('img', { name: /^Value distribution/ })
      .first()
      .waitFor()
    await saveScreenshot(page, 'profile')
  })

  test('a viewer sees published resources and no editing controls', async () => {
    const { id } = await make({ title: 'for viewers', description: 'read me', definition: 'text' })
    const hidden = await make({ title: 'for editors', published: false })
    const page = await app.page({ role: 'viewer' })
    await page.goto(`/r/${id}`)
    await page.getByText('read me').waitFor()
    await page.locator('.prose', { hasText: 'text' }).waitFor() // rendered last
    for (const name of [/^Edit/, /erified/, /^Change/, 'Delete', 'Rename']) expect(await page.getByRole('button', { name }).count()).toBe(0)
    await page.getByRole('link', { name: /^Activity \d/ }).waitFor()
    await page.goto('/search?q=viewers')
    await page.getByRole('grid').getByRole('link', { name: 'for viewers' }).waitFor()
    expect(await page.getByRole('checkbox', { name: /^Select/ }).count()).toBe(0)
    await page.goto(`/r/${hidden.id}`)
    await page.getByText('Not found', { exact: true }).waitFor()
  })

  test('untrusted markup never runs', async () => {
    const corpus = [
      '<script>window.hacked=1</script>',
      '<img src=x onerror="window.hacked=1">',
      '<svg/onload=window.hacked=1>',
      '[click](javascript:window.hacked=1)',
      '<a href="javascript:window.hacked=1">click</a>',
      '![x](x"onerror="window.hacked=1)',
      '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
      '<math><mtext><table><mglyph><style><img src=x onerror=window.hacked=1>',
      '<form><button formaction=javascript:window.hacked=1>x</button></form>',
      '<details open ontoggle=window.hacked=1>x</details>',
      '<a href="data:text/html,<script>parent.hacked=1</script>">x</a>',
      String.raw`<a href="/\evil.example/">a path that browsers read as a host</a>`,
      // Headings are also read for the outline.
      ...[1, 2, 3, 4].map((n) => `## Heading ${n} <img src=x onerror="window.hacked=1"><svg/onload=window.hacked=1>`),
    ]
    const all = corpus.join('\n\n')
    const title = `xss ${corpus.join(' ')}`.slice(0, 490)
    const tag = (await app.call('POST', '/tag', { name: '<img src=x onerror=window.hacked=1>' })).body.id
    const { id } = await make({ title, description: all, definition: all, tags: [tag] })
    await app.call('POST', '/question/questions', { title: corpus[1], definition: all, base_entity_id: id })
    const page = await app.page()
    // Event handlers are not even parsed: some browsers report that as a CSP violation.
    await page.addInitScript(`
      const parse = DOMParser.prototype.parseFromString
      DOMParser.prototype.parseFromString = function (...args) {
        const parsed = parse.apply(this, args)
        const handlers = [...parsed.querySelectorAll('*')].flatMap((each) => each.getAttributeNames().filter((name) => name.startsWith('on')))
        window.parsedHandlers = [...(window.parsedHandlers ?? []), ...handlers]
        return parsed
      }`)
    for (const [path, there] of [
      [`/r/${id}`, '.prose'],
      [`/r/${id}?tab=questions`, 'article .prose'],
      [`/r/${id}?tab=activity`, 'text=version 1'],
      [`/r/${id}?edit=1`, 'section[aria-label=Preview] .prose'],
      [`/search?q=xss&peek=${id}`, 'aside[aria-label="Quick preview"] .prose'],
    ] as const) {
      await page.goto(path)
      await page.locator(there).first().waitFor()
      for (const link of await page.locator('.prose a').all())
        expect((await link.getAttribute('href')) ?? '').not.toMatch(/^(javascript|data):/i)
      expect(
        await page.evaluate(
          "[...document.querySelectorAll('.prose a[href]')].filter((a) => a.origin !== location.origin && !a.rel.includes('noopener')).map((a) => a.href)",
        ),
      ).toEqual([])
      expect(await page.evaluate('"hacked" in window')).toBe(false)
      expect(await page.evaluate('window.parsedHandlers ?? []')).toEqual([])
    }
  })

  test('can select the last of 1,200 people, tags and collections', async () => {
    const { id } = await make({ title: 'owned by many' })
    const numbers = sql`generate_series(1, 1199) i, lpad(i::text, 4, '0') n`
    await sql`
      insert into users (id, email, first_name, last_name, role, created_at, updated_at)
      select gen_random_uuid(), 'zz' || n || '@example.com', 'Zz', 'Person ' || n, 'viewer', now(), now() from ${numbers}
    `.execute(app.db)
    await sql`
      insert into tags (id, name, created_at, updated_at) select gen_random_uuid(), 'zz tag ' || n, now(), now() from ${numbers}
    `.execute(app.db)
    const collection = await make({ title: 'zz collection 1200', entity_type: 'collection' })
    await sql`
      insert into resources
      select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'title', t.title, 'title_cased', t.title, 'title_full', t.title))).*
      from resources r, ${numbers}, concat('zz collection ', n) t (title) where r.id = ${collection.id}
    `.execute(app.db)
    // The last ones through the API, which invalidates the server's caches.
    await app.call('POST', '/user', { email: 'zz1200@example.com', first_name: 'Zz', last_name: 'Person 1200', role: 'viewer' })
    await app.call('POST', '/tag', { name: 'zz tag 1200' })
    const page = await app.page()
    await page.goto(`/r/${id}`)
    const choose = async (button: string, list: string, typed: string) => {
      await page.getByRole('button', { name: button }).click()
      await page.getByPlaceholder(list).fill(typed)
      await page.getByRole('option', { name: new RegExp(typed) }).click()
      await page.keyboard.press('Escape')
      await page.getByRole('complementary', { name: 'Details' }).getByText(typed).last().waitFor()
    }
    await choose('Edit owners', 'Owners', 'Person 1200')
    // With a slow response, creating a tag is not offered before the search has finished.
    await page.route(/\/tag\?/, async (route) => {
      await new Promise((done) => setTimeout(done, 300))
      await route.continue()
    })
    await choose('Edit tags', 'Tags', 'zz tag 1200')
    await choose('Edit collections', 'Collections', 'zz collection 1200')
    await eventually(async () => expect((await read(id)).tags).toHaveLength(1))
    await eventually(async () => expect((await read(id)).collections).toEqual([collection.id]))
    const [owner] = (await read(id)).owners
    expect((await app.call('GET', `/user/${owner}`)).body.email).toBe('zz1200@example.com')
    // After a reload their names are fetched.
    await page.reload()
    await page.getByRole('complementary', { name: 'Details' }).getByText('Person 1200').last().waitFor()
  })

  test('shows changes of other users without a reload', async () => {
    const { id } = await make({ title: 'live', description: 'before' })
    const page = await app.page()
    await page.goto(`/r/${id}`)
    await page.getByText('before', { exact: true }).waitFor()
    await app.call('PATCH', `/resource/all/${id}`, { description: 'after' })
    await page.getByText('after', { exact: true }).waitFor()
  })

  test('reads again by itself what could not be read while the server was away', async () => {
    const page = await app.page()
    const server = { away: true }
    for (const path of ['**/api/v1/monitor/incidents?*', '**/api/v1/ui/stream'])
      await page.route(path, (route) => (server.away ? route.abort() : route.continue()))
    await page.goto('/incidents')
    await page.getByText('Couldn’t reach the server.').waitFor()
    server.away = false
    await page.getByText('Orders loaded each night').first().waitFor()
    app.problems.length = 0
  })

  test('shows what changed while a proxy answered for a server that restarted', async () => {
    const { id } = await make({ title: 'restarted', description: 'before' })
    const page = await app.page()
    const proxy = { answers: true }
    await page.clock.install()
    await page.route('**/api/v1/ui/stream', (route) => (proxy.answers ? route.fulfill({ status: 503 }) : route.continue()))
    const rejected = page.waitForResponse('**/api/v1/ui/stream')
    await page.goto(`/r/${id}`)
    await page.getByText('before', { exact: true }).waitFor()
    await rejected
    await app.call('PATCH', `/resource/all/${id}`, { description: 'after' })
    proxy.answers = false
    await eventually(async () => {
      await page.clock.fastForward(10_000)
      await page.getByText('after', { exact: true }).waitFor({ timeout: 1_000 })
    })
    app.problems.length = 0
  })

  test('the text beside a switch turns it on', async () => {
    const page = await app.page()
    await page.goto('/search?q=orders')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByText('Notify me about new matches').click()
    await page.getByRole('switch', { name: 'Notify me about new matches', checked: true }).waitFor()
  })

  test('tabs that do not fit are in a menu', async () => {
    const { id } = await make({ title: 'many tabs' })
    const page = await app.page()
    await page.goto(`/r/${id}`)
    await page.getByRole('button', { name: 'All tabs' }).click()
    await page.getByRole('menuitemcheckbox', { name: /^Activity/ }).click()
    await page
      .getByRole('navigation', { name: 'Sections' })
      .getByRole('link', { name: /^Activity/ })
      .waitFor()
    await page.waitForURL(/tab=activity/)
    await page.setViewportSize({ width: 2400, height: 900 })
    await page.getByRole('button', { name: 'All tabs' }).waitFor({ state: 'detached' })
  })

  test('a resource that is gone leads to the search and the trash', async () => {
    const { id } = await make({ title: 'gone' })
    await app.call('DELETE', `/resource/all/${id}`)
    const page = await app.page()
    await page.goto(`/r/${id}`)
    await page.getByRole('main').getByRole('link', { name: 'Trash' }).waitFor()
    await page.getByRole('link', { name: 'Search the catalog' }).click()
    await page.waitForURL(/\/search/)
    app.problems.length = 0 // the 404
  })

  test('asks a question and answers it', async () => {
    const { id } = await make({ title: 'asked about' })
    const page = await app.page({ role: 'viewer' })
    await page.goto(`/r/${id}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Ask a question' }).click()
    await page.getByLabel('Your question').fill('Is this net or gross?')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByRole('heading', { name: 'Is this net or gross?' }).waitFor()
    // It can be answered on its own page too, where lists of questions lead.
    const { body } = await app.call('GET', `/search?q=${encodeURIComponent('net or gross')}&entity_type=question`)
    await page.goto(`/r/${body.results[0].id}`)
    await page.getByLabel('Your answer').fill('**Net.**')
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await page.locator('strong', { hasText: 'Net.' }).waitFor()
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Answered', { exact: true }).waitFor()
  })
})
