import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { TEAMS } from '../../src/operations/demo/people.ts'
import { eventually } from '../support/eventually.ts'
import { axe, type BrowserApp, noBrowser, openBrowserApp, runCommand, saveScreenshot } from './browser.ts'

/** Signing in, searching, filtering and bulk editing. */
describe.skipIf(noBrowser())('catalog', () => {
  let app: BrowserApp
  beforeAll(async () => {
    app = await openBrowserApp()
  })
  afterAll(() => app?.[Symbol.asyncDispose]())
  afterEach(() => expect(app.problems.splice(0)).toEqual([]))

  test('a result shows its path beside the reason for the match', async () => {
    const page = await app.page()
    await page.goto('/search?q=payments')
    const cell = page.getByRole('row').filter({ hasText: 'Found by meaning' }).first().getByRole('gridcell').first()
    await cell.waitFor()
    const path = (await cell.locator('span:has(> bdi)').boundingBox())!
    const box = (await cell.boundingBox())!
    expect(path.width).toBeGreaterThan(50)
    expect(path.x + path.width).toBeLessThanOrEqual(box.x + box.width)
  })

  test('signs in with a token, stays on the requested page, and signs out', async () => {
    const page = await app.page({ role: null })
    await page.goto('/search?q=fct_orders')
    await page.getByRole('button', { name: 'Sign in with a token instead' }).click()
    await page.getByLabel('Token').fill('tbl_wrong')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Token').fill(app.token)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('grid').getByRole('link', { name: 'fct_orders' }).first().waitFor()
    expect(new URL(page.url()).search).toBe('?q=fct_orders')
    // A session that ends somewhere else: the page says so, and is there again afterwards.
    await page.evaluate("fetch('/api/v1/auth/sign_out', { method: 'POST' })")
    await page.getByRole('button', { name: 'Sign in with a token instead' }).click()
    await page.getByText('Your session has ended.').waitFor()
    await page.getByLabel('Token').fill(app.token)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('grid').getByRole('link', { name: 'fct_orders' }).first().waitFor()
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Welcome to Tablinum' }).waitFor()
    expect((await page.request.get('/api/v1/user/me')).status()).toBe(401)
  })

  test('the first admin sets a password and signs in with it', async () => {
    const page = await app.page({ role: null })
    await page.goto('/')
    await page.getByLabel('Code').fill(app.token)
    await page.getByLabel('Your e-mail').fill('ada@example.com')
    await page.getByLabel('Password', { exact: true }).fill('a long enough secret')
    await page.getByLabel('Confirm password').fill('a long enough secret')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: /What are you looking for/ }).waitFor()
    const other = await app.page({ role: null })
    await other.goto('/')
    await other.getByLabel('E-mail or name').fill('ada@example.com')
    await other.getByLabel('Password').fill('a long enough secret')
    await other.getByRole('button', { name: 'Sign in', exact: true }).click()
    await other.getByRole('heading', { name: /What are you looking for/ }).waitFor()
  })

  test('searches, filters by facets, and keeps the state in the URL', async () => {
    // Unique words, so that exactly one of each is found in the demo data.
    for (const [title, entity_type] of [
      ['zanzibar_ledger', 'table'],
      ['Zanzibar at a glance', 'dashboard'],
    ])
      expect((await app.call('POST', '/resource/catalog', { title, entity_type, published: true })).status).toBe(201)
    const page = await app.page()
    await page.goto('/search')
    await page.getByRole('combobox', { name: 'Search the catalog' }).fill('zanzibr')
    await page.getByText('Showing results for zanzibar.').waitFor()
    await page.getByRole('link', { name: 'Search for “zanzibr” instead' }).click()
    await page.getByText('No results for “zanzibr”').waitFor()
    expect(new URL(page.url()).searchParams.get('spelling')).toBe('off')
    await page.getByRole('link', { name: 'Search with spelling correction' }).click()
    const table = page.getByRole('grid').getByRole('link', { name: 'zanzibar_ledger', exact: true })
    const dashboard = page.getByRole('grid').getByRole('link', { name: 'Zanzibar at a glance', exact: true })
    await table.waitFor()
    await dashboard.waitFor()
    await page.getByRole('checkbox', { name: /^Dashboards/ }).check()
    await page.waitForURL(({ searchParams }) => searchParams.get('q') === 'zanzibr' && searchParams.get('entity_type') === 'dashboard')
    await table.waitFor({ state: 'detached' })
    await dashboard.waitFor()
    await page.reload()
    await dashboard.waitFor()
    await eventually(async () => expect(await page.getByRole('checkbox', { name: /^Dashboards/ }).isChecked()).toBe(true))
    expect(await table.count()).toBe(0)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await table.waitFor()
    await page.getByRole('combobox', { name: 'Search the catalog' }).fill('qxzvkj wqxzzv')
    await page.getByText('No results').waitFor()
  })

  test('supports searching, moving, previewing, opening and going back by keyboard', async () => {
    const page = await app.page()
    await page.goto('/')
    await page.getByRole('heading', { name: /What are you looking for/ }).waitFor()
    await page.getByRole('searchbox').fill('fct_ord')
    const suggested = page.getByRole('option', { name: /^fct_orders/ })
    await suggested.first().waitFor()
    await page.keyboard.press('ArrowDown')
    await eventually(async () => expect(await suggested.first().getAttribute('aria-selected')).toBe('true'))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'fct_orders' }).waitFor()
    await page.getByRole('button', { name: 'Bookmark', exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Remove bookmark' }).waitFor()
    const bookmarks = page.locator('section', { has: page.getByRole('heading', { name: 'Bookmarks' }) })
    await runCommand(page, bookmarks.getByRole('link', { name: /fct_orders/ }), 'g', 'h')
    await page.getByRole('searchbox').blur()
    await page.keyboard.press('/')
    await page.getByRole('combobox').fill('daily_rev')
    await page
      .getByRole('option', { name: /^daily_revenue/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'daily_revenue' }).waitFor()
    const rows = page.getByRole('grid').getByRole('link')
    await runCommand(page, rows.first(), 'g', 'c')
    await page.getByRole('combobox', { name: 'Search the catalog' }).blur()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    const second = await rows.nth(1).textContent()
    await eventually(async () => expect(await page.evaluate('document.activeElement.textContent')).toBe(second))
    await page.keyboard.press('Space')
    await page.getByRole('complementary', { name: 'Quick preview' }).getByRole('heading', { name: second! }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('complementary', { name: 'Quick preview' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: second! }).waitFor()
    await page.goBack()
    await page.getByRole('grid').waitFor()
  })

  test('each letter fetches rows first and the facets after them', async () => {
    const page = await app.page({ width: 1440 })
    await page.goto('/search')
    await page.getByRole('grid').getByRole('link').first().waitFor()
    const requested = new Set<string>()
    const wordsOf = (address: string) => {
      const { pathname, searchParams } = new URL(address)
      const q = searchParams.get('q') // without a term it is the initial load
      return pathname === '/api/v1/search' && q !== null && `${searchParams.get('facets') === 'false' ? 'rows' : 'filters'} ${q}`
    }
    page.on('request', (request) => requested.add(wordsOf(request.url()) || 'other'))
    page.on('response', (response) => requested.add(wordsOf(response.url()) ? `${wordsOf(response.url())} answered` : 'other'))
    await page.getByRole('combobox', { name: 'Search the catalog' }).focus()
    const word = 'customer'
    for (const [i, letter] of [...word].entries()) {
      const facetsLoaded = page.waitForResponse((response) => wordsOf(response.url()) === `filters ${word.slice(0, i + 1)}`)
      await page.keyboard.type(letter)
      await facetsLoaded
    }
    requested.delete('other')
    const inOrder = (q: string) => [`rows ${q}`, `rows ${q} answered`, `filters ${q}`, `filters ${q} answered`]
    expect([...requested]).toEqual([...word].flatMap((_, i) => inOrder(word.slice(0, i + 1))))
  })

  test('bulk edits resources and undoes the edit', async () => {
    const page = await app.page()
    await page.goto('/search?q=campaign&entity_type=table')
    const first = page.getByRole('grid').getByRole('link').first()
    await first.waitFor()
    await page.getByRole('combobox', { name: 'Search the catalog' }).blur()
    await page.keyboard.press('Shift+X')
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByText(/^Verify: \d+ resources/).hover() // a message stays under the pointer
    const verified = async () => {
      const { body } = await app.call('GET', '/search?q=campaign&entity_type=table&page_size=100')
      return body.results.map((each: { verified: boolean }) => each.verified)
    }
    await eventually(async () => expect(new Set(await verified())).toEqual(new Set([true])))
    await page.getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => expect(await verified()).toContain(false))

    // A tag can be created from the bar; the toast is shown above it.
    const bar = page.getByRole('region', { name: 'Bulk edit' })
    await bar.getByRole('button', { name: 'Tags' }).click()
    await page.getByPlaceholder('Tags').fill('made together')
    await page.getByRole('option', { name: 'Create “made together”' }).click()
    const message = page.getByText(/^Tags changed: \d+ resources/)
    await message.waitFor()
    const [low, high] = [await message.boundingBox(), await bar.boundingBox()]
    expect(low!.y + low!.height).toBeLessThan(high!.y)
    await page.keyboard.press('Escape')
    const tagged = async () => (await app.call('GET', '/search?q=campaign&entity_type=table&page_size=100')).body.results
    await eventually(async () => expect((await tagged()).every(({ tags }: { tags: string[] }) => tags.length > 0)).toBe(true))

    // Resources that no longer match leave the list and close the bar; Undo stays.
    await page.goto('/search?q=campaign&entity_type=table&verified=false')
    await first.waitFor()
    await page.getByRole('combobox', { name: 'Search the catalog' }).blur()
    await page.keyboard.press('Shift+X')
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByRole('button', { name: 'Undo' }).hover()
    await bar.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await first.waitFor()
  })

  test('sets teams and a property, archives and deletes several at once, with undo', async () => {
    await app.call('POST', '/resource/all_v2/custom_properties/', { name: 'Tier', value_type: 'select', options: ['gold', 'silver'] })
    const made = await Promise.all(
      ['bulk_one', 'bulk_two'].map(async (title) => (await app.call('POST', '/resource/catalog', { title, entity_type: 'table' })).body.id),
    )
    const page = await app.page()
    await page.goto('/search?q=bulk_')
    const rows = page.getByRole('grid').getByRole('link', { name: /^bulk_/ })
    await rows.nth(1).waitFor()
    const bar = page.getByRole('region', { name: 'Bulk edit' })
    const select = async () => {
      await page.getByRole('combobox', { name: 'Search the catalog' }).blur()
      await page.keyboard.press('Shift+X')
      await bar.waitFor()
    }
    const choose = async (name: string) => {
      await bar.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    const read = (field: string) => Promise.all(made.map(async (id) => (await app.call('GET', `/resource/all/${id}`)).body[field]))
    await select()
    await bar.getByRole('button', { name: 'Teams' }).click()
    await page.getByRole('option', { name: 'Demo shop' }).click()
    await eventually(async () => expect(await read('teams')).toEqual([[TEAMS.shop.id], [TEAMS.shop.id]]))
    await page.keyboard.press('Escape')

    await choose('Set property')
    await page.getByLabel('Property', { exact: true }).selectOption('Tier')
    await page.getByLabel('Value').selectOption('gold')
    await page.getByRole('button', { name: 'Set for 2 resources' }).click()
    await page.getByText('Tier: 2 resources').waitFor()
    for (const id of made)
      expect((await app.call('GET', `/ui/resource/${id}`)).body.properties).toMatchObject([{ name: 'Tier', value: 'gold' }])

    await choose('Archive')
    await page.getByText('Archived: 2 resources').hover()
    await eventually(async () => expect(await read('archived')).toEqual([true, true]))
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await eventually(async () => expect(await read('archived')).toEqual([false, false]))

    await page.reload() // with nothing selected, whatever the list has shown meanwhile
    await rows.nth(1).waitFor()
    await select()
    await choose('Delete')
    expect(await axe(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('2 resources deleted').hover()
    await eventually(async () => expect(await read('id')).toEqual([undefined, undefined]))
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await eventually(async () => expect(await read('id')).toEqual(made))
    await rows.nth(1).waitFor()
  })

  test('Escape keeps the search term, column headers sort, and a click on a row opens it', async () => {
    const page = await app.page({ role: 'viewer' })
    await page.goto('/search?q=revenue&entity_type=table')
    const grid = page.getByRole('grid')
    await grid.getByRole('link').first().waitFor()
    const box = page.getByRole('combobox', { name: 'Search the catalog' })
    await box.press('Escape')
    expect(await box.inputValue()).toBe('revenue')
    await page.keyboard.press('j') // from the search box to the list
    await eventually(async () => expect(await page.evaluate('document.activeElement.tagName')).toBe('A'))
    await grid.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
    await page.waitForURL(/sort=title/)
    await grid.getByRole('columnheader', { name: 'Name' }).and(page.locator('[aria-sort=ascending]')).waitFor()
    await grid.getByRole('row').nth(1).getByRole('gridcell').last().click()
    await page.waitForURL(/\/r\//)
  })

  test('groups results by type, with all of a type one click away; a new user is shown around once', async () => {
    const page = await app.page({ role: 'editor' })
    await page.goto('/')
    const tour = page.getByRole('region', { name: 'Tour' })
    await tour.getByRole('button', { name: 'Next' }).click()
    await tour.getByRole('heading', { name: 'See whether you can rely on it' }).waitFor()
    await tour.getByRole('button', { name: 'Back' }).click()
    await tour.getByRole('link', { name: 'Verified tables' }).click()
    await page.waitForURL(/q=type%3Atable\+is%3Averified/)
    await page.getByRole('grid').getByRole('link', { name: 'fct_orders' }).waitFor()
    await page.goto('/')
    await tour.getByRole('button', { name: 'Skip tour' }).click()
    await tour.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'Most used' }).waitFor()
    expect(await tour.count()).toBe(0)

    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.goto('/search?q=revenue')
    await page.getByRole('button', { name: 'Group by type' }).click()
    await page.waitForURL(/group=type/)
    const { body } = await app.call('GET', '/search?q=revenue&page_size=1')
    const count = (type: string) => body.facets.entity_type.values.find(({ value }: { value: string }) => value === type).count as number
    const tables = page.getByRole('rowgroup', { name: 'Tables' })
    const names = tables.getByRole('row').getByRole('link')
    await tables.getByRole('button', { name: `Show all ${count('table')}` }).waitFor()
    expect(await names.count()).toBe(3)
    // Of types that are rare among the best results, too.
    const terms = page.getByRole('rowgroup', { name: 'Terms' })
    await eventually(async () => expect(await terms.getByRole('link').count()).toBe(Math.min(3, count('glossary'))))
    await page.getByRole('combobox', { name: 'Search the catalog' }).press('Escape')
    for (const _ of [1, 2, 3, 4]) await page.keyboard.press('j')
    await eventually(async () =>
      expect(await page.evaluate('document.activeElement.closest("[role=rowgroup]").ariaLabel')).not.toBe('Tables'),
    )
    await tables.getByRole('button', { name: /^Show all/ }).click()
    await page.waitForURL(/entity_type=table/)
    await tables.waitFor({ state: 'detached' })
    await eventually(async () => expect(await page.getByRole('grid').getByRole('row').count()).toBeGreaterThan(4))
    await page.goBack()
    await tables.waitFor()
    // Rows that were requested for a group are edited in place like others.
    const [term] = (await app.call('GET', '/search?q=revenue&entity_type=glossary&page_size=1')).body.results
    await terms.getByRole('link', { name: term.title, exact: true }).first().hover()
    await page.getByRole('button', { name: `Edit description of ${term.title}:` }).click()
    await page.getByRole('textbox', { name: `description of ${term.title}` }).fill('Money earned')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: `Edit description of ${term.title}: Money earned` }).waitFor()
    await eventually(async () => expect((await app.call('GET', `/resource/all/${term.id}`)).body.description).toBe('Money earned'))
    await app.call('PATCH', `/resource/all/${term.id}`, { description: term.description })
    // The counts are those of the facets: no search is made for them.
    expect(requested.filter((url) => url.includes('/api/v1/search') && !url.includes('facets=false')).length).toBeLessThan(4)
  })

  test('shows an error instead of old rows when a search fails', async () => {
    const page = await app.page()
    await page.goto('/search')
    const link = page.getByRole('grid').getByRole('link').first()
    await link.waitFor()
    await page.context().setOffline(true)
    await page.getByRole('combobox', { name: 'Search the catalog' }).fill('orders')
    await page.getByText('Couldn’t reach the server.').waitFor()
    await link.waitFor({ state: 'detached' })
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Retry' }).click()
    await link.waitFor()
    app.problems.splice(0)
  })

  test('the command palette finds commands of other pages, settings, people and teams', async () => {
    const page = await app.page()
    await page.goto('/')
    await page.getByRole('heading', { name: /What are you looking for/ }).waitFor()
    const choose = async (words: string, option: RegExp) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill(words)
      await page.getByRole('option', { name: option }).click()
    }
    await choose('create document', /New document/)
    await page.getByRole('dialog', { name: 'New document' }).waitFor()
    await page.keyboard.press('Escape')
    await choose('settings tokens', /Settings: API tokens/)
    await page.waitForURL(/settings\/tokens/)
    await choose('Grace', /^Grace Lindqvist/)
    await page.waitForURL(/\/people\//)
    await page.getByRole('heading', { name: 'Grace Lindqvist' }).waitFor()
    await choose('demo shop', /^Demo shop.*Team/)
    await page.waitForURL(/\/teams\//)
    await page.getByRole('heading', { name: 'Demo shop', level: 1 }).waitFor()
  })

  test('edits a row inline by keyboard and mouse, rolls back a rejected edit, and offers no editing to viewers', async () => {
    const { body: created } = await app.call('POST', '/resource/catalog', { title: 'quince_stock', entity_type: 'table', published: true })
    const page = await app.page({ width: 1440 })
    const link = page.getByRole('grid').getByRole('link', { name: 'quince_stock' })
    const cell = (what: string, value: string) => page.getByRole('button', { name: `Edit ${what} of quince_stock: ${value}` })
    const field = page.getByRole('textbox', { name: 'description of quince_stock' })
    const described = async () => (await app.call('GET', `/resource/all/${created.id}`)).body.description
    const columns = 'columns=description,owners,tags,flags'
    let writes = 0
    page.on('request', (request) => {
      if (request.method() === 'PATCH') writes++
    })
    await page.goto(`/search?q=quince&${columns}`)
    await link.waitFor()
    await page.getByRole('combobox', { name: 'Search the catalog' }).blur()
    await page.keyboard.press('j')
    await eventually(async () => expect(await link.and(page.locator(':focus')).count()).toBe(1))
    await page.keyboard.press('e')
    await field.fill('Jars, and')
    const height = await page.getByRole('row').last().boundingBox()
    await page.keyboard.press('Escape')
    await cell('description', 'No description').waitFor()
    expect((await page.getByRole('row').last().boundingBox())?.height).toBe(height?.height)
    await page.keyboard.press('Enter') // the cell has the focus again
    await field.fill('Jars on the shelf')
    await page.keyboard.press('Enter')
    await cell('description', 'Jars on the shelf').waitFor()
    await eventually(async () => expect(await described()).toBe('Jars on the shelf'))
    expect(writes).toBe(1)
    await cell('owners', '—').click()
    await page.getByRole('option', { name: /^Ada Okafor/ }).click()
    await page.keyboard.press('Escape')
    await cell('owners', 'Ada Okafor').waitFor()
    await page.getByRole('row').last().getByRole('button', { name: 'Verified' }).click()
    const verified = page.getByRole('row').last().getByRole('button', { name: 'Verified', pressed: true })
    await verified.waitFor()
    await eventually(async () => {
      const { body } = await app.call('GET', `/resource/all/${created.id}`)
      expect([body.owners.length, body.verified]).toEqual([1, true])
    })
    await page.reload()
    await page.getByRole('gridcell', { name: 'Jars on the shelf' }).hover()
    await cell('description', 'Jars on the shelf').waitFor()
    await cell('owners', 'Ada Okafor').waitFor()
    await verified.waitFor()

    // The row does not change while it is edited, and changes of other users are not overwritten.
    await cell('description', 'Jars on the shelf').click()
    await field.fill('Jars in the attic')
    await app.call('PATCH', `/resource/all/${created.id}`, { description: 'Jars in the cellar' })
    await page.keyboard.press('Enter')
    await page.getByText('Someone else changed the description in the meantime').waitFor()
    await cell('description', 'Jars in the cellar').waitFor()
    expect(await described()).toBe('Jars in the cellar')

    // The rows are not refetched either: the page itself rolls back the edit.
    await page.route(/v1\/(resource\/all|search)/, (route) => route.fulfill({ status: 500, json: { detail: 'The shelf broke.' } }))
    await cell('description', 'Jars in the cellar').click()
    await field.fill('Jars nowhere')
    await page.keyboard.press('Enter')
    await page.getByText('The shelf broke.').waitFor()
    await cell('description', 'Jars in the cellar').waitFor()

    const viewer = await app.page({ role: 'viewer', width: 1440 })
    await viewer.goto(`/search?q=quince&${columns}`)
    await viewer.getByRole('grid').getByText('Jars in the cellar').waitFor()
    await viewer.getByRole('grid').getByText('Jars in the cellar').hover()
    expect(await viewer.getByRole('gridcell').getByRole('button').count()).toBe(0)
    await viewer.getByRole('combobox', { name: 'Search the catalog' }).blur()
    await viewer.keyboard.press('j')
    await viewer.keyboard.press('e')
    await viewer.keyboard.press('?')
    await viewer.getByRole('dialog').getByText('Edit description').waitFor()
    expect(await viewer.getByRole('grid').getByRole('textbox').count()).toBe(0)
  })

  test('completes fields of the query language by keyboard', async () => {
    const page = await app.page({ width: 390 })
    await page.goto('/search')
    const box = page.getByRole('combobox', { name: 'Search the catalog' })
    const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
    const offered = (names: readonly (string | RegExp)[]) =>
      eventually(async () => expect(await options.allTextContents()).toEqual(names.map((name) => expect.stringMatching(name))))
    await box.pressSequentially('ty')
    await offered([/^type:/])
    expect(await box.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('ArrowDown')
    await eventually(async () => expect(await box.getAttribute('aria-activedescendant')).toBe(await options.first().getAttribute('id')))
    await page.keyboard.press('Enter')
    await page.keyboard.type('das')
    await offered([/^dashboard/, /^dashboard_group/])
    await saveScreenshot(page, 'completion-390')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await eventually(async () => expect(await box.inputValue()).toBe('type:dashboard '))
    await page.keyboard.type('owner:lin')
    await offered([/^Grace Lindqvist/])
    expect(await axe(page)).toEqual([])
    await options.first().click()
    await eventually(async () => expect(await box.inputValue()).toBe('type:dashboard owner:"Grace Lindqvist" '))
    await page.waitForURL(({ searchParams }) => searchParams.get('q') === 'type:dashboard owner:"Grace Lindqvist"')
    // Escape closes the list first; Enter without a selection searches.
    await box.fill('in:demo_mart')
    await offered([/demo_marts/])
    await page.keyboard.press('Escape')
    await eventually(async () => expect(await options.count()).toBe(0))
    expect(await page.evaluate('document.activeElement.role')).toBe('combobox')
    await page.getByRole('button', { name: 'Search syntax' }).click()
    await page.getByRole('dialog', { name: 'Search syntax' }).getByText('property:Tier=gold').waitFor()
    expect(await axe(page)).toEqual([])
    await saveScreenshot(page, 'search-syntax-390')
  })

  test('builds a nested filter, shows it as text and the errors of the server at their place', async () => {
    const property = await app.call('POST', '/resource/all_v2/custom_properties/', {
      name: 'Grade',
      value_type: 'select',
      options: ['first', 'second'],
    })
    const table = await app.call('POST', '/resource/catalog', {
      title: 'persimmon_stock',
      entity_type: 'table',
      published: true,
      verified: true,
    })
    await app.call('POST', '/resource/catalog', { title: 'persimmon_waste', entity_type: 'table', published: true })
    await app.call('PUT', '/resource/all_v2/bulk_update/custom_properties/', {
      entity_ids: [table.body.id],
      properties: { [property.body.id]: 'first' },
    })
    const page = await app.page({ width: 1440 })
    await page.goto('/search?q=persimmon')
    const links = page.getByRole('grid').getByRole('link')
    const shown = (titles: string[]) => eventually(async () => expect((await links.allTextContents()).toSorted()).toEqual(titles))
    await shown(['persimmon_stock', 'persimmon_waste'])
    // A custom property is a facet.
    await page
      .getByRole('group', { name: 'Grade' })
      .getByRole('checkbox', { name: /^first/ })
      .check()
    await shown(['persimmon_stock'])
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await shown(['persimmon_stock', 'persimmon_waste'])

    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Filter' })
    await dialog.getByLabel('Field').selectOption('Rows')
    await dialog.getByLabel('Operator').selectOption('is at least')
    await dialog.getByRole('button', { name: 'Apply filter' }).click()
    await dialog.getByText('must be a number.').waitFor()
    expect(await dialog.getByLabel('Value of Rows').getAttribute('aria-invalid')).toBe('true')
    await dialog.getByLabel('Field').selectOption('Verified')
    await dialog.getByRole('button', { name: 'Add group' }).click()
    const group = dialog.getByRole('group', { name: 'Group: Any of' })
    await group.getByRole('button', { name: 'Value of Type' }).click()
    await page.getByRole('option', { name: 'Table', exact: true }).click()
    await page.keyboard.press('Escape')
    await group.getByRole('button', { name: 'Add condition' }).click()
    await group.getByLabel('Field').last().selectOption('Name')
    await group.getByLabel('Value of Name').fill('nothing')
    await dialog.getByText('Verified is Yes and (Type is Table or Name contains “nothing”)').waitFor()
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      expect(await axe(page, theme)).toEqual([])
      await saveScreenshot(page, `filter-builder-${theme}`)
    }
    await dialog.getByRole('button', { name: 'Apply filter' }).click()
    await shown(['persimmon_stock'])
    const filter = JSON.parse(new URL(page.url()).searchParams.get('filter')!)
    expect(filter).toMatchObject({ operator: 'and', operands: [{ field: 'verified' }, { operator: 'or', operands: [{}, {}] }] })
    await page.getByRole('combobox', { name: 'Sort' }).selectOption('Name')
    await page.waitForURL(/sort=title/)
    await shown(['persimmon_stock'])
    const bar = page.getByRole('region', { name: 'Filter' })
    await bar.getByText('Verified is Yes and').waitFor()
    await saveScreenshot(page, 'filter-bar-dark')
    await bar.getByRole('button', { name: 'Edit filter' }).click()
    await dialog.getByLabel('Match').first().selectOption('None of')
    await dialog.getByRole('button', { name: 'Apply filter' }).click()
    await page.getByText('No results').waitFor()
    await bar.getByRole('button', { name: 'Remove filter' }).click()
    await shown(['persimmon_stock', 'persimmon_waste'])
    // An error in a link is shown at its condition as well.
    const wrong = {
      operator: 'and',
      operands: [
        { operator: 'gt', field: 'title', value: 'a' },
        { operator: 'exact', field: 'colour', value: 'a' },
      ],
    }
    const phone = await app.page({ width: 390 })
    await phone.goto(`/search?filter=${encodeURIComponent(JSON.stringify(wrong))}`)
    await phone.getByRole('button', { name: 'Edit filter' }).click()
    await phone.getByRole('dialog', { name: 'Filter' }).getByText('must be one of archived').waitFor()
    await saveScreenshot(phone, 'filter-builder-390')
    expect(await axe(phone)).toEqual([])
  })

  test('a schema is chosen from those that exist, by typing part of its name', async () => {
    const page = await app.page()
    await page.goto('/search')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Filter' })
    await dialog.getByLabel('Field').selectOption('Schema')
    await dialog.getByRole('button', { name: 'Value of Schema' }).focus()
    await page.keyboard.press('Enter')
    const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
    await options.first().waitFor()
    await page.keyboard.type('mart')
    await options.filter({ hasText: 'demo_marts' }).waitFor()
    await eventually(async () => expect(await options.count()).toBe(1))
    expect(await axe(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await dialog.getByText('Schema is demo_marts').waitFor()
    await dialog.getByRole('button', { name: 'Apply filter' }).click()
    await page.waitForURL(/filter=/)
    await page.getByRole('grid').getByRole('link', { name: 'fct_orders' }).first().waitFor()
    const filter = JSON.parse(new URL(page.url()).searchParams.get('filter')!)
    expect(filter.operands).toEqual([{ operator: 'in', field: 'schema', value: ['demo_marts'] }])
    // A filter of an earlier version, with an operator that is no longer offered, is kept.
    const contains = { operator: 'contains', field: 'schema', value: 'mart' }
    await page.goto(`/search?filter=${encodeURIComponent(JSON.stringify(contains))}`)
    await page.getByRole('region', { name: 'Filter' }).getByText('Schema contains “mart”').waitFor()
  })

  test('saves, opens, renames, replaces, shares and deletes a view with words and filters', async () => {
    const page = await app.page()
    const filter = '{"operator":"exact","field":"published","value":"true"}'
    await page.goto(`/search?q=type:chart+revenue&spelling=off&filter=${encodeURIComponent(filter)}&sort=title`)
    await page.getByRole('grid').getByRole('link').first().waitFor()
    const views = page.getByRole('button', { name: 'Views' })
    const act = async (name: string, action: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    const saved = async () => (await app.call('GET', '/view?page_name=catalog')).body.results
    await views.click()
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByLabel('Name').fill('Charts by name')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('View “Charts by name” saved').waitFor()
    await page.goto('/search')
    await views.click()
    await page.getByRole('button', { name: 'Charts by name', exact: true }).click()
    await page.waitForURL(({ searchParams }) => searchParams.get('q') === 'type:chart revenue' && searchParams.get('filter') === filter)
    await page.goto('/search?entity_type=table')
    await views.click()
    await act('Charts by name', 'Rename')
    await page.getByRole('textbox', { name: 'Name' }).fill('Tables')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await views.click()
    await act('Tables', 'Replace with this search')
    await eventually(async () => expect(await saved()).toMatchObject([{ name: 'Tables', query: 'entity_type=table', shared: false }]))
    await act('Tables', 'Share with everyone')
    await eventually(async () => expect(await saved()).toMatchObject([{ shared: true }]))
    await saveScreenshot(page, 'views-light')
    await act('Tables', 'Delete')
    await page.getByText('No views yet').waitFor()
  })

  test('an admin tries weights, pins and hides a result, and saves them', async () => {
    for (const title of ['marzipan_daily', 'marzipan_old', 'nougat'])
      await app.call('POST', '/resource/catalog', { title, entity_type: 'table', published: true, verified: title === 'marzipan_old' })
    const page = await app.page({ width: 1440 })
    await page.goto('/settings/search')
    await page.getByRole('searchbox', { name: 'Query' }).fill('Marzipan')
    const list = (name: string) => page.getByRole('region', { name })
    const listed = (name: string, titles: string[]) =>
      eventually(async () =>
        expect(await list(name).getByRole('listitem').locator('.truncate.font-medium').allTextContents()).toEqual(titles),
      )
    await page.getByLabel('Verified').fill('0')
    await listed('With your changes', ['marzipan_daily', 'marzipan_old'])
    await page.getByLabel('Verified').fill('20')
    await listed('With your changes', ['marzipan_old', 'marzipan_daily'])
    await page.getByRole('button', { name: 'Reset weights to defaults' }).click()
    // The button stays under the pointer while the shorter list arrives.
    const { promise: searching, resolve: search } = Promise.withResolvers<void>()
    await page.route('**/api/v1/search?*', async (route) => {
      await searching
      await route.fallback()
    })
    await list('With your changes').getByRole('button', { name: 'Hide marzipan_old' }).click()
    await page.getByRole('button', { name: 'Pin another resource' }).hover()
    await page.mouse.down()
    search()
    await listed('With your changes', ['marzipan_daily'])
    await page.mouse.up()
    await page.getByPlaceholder('Pin another resource').fill('nougat')
    await page
      .getByRole('option', { name: /^nougat/ })
      .first()
      .click()
    await listed('With your changes', ['nougat', 'marzipan_daily'])
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      expect(await axe(page, theme)).toEqual([])
      await saveScreenshot(page, `search-ranking-${theme}`)
    }
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await listed('Now', ['nougat', 'marzipan_daily'])
    await page.getByRole('button', { name: 'Edit marzipan' }).waitFor()
    await page.goto('/search?q=marzipan')
    await page.getByRole('grid').getByRole('link', { name: 'nougat' }).waitFor()
    await page.getByText('Pinned ·').waitFor()
    const phone = await app.page({ width: 390 })
    await phone.goto('/settings/search')
    await phone.getByRole('button', { name: 'Unpin nougat' }).waitFor()
    await saveScreenshot(phone, 'search-ranking-390')
    expect(await axe(phone)).toEqual([])
  })

  test('the arrow keys expand the tree level by level', async () => {
    const page = await app.page()
    await page.goto('/tree')
    const item = (name: string | RegExp) => page.getByRole('treeitem', { name }).last()
    await item('Shop warehouse (demo)').focus()
    for (const name of [/^warehouse/, 'demo_marts', /^daily_revenue/]) {
      await page.keyboard.press('ArrowRight')
      await item(name).waitFor()
      await item(name).focus()
    }
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'daily_revenue' }).waitFor()
  })
})
