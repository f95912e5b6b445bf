import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entryId } from '../../src/operations/demo/entries.ts'
import { GROUPS, PEOPLE, TEAMS } from '../../src/operations/demo/people.ts'
import { axe, type BrowserApp, noBrowser, openBrowserApp, saveScreenshot } from './browser.ts'

/** Every page in both themes: no axe violations, and nothing wider than a phone. */
// The same IDs in every demo.
const WAREHOUSE = '169896bd-3832-5cdd-a3b3-125de2ec4108'
const DOCUMENT = '0fa95307-80ae-5d85-8b08-cc69d8a85f32'
const TERM = '24833609-73de-5fa8-941e-f53b4ac9d825'
const TABLE = '60cd12ca-70e8-5a88-bb18-06d4cbfc2388' // orders
const DERIVED = '408240dd-3987-558d-9644-7e6034b36de5' // fct_orders
const JOB = 'f26e7d68-08a2-5e23-a8a5-e83bc8a16d5f' // builds fct_orders
const [PERSON, TEAM, GROUP] = [PEOPLE.grace.id, TEAMS.shop.id, GROUPS.data.id]
const COLLECTION = entryId('collection', 'start-here')
const RUN = entryId('run', 'fct_orders 1')
const SCHEMA = 'c1f5f127-2c07-5580-a3f5-d33c85648f8d' // demo_raw

const CONVERSATION = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'

const FILTER = JSON.stringify({ operator: 'in', field: 'entity_type', value: ['table'] })

/** A URL, and a locator that exists when the page has loaded. */
const PAGES: readonly (readonly [name: string, path: string, there: string])[] = [
  ['home', '/', 'text=Most used'],
  ['search', '/search?q=orders', 'role=grid >> text=fct_orders'],
  ['search by type', '/search?q=orders&group=type', 'role=rowgroup[name="Tables"] >> text=fct_orders'],
  ['search with a filter', `/search?q=custmer&filter=${encodeURIComponent(FILTER)}`, 'role=region[name="Filter"] >> text=Type is Table'],
  ['catalog with a preview', `/search?peek=${TABLE}`, 'role=complementary[name="Quick preview"] >> text=order_number'],
  ['tree', '/tree', 'role=treeitem'],
  ['resource', `/r/${TABLE}`, 'text=never add them up'],
  ['documentation', `/r/${TABLE}?tab=documentation`, 'text=never add them up'],
  ['overview', `/r/${DERIVED}`, 'text=One row is'],
  ['columns', `/r/${TABLE}?tab=columns`, 'role=table >> text=coupons'],
  ['code', `/r/${DERIVED}?tab=code`, 'role=textbox >> text=create table'],
  ['relationships', `/r/${TABLE}?tab=relationships`, 'role=group[name="orders"]'],
  ['relationships of a schema', `/r/${SCHEMA}?tab=relationships`, 'role=listitem >> text=Foreign key'],
  ['schema changes', `/r/${TABLE}?tab=schema`, 'text=renamed from created_at'],
  ['profile', `/r/${TABLE}?tab=profile`, 'role=img[name="Rows"]'],
  ['usage', `/r/${TABLE}?tab=usage`, 'role=img[name="Uses in the source"]'],
  ['runs', `/r/${JOB}?tab=runs`, 'text=Completed'],
  ['run', `/r/${RUN}`, 'text=Completed'],
  ['queries', `/r/${DERIVED}?tab=queries`, 'text=No queries yet'],
  ['mentions', `/r/${DERIVED}?tab=mentions`, 'text=Revenue less the cost of the goods'],
  ['contents', `/r/${SCHEMA}?tab=children`, 'role=link[name=/^orders/]'],
  ['members', `/r/${COLLECTION}`, 'role=link[name=/^dim_customer/]'],
  ['activity', `/r/${TABLE}?tab=activity`, 'text=version 1'],
  ['questions', `/r/${TABLE}?tab=questions`, 'text=Ask a question'],
  ['discussion', `/r/${TABLE}?tab=discussion`, 'text=Are cancelled orders deleted'],
  ['needs you', '/needs-you', 'h1'],
  ['person', `/people/${PERSON}`, 'role=heading[name="Recently edited"]'],
  ['team', `/teams/${TEAM}`, 'text=Grace Lindqvist'],
  ['group', `/groups/${GROUP}`, 'text=Grace Lindqvist'],
  ['root cause', `/why/${DERIVED}`, 'text=Open incident'],
  ['editor', `/r/${TABLE}?edit=1`, 'role=textbox[name="Documentation in Markdown"]'],
  ['preview', `/r/${TABLE}?tab=preview`, 'role=gridcell[name=/^S2\\d-/]'],
  ['monitors of a table', `/r/${TABLE}?tab=monitors`, 'text=Suggested'],
  ['monitors', '/monitors', 'text=Orders loaded each night'],
  ['monitors as code', '/monitors/config', 'role=textbox[name="Monitors YAML"] >> text=Orders loaded each night'],
  ['new monitor', `/monitors/new?table=${TABLE}`, 'role=button[name="Create monitor"]'],
  ['new check', `/monitors/new?table=${TABLE}&metric=schema`, 'text=Allowed changes'],
  ['incidents', '/incidents?status=all', 'text=Payments that failed'],
  ['incidents by table', '/incidents?status=all&group=table', 'role=region >> text=Payments that failed'],
  ['import', '/import', 'text=cost centers.csv'],
  ['insights', '/insights', 'role=row >> text=Shop warehouse'],
  ['insights of a source', `/insights?source=${WAREHOUSE}&by=owner`, 'role=row >> text=Grace'],
  ['integrations', '/integrations', 'text=Shop warehouse'],
  ['new integration', '/integrations/new', 'role=link[name="PostgreSQL"]'],
  ['integration form', '/integrations/new?type=snowflake', 'role=button[name="Add integration"]'],
  ['integration', `/integrations/${WAREHOUSE}`, 'role=button[name="Sync now"]'],
  ...[
    'profile',
    'sessions',
    'tokens',
    'agents',
    'notifications',
    'people',
    'teams',
    'groups',
    'properties',
    'tags',
    'suggestions',
    'assistant',
    'search',
    'routing',
    'webhooks',
    'server',
  ].map((section) => [`settings ${section}`, `/settings/${section}`, 'h2'] as const),
  ['settings', '/settings', 'h2'],
  ['consent without an application', '/oauth/authorize', 'role=alert'],
  ['trash', '/trash', 'text=Trash is empty'],
  ['activity of all', '/activity', 'role=listitem'],
  ['documents', '/documents', 'text=Select a document'],
  ['document', `/documents/${DOCUMENT}`, 'text=Linked from'],
  ['glossary', '/glossary', 'text=Active customer'],
  ['term', `/glossary?term=${TERM}`, 'role=button[name="Close"]'],
  ['assistant', `/assistant?about=${TABLE}`, 'text=About orders'],
  ['conversation', `/assistant?c=${CONVERSATION}`, 'role=link[name="orders"]'],
  ['no page', '/no/such/page', 'text=Page not found'],
  ['lineage', `/lineage/${TABLE}`, 'role=group[name="stg_orders"]'],
  ['lineage, chosen', `/lineage/${TABLE}?depth=3&sel=${TABLE}&x=${TABLE}.c`, 'role=complementary >> text=Downstream'],
  ['lineage of columns', `/lineage/${TABLE}?level=column`, 'role=button[name=/^Trace status/]'],
  ['lineage with jobs', `/lineage/${DERIVED}?jobs=1&sel=${JOB}`, 'role=complementary >> text=Last runs'],
  ['lineage as a list', `/lineage/${TABLE}?view=list`, 'role=table >> text=stg_orders'],
  ['lineage tab', `/r/${TABLE}?tab=lineage`, 'role=group[name="stg_orders"]'],
  ['where lineage begins', '/lineage', 'text=Most used'],
  ['lineage, what if', `/lineage/${TABLE}?view=what-if&change=gone`, 'role=table >> text=stg_orders'],
  ['lineage, what if dbt', `/lineage/${TABLE}?view=what-if&change=dbt`, 'text=Choose manifest'],
  [
    'lineage from SQL',
    `/lineage/sql?sql=${encodeURIComponent('insert into demo_marts.dim_date (date_day) select order_date, x from stg_orders, nowhere')}`,
    'role=region >> text=not in the catalog',
  ],
  ['nothing', '/r/00000000-0000-0000-0000-000000000000', 'text=Not found'],
]

const OUTSIDE = ['/sign-in', '/welcome'] // not signed in
const CHECKED_ELSEWHERE = ['/monitors/$id', '/incidents/$id', '/shared', '/shared/$preview'] // by monitors.test.ts, which has measurements, and sharing.test.ts

const GARBAGE = ['%', '%E0%A4%A', 'constructor', `\0\u{1F4A9},,.u,~<img src=x onerror=alert(1)>${'x'.repeat(700)}`]
const PARAMETERS =
  'c about q sort columns peek entity_type owners terms properties filter depth dir level x sel col group open view find limit change cols to sql dialect integration table tab edit status mine metric enabled range column file type term by since team source owner team_id opened_since resolved_since'
const TABS = ['discussion', 'columns', 'activity', 'questions', 'monitors', 'preview', 'code', 'relationships']

/** A URL with garbage in every parameter, except those needed to reach the code that reads them. */
const hostile = (route: string, i: number): string => {
  const params = new URLSearchParams(PARAMETERS.split(' ').map((name): [string, string] => [name, GARBAGE[i % GARBAGE.length]!]))
  params.set('group', 'schema')
  if (i % 2 === 1) params.set('view', 'what-if')
  if (i % 2 === 0) params.set('tab', 'lineage')
  else if (i % 4 === 1) params.set('tab', TABS[i % TABS.length]!)
  return `${route}?${params}`
}

/** Navigates within the app: reloading it would take most of the time. */
const open = async (page: Page, path: string): Promise<void> => {
  if (!(await page.evaluate('"__TSR_ROUTER__" in window'))) {
    await page.goto(path)
    return
  }
  await page.evaluate(`(async () => {
    history.pushState(null, '', ${JSON.stringify(path)})
    dispatchEvent(new PopStateEvent('popstate'))
    const shown = () => __TSR_ROUTER__.state.status === 'idle' && __TSR_ROUTER__.state.resolvedLocation.href === __TSR_ROUTER__.latestLocation.href
    do await new Promise(requestAnimationFrame)
    while (!shown())
  })()`)
}

/** A language model that is never called, and an answer it has given. */
const createConversation = async ({ call, db }: BrowserApp): Promise<void> => {
  const limits = {
    tokens_per_day: 500_000,
    cost_per_day: null,
    input_price: null,
    output_price: null,
    timeout_seconds: 60,
    retention_days: 90,
  }
  const model = { enabled: true, provider: 'openai', url: 'https://models.example.com/v1', model: 'a-model', share_values: false }
  expect((await call('PUT', '/ai/settings', { ...model, ...limits })).status).toBe(200)
  const { me } = (await call('GET', '/ui/bootstrap')).body as { me: { id: string } }
  const times = { created_at: new Date(), updated_at: new Date() }
  await db
    .insertInto('assistant_conversations')
    .values({ id: CONVERSATION, user_id: me.id, title: 'Where are our orders?', resource_id: TABLE, ...times })
    .execute()
  const step = { tool: 'search', title: 'Search', arguments: { query: 'orders' }, failed: false, returned: 3, total: 3, error: null }
  await db
    .insertInto('assistant_answers')
    .values({
      id: CONVERSATION,
      conversation_id: CONVERSATION,
      question: 'Where are our orders?',
      status: 'interrupted',
      error: 'The server was stopped. Ask again.',
      text: `Use [orders](/r/${TABLE}).\n\n| column | meaning |\n|---|---|\n| \`id\` | the order |`,
      steps: JSON.stringify([step, { ...step, tool: 'get_entity', failed: true, error: 'Not found.' }]),
      provider: 'openai',
      model: 'a-model',
      heartbeat_at: new Date(),
      ...times,
    })
    .execute()
}

describe.skipIf(noBrowser())('pages', () => {
  let app: BrowserApp
  beforeAll(async () => {
    app = await openBrowserApp()
    await createConversation(app)
  })
  afterAll(() => app?.[Symbol.asyncDispose]())

  test('covers every route', () => {
    const routes = readFileSync(join(import.meta.dirname, '../../web/routes.tsx'), 'utf8').matchAll(/path: '([^']+)'/g)
    const seen = [...PAGES.map(([, path]) => path), ...OUTSIDE]
    const left = [...routes].filter(([, route]) => {
      const pattern = new RegExp(`^${route!.replaceAll(/\$\w+/g, '[^/?]+')}(\\?|$)`)
      return !CHECKED_ELSEWHERE.includes(route!) && !seen.some((path) => pattern.test(path))
    })
    expect(left.map(([, route]) => route)).toEqual([])
  })

  test('no axe violations in either theme', async () => {
    const page = await app.page({ width: 1440 })
    const found: Record<string, string[]> = {}
    const checkThemes = async (name: string) => {
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme })
        // A diagram opens with all tables in view, zoomed out if need be; the list below it has the same links (docs/web.md).
        const zoomedOut = name.startsWith('relationships')
        const violations = (await axe(page, theme)).filter((violation) => !(zoomedOut && violation.startsWith('target-size:')))
        if (violations.length > 0) found[`${name}, ${theme}`] = violations
        await saveScreenshot(page, `${name}-${theme}`)
      }
    }
    for (const [name, path, there] of PAGES) {
      // A graph keeps the zoom of the one before; zoomed out, its targets may be small (docs/web.md).
      await (path.startsWith('/lineage/') ? page.goto(path) : open(page, path))
      await page.locator(there).first().waitFor()
      await checkThemes(name)
    }
    await open(page, '/search')
    await page.getByRole('combobox', { name: 'Search the catalog' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Search and commands' }).waitFor()
    await checkThemes('palette')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'Search the catalog' }).blur()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await checkThemes('keys')
    expect(found).toEqual({})
    expect(app.problems.splice(0)).toEqual([])
  })

  test('no axe violations on the sign-in pages', async () => {
    const page = await app.page({ role: null })
    const checkThemes = async () => {
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme })
        expect(await axe(page, theme)).toEqual([])
      }
    }
    for (const path of ['/', ...OUTSIDE]) {
      await page.goto(path)
      await page.getByRole('heading', { name: 'Welcome to Tablinum' }).waitFor()
      await checkThemes()
    }
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Sign in with a token instead' }).click()
    await page.getByLabel('Token').waitFor()
    await checkThemes()
  })

  test('no URL crashes a page', async () => {
    const page = await app.page()
    const broken = page.getByText('This page crashed')
    const settled = async (where: string) => {
      await page.evaluate(`(async () => {
        const frames = async (n) => { while (n-- > 0) await new Promise(requestAnimationFrame) }
        for (await frames(4); asking > 0 || document.querySelector('#content [aria-label=Loading]'); ) await frames(1)
        await frames(2)
      })()`)
      expect({ where, broken: await broken.count() }).toEqual({ where, broken: 0 })
    }
    await page.addInitScript(`window.asking = 0
      const ask = fetch
      window.fetch = (...all) => { asking++; return ask(...all).finally(() => { asking-- }) }`)
    const inShell = PAGES.filter(([name]) => !name.startsWith('settings ') && !name.startsWith('consent '))
    const plain = inShell.map(([, path]) => path.split('?')[0]!)
    const routes = new Set([
      ...plain,
      '/settings/none',
      ...['r', 'lineage', 'documents', 'monitors', 'incidents', 'integrations'].map((room) => `/${room}/none`),
    ])
    for (const [i, route] of [...routes].entries()) {
      await page.goto(hostile(route, i))
      await page.locator('#content h1, #content h2, #content p').first().waitFor()
      await settled(hostile(route, i))
      // The others without a reload.
      for (let n = 1; n < GARBAGE.length; n++) {
        const next = hostile(route, i + n)
        await open(page, next)
        await settled(next)
      }
    }
    for (const path of ['/r/%', '/lineage/%E0%A4%A', '/documents/..%2F..%2Fetc', '/settings/%00']) {
      await open(page, path)
      await settled(path)
    }
    expect(app.problems.splice(0)).toEqual([])
  })

  test('no horizontal scrolling on a phone', async () => {
    const page = await app.page({ width: 375 })
    // Unusual names: very long without spaces, right to left, and emoji.
    const titles = ['x'.repeat(300), 'جدول الطلبات اليومية '.repeat(14), '👩‍🚀'.repeat(60)]
    const created = await Promise.all(
      titles.map(async (title) => {
        const { body } = await app.call('POST', '/resource/catalog', { title, description: title, definition: title, entity_type: 'table' })
        return [`named ${title.slice(0, 2)}`, `/r/${body.id}`, 'h1'] as const
      }),
    )
    for (const [name, path, there] of [...PAGES, ...created, ['found', '/search?q=xxx', 'role=grid >> role=link'] as const]) {
      await open(page, path)
      await page.locator(there).first().waitFor()
      await saveScreenshot(page, `${name.replaceAll(/[^a-z ]/g, '-')}-phone`)
      // The page and its scroll containers; a table inside may be wider and scrolls on its own.
      const wide = await page.evaluate(
        '[document.documentElement, ...document.querySelectorAll("#content > div")].map((e) => e.scrollWidth)',
      )
      expect({ name, wide: (wide as number[]).filter((width) => width > 375) }).toEqual({ name, wide: [] })
    }
    expect(app.problems.splice(0)).toEqual([])
  })
})
