import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, anApp, axe, noBrowser, STARTS_MS, shot } from './browser.ts'

/** Every page in both themes: nothing for axe to find, and nothing wider than a phone. */
const DIST = join(import.meta.dirname, '../../web/dist')
// The same in every demo shop.
const WAREHOUSE = '169896bd-3832-5cdd-a3b3-125de2ec4108'
const DOCUMENT = '0fa95307-80ae-5d85-8b08-cc69d8a85f32'
const TERM = '24833609-73de-5fa8-941e-f53b4ac9d825'
const TABLE = '60cd12ca-70e8-5a88-bb18-06d4cbfc2388' // orders

const sizeOf = (path: string): number => statSync(join(DIST, path), { throwIfNoEntry: false })?.size ?? 0 // what is too small to pack

/** An address, and something that is there when the page is. */
const PAGES: readonly (readonly [name: string, path: string, there: string])[] = [
  ['home', '/', 'text=Most used'],
  ['search', '/search?q=orders', 'role=grid >> text=fct_orders'],
  ['catalog with a peek', `/search?peek=${TABLE}`, 'role=complementary[name="Peek"] >> text=order_number'],
  ['tree', '/tree', 'role=treeitem'],
  ['resource', `/r/${TABLE}`, 'text=never add them up'],
  ['columns', `/r/${TABLE}?tab=columns`, 'role=table >> text=order_number'],
  ['activity', `/r/${TABLE}?tab=activity`, 'text=version 1'],
  ['questions', `/r/${TABLE}?tab=questions`, 'text=Ask something'],
  ['editor', `/r/${TABLE}?edit=1`, 'role=textbox[name="Documentation in Markdown"]'],
  ['preview', `/r/${TABLE}?tab=preview`, 'role=cell[name=/^S2\\d-/]'],
  ['monitors of a table', `/r/${TABLE}?tab=monitors`, 'text=Suggested'],
  ['monitors', '/monitors', 'text=Orders loaded each night'],
  ['monitors as code', '/monitors/config', 'role=textbox[name="Monitors in YAML"] >> text=Orders loaded each night'],
  ['new monitor', `/monitors/new?table=${TABLE}`, 'role=button[name="Create the monitor"]'],
  ['incidents', '/incidents?status=all', 'text=Payments that failed'],
  ['integrations', '/integrations', 'text=Shop warehouse'],
  ['new integration', '/integrations/new', 'role=link[name="PostgreSQL"]'],
  ['integration form', '/integrations/new?type=snowflake', 'role=button[name="Add the source"]'],
  ['integration', `/integrations/${WAREHOUSE}`, 'role=button[name="Sync now"]'],
  ...['profile', 'sessions', 'tokens', 'notifications', 'people', 'teams', 'groups', 'properties', 'tags', 'webhooks'].map(
    (section) => [`settings ${section}`, `/settings/${section}`, 'h2'] as const,
  ),
  ['activity of all', '/activity', 'role=listitem'],
  ['documents', '/documents', 'text=Choose a document'],
  ['document', `/documents/${DOCUMENT}`, 'text=Linked from'],
  ['glossary', '/glossary', 'text=Active customer'],
  ['term', `/glossary?term=${TERM}`, 'role=button[name="Close the term"]'],
  ['no page', '/no/such/page', 'text=There is no such page'],
  ['lineage', `/lineage/${TABLE}`, 'role=group[name="stg_orders"]'],
  ['lineage, chosen', `/lineage/${TABLE}?depth=3&sel=${TABLE}&x=${TABLE}.c`, 'role=complementary >> text=Goes to'],
  ['lineage of columns', `/lineage/${TABLE}?level=column`, 'role=button[name=/^Trace status/]'],
  ['lineage as a list', `/lineage/${TABLE}?view=list`, 'role=table >> text=stg_orders'],
  ['lineage tab', `/r/${TABLE}?tab=lineage`, 'role=group[name="stg_orders"]'],
  ['where lineage begins', '/lineage', 'text=Most used'],
  ['lineage, what if', `/lineage/${TABLE}?view=what-if&change=gone`, 'role=table >> text=stg_orders'],
  [
    'lineage from SQL',
    `/lineage/sql?sql=${encodeURIComponent('insert into demo_marts.dim_date (date_day) select order_date, x from stg_orders, nowhere')}`,
    'role=region >> text=not in the catalog',
  ],
  ['nothing', '/r/00000000-0000-0000-0000-000000000000', 'text=There is nothing here'],
]

describe.skipIf(noBrowser())('pages', () => {
  let app: App
  beforeAll(async () => {
    app = await anApp()
  }, STARTS_MS)
  afterAll(() => app?.[Symbol.asyncDispose]())

  test('axe finds nothing, in either theme', async () => {
    const page = await app.page({ width: 1440 })
    const found: Record<string, string[]> = {}
    const look = async (name: string) => {
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme })
        const violations = await axe(page, theme)
        if (violations.length > 0) found[`${name}, ${theme}`] = violations
        await shot(page, `${name}-${theme}`)
      }
    }
    for (const [name, path, there] of PAGES) {
      await page.goto(path)
      await page.locator(there).first().waitFor()
      await look(name)
    }
    await page.goto('/search')
    await page.getByRole('searchbox').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Search and commands' }).waitFor()
    await look('palette')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('searchbox').blur()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await look('keys')
    expect(found).toEqual({})
    expect(app.problems.splice(0)).toEqual([])
  }, 300_000)

  test('nobody is signed in: axe finds nothing on the way in', async () => {
    const page = await app.page({ role: null })
    await page.goto('/')
    await page.getByRole('heading', { name: 'Welcome to Tablinum' }).waitFor()
    expect(await axe(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign in with a token instead' }).click()
    await page.getByLabel('Token').waitFor()
    expect(await axe(page)).toEqual([])
  })

  test('a phone scrolls down, never sideways', async () => {
    const page = await app.page({ width: 375 })
    // Names nobody thought of: as long as a sentence without a gap, from right to left, and of pictures.
    const titles = ['x'.repeat(300), 'جدول الطلبات اليومية '.repeat(14), '👩‍🚀'.repeat(60)]
    const made = await Promise.all(
      titles.map(async (title) => {
        const { body } = await app.call('POST', '/resource/catalog', { title, description: title, definition: title, entity_type: 'table' })
        return [`named ${title.slice(0, 2)}`, `/r/${body.id}`, 'h1'] as const
      }),
    )
    for (const [name, path, there] of [...PAGES, ...made, ['found', '/search?q=xxx', 'role=grid >> role=link'] as const]) {
      await page.goto(path)
      await page.locator(there).first().waitFor()
      await shot(page, `${name.replaceAll(/[^a-z ]/g, '-')}-phone`)
      // The page, and what fills it and scrolls: a table inside may be wider, and scrolls by itself.
      const wide = await page.evaluate(
        '[document.documentElement, ...document.querySelectorAll("#content > div")].map((e) => e.scrollWidth)',
      )
      expect({ name, wide: (wide as number[]).filter((width) => width > 375) }).toEqual({ name, wide: [] })
    }
    expect(app.problems.splice(0)).toEqual([])
  }, 180_000)

  test('the first results need little: JavaScript, styles and requests stay inside their budget', async () => {
    const page = await app.page()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/search?q=orders')
    await page.getByRole('grid').getByRole('link').first().waitFor()
    const before = [...asked]
    const weigh = (paths: readonly string[]) => paths.reduce((sum, path) => sum + sizeOf(`${path}.gz`), 0)
    const scripts = before.filter((path) => path.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(2)
    expect(weigh(scripts)).toBeLessThan(150 * 1024)
    expect(weigh(before.filter((path) => path.endsWith('.css')))).toBeLessThan(12 * 1024)
    // The page, its styles, font and scripts, and what it asks; on a slow machine the first piece of what is loaded ahead is among them.
    expect(before.filter((path) => path.startsWith('/api/')).length, before.join('\n')).toBeLessThanOrEqual(8)
    expect(before.length, before.join('\n')).toBeLessThanOrEqual(24)
    const all = readdirSync(join(DIST, 'assets')).filter((name) => name.endsWith('.js.gz'))
    const sizes = all.map((name) => statSync(join(DIST, 'assets', name)).size)
    expect(Math.max(...sizes)).toBeLessThan(135 * 1024)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(600 * 1024)
  })
})
