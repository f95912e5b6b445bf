import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { createPostgresSource, type PostgresSource } from '../sources.ts'
import { axe, type BrowserApp, noBrowser, openBrowserApp, runCommand, saveScreenshot } from './browser.ts'

/** Monitors and incidents in the browser, from creation to resolution. */
const DAY = 86_400_000

describe.skipIf(noBrowser())('monitors', () => {
  let app: BrowserApp
  let source: PostgresSource
  beforeAll(async () => {
    app = await openBrowserApp()
    source = await createPostgresSource(
      'create table parcels (id bigint, address text, created_at timestamp)',
      `insert into parcels select i, 'x', now() at time zone 'UTC' - i * interval '6 hours' from generate_series(1, 160) i`,
    )
    await connect()
  })
  afterAll(async () => {
    await app?.[Symbol.asyncDispose]()
    await source?.[Symbol.asyncDispose]()
  })
  afterEach(() => expect(app.problems.splice(0)).toEqual([]))

  /** Syncs the table into the catalog. */
  const connect = async () => {
    const created = await app.call('POST', '/integration/integrations', {
      name: 'Depot',
      type: 'postgres',
      credentials: source.credentials,
    })
    await app.call('POST', `/integration/integrations/${created.body.id}/sync`)
    await eventually(async () => {
      const { body } = await app.call('GET', `/integration/integrations/${created.body.id}/syncs`)
      expect(body.results[0].status).toBe('COMPLETED')
    })
  }

  const parcels = async (): Promise<{ id: string }> => {
    const { body } = await app.call('GET', '/search?q=parcels&entity_type=table')
    return body.results[0]
  }

  /** A monitor of pushed values with two months of history. */
  const pushed = async (name: string, more: object = {}) => {
    const { body: monitor } = await app.call('POST', '/monitor/monitors', {
      target: (await parcels()).id,
      metric_type: 'pushed',
      name,
      condition_auto_sensitivity: null,
      condition_manual_min: 10,
      condition_manual_max: 20,
      ...more,
    })
    return monitor as { id: string }
  }
  const push = (monitor: string, values: readonly number[]) =>
    app.call('POST', '/monitor/measurements', {
      measurements: values.map((value, i) => ({
        monitor,
        value,
        measured_at: new Date(Date.now() - (values.length - 1 - i) * DAY).toISOString(),
      })),
    })

  test('creates a monitor from a previewed table, opens an incident and resolves it', async () => {
    const page = await app.page()
    await page.goto('/monitors')
    await page.getByRole('link', { name: 'New monitor' }).click()
    await page.getByPlaceholder('Search tables…').fill('parcels')
    await page.getByRole('option', { name: /parcels/ }).click()
    const preview = page.locator('section', { hasText: 'Preview' })
    await preview.getByText('160', { exact: true }).waitFor()
    await preview.getByText(/would have opened/).waitFor()
    await preview.getByRole('img').waitFor()
    await saveScreenshot(page, 'new monitor with its preview')
    await page.getByLabel('Manual').check()
    await page.getByLabel('Maximum').fill('200')
    await page.getByLabel('Name').fill('Parcels in the depot')
    await page.getByRole('button', { name: 'Create monitor' }).click()
    await page.getByRole('heading', { name: 'Parcels in the depot' }).waitFor()
    // The creator is subscribed automatically.
    await page.getByRole('term').filter({ hasText: 'Notifications' }).waitFor()
    await page.getByText('You', { exact: true }).first().waitFor()
    expect(await page.getByRole('button', { name: 'Notify me' }).count()).toBe(0)

    await page.getByRole('button', { name: 'Run now' }).click()
    await page
      .getByRole('row', { name: /160 at most 200/ })
      .first()
      .waitFor()
    await source.run('insert into parcels select i, null, now() from generate_series(1000, 1099) i')
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('row', { name: /260 .*Anomaly/ }).waitFor()
    await page.getByRole('link', { name: 'View incident' }).click()

    await page.getByText(/260: 60 above the limit of 200/).waitFor()
    await page.getByRole('button', { name: 'Assign to me' }).click()
    await page.getByText('assigned this to').waitFor()
    await page.getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByText('Acknowledged', { exact: true }).first().waitFor()
    await page.getByRole('textbox', { name: 'Comment' }).fill('The **loader** ran twice.')
    await page.getByRole('button', { name: 'Comment' }).click()
    await page.locator('strong', { hasText: 'loader' }).waitFor()
    await page.getByRole('button', { name: 'Resolve' }).click()
    await page.getByText('Resolved', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Resolve' }).waitFor({ state: 'detached' })

    await page.goto('/incidents')
    await page.getByRole('heading', { name: 'Incidents' }).waitFor()
    await page.getByLabel('Status').selectOption('resolved')
    await page.getByRole('link', { name: /Parcels in the depot/ }).waitFor()
    await eventually(() => expect(page.url()).toContain('status=resolved'))

    await page.goto('/settings/notifications')
    await page.getByRole('button', { name: 'Unsubscribe from parcels' }).click()
    await page.getByText('Unsubscribed').waitFor()
    await page.getByRole('button', { name: 'Unsubscribe from parcels' }).waitFor({ state: 'detached' })
  })

  test('shows a new incident live and resolves it when marked as expected', async () => {
    const { id } = await pushed('Comes by itself')
    await push(id, [12, 13, 14])
    const page = await app.page()
    await page.goto(`/monitors/${id}`)
    await page.getByRole('row', { name: /14 10–20 Normal/ }).waitFor()
    await page.getByRole('img', { name: /Comes by itself: 3 measurements/ }).waitFor()
    await app.call('POST', '/monitor/measurements', { measurements: [{ monitor: id, value: 99 }] })
    await page.getByRole('link', { name: 'View incident' }).click() // updated by the event stream, without a reload
    await page.getByRole('button', { name: 'Mark as expected' }).click()
    await page.getByText('marked the values as expected').first().waitFor()
    await page.getByRole('link', { name: 'Monitor', exact: true }).click()
    await page.getByRole('row', { name: /99 10–20 Expected/ }).waitFor()
  })

  test('shows the values of an incident with their unit', async () => {
    const { body: columns } = await app.call('GET', `/table/columns?parent_id=${(await parcels()).id}`)
    const { body: monitor } = await app.call('POST', '/monitor/monitors', {
      target: columns.results.find(({ title }: { title: string }) => title === 'address').id,
      metric_type: 'unique_percentage',
      name: 'Every address once',
      condition_auto_sensitivity: null,
      condition_manual_min: 90,
    })
    await app.call('POST', '/monitor/monitors/run', { monitors: [monitor.id] })
    const incident = await eventually(async () => {
      const { body } = await app.call('GET', `/monitor/incidents?monitor=${monitor.id}`)
      expect(body.count).toBe(1)
      return body.results[0]
    })
    const page = await app.page()
    await page.goto(`/incidents/${incident.id}`)
    const about = page.getByRole('complementary', { name: 'About this incident' })
    await about.getByText(/^0\.\d+ %$/).waitFor()
    await about.getByText('at least 90 %', { exact: true }).waitFor()
    await app.call('DELETE', `/monitor/monitors/${monitor.id}`)
  })

  test('edits settings in place and replays them over past measurements', async () => {
    const { id } = await pushed('Changed in place')
    await push(id, [12, 13, 14, 30])
    const page = await app.page()
    await page.goto(`/monitors/${id}`)
    await page.getByRole('button', { name: 'Edit expected range' }).click()
    await page.getByLabel('Maximum').fill('13')
    await page.getByText(/would have opened 1 incident \(2 anomalies\)/).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('10–13').waitFor()
    await page.getByRole('switch', { name: 'Running' }).click()
    await page.getByRole('button', { name: /^Edit name/ }).click()
    await page.getByRole('textbox', { name: 'name' }).fill('Another name')
    await page.keyboard.press('Enter')
    await eventually(async () => {
      const { body } = await app.call('GET', `/monitor/monitors/${id}`)
      expect(body).toMatchObject({ name: 'Another name', is_enabled: false, condition_manual_max: 13 })
    })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete monitor' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('heading', { name: 'Monitors' }).waitFor()
    expect((await app.call('GET', `/monitor/monitors/${id}`)).status).toBe(404)
  })

  test('asks which version to keep when two people edit the same setting, and merges different settings', async () => {
    const { id } = await pushed('Of two minds')
    const page = await app.page()
    await page.goto(`/monitors/${id}`)
    const elsewhere = (edit: object) => app.call('PATCH', `/monitor/monitors/${id}`, edit)
    const kept = async (what: object) =>
      eventually(async () => expect((await app.call('GET', `/monitor/monitors/${id}`)).body).toMatchObject(what))
    await page.getByRole('button', { name: 'Edit expected range' }).click()
    await page.getByLabel('Maximum').fill('13')
    await elsewhere({ name: 'Named elsewhere' })
    await page.getByRole('heading', { name: 'Named elsewhere' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await kept({ name: 'Named elsewhere', condition_manual_max: 13 })

    await page.getByRole('button', { name: 'Edit expected range' }).click()
    await page.getByLabel('Maximum').fill('18')
    await elsewhere({ condition_manual_max: 15 })
    await page.getByRole('button', { name: 'Save' }).click()
    const conflict = page.getByRole('dialog', { name: 'This monitor was changed by someone else' })
    await conflict.getByRole('row', { name: 'Expected range 10–15 10–18' }).waitFor()
    expect((await app.call('GET', `/monitor/monitors/${id}`)).body.condition_manual_max).toBe(15)
    expect(await axe(page)).toEqual([])
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await kept({ condition_manual_max: 18 })

    await page.getByRole('button', { name: /^Edit name/ }).click()
    await page.getByRole('textbox', { name: 'name' }).fill('Mine')
    await elsewhere({ name: 'Theirs' })
    await page.keyboard.press('Enter')
    await conflict.getByRole('button', { name: 'Take theirs' }).click()
    await page.getByRole('heading', { name: 'Theirs' }).waitFor()
    await kept({ name: 'Theirs' })
  })

  test('monitors as code: reports errors by line, shows a dry run, then applies', async () => {
    const { body } = await app.call('GET', '/search?q=parcels&entity_type=table')
    const target = body.results[0].title_full
    const named = async () => (await app.call('GET', '/monitor/monitors?name=From a file')).body.results
    const page = await app.page({ role: 'editor' })
    await page.goto('/monitors')
    await page.getByRole('link', { name: 'As code' }).click()
    const editor = page.getByRole('textbox', { name: 'Monitors YAML' })
    await editor.getByText('Orders loaded each night').waitFor()
    const open = (...lines: readonly string[]) =>
      page.getByLabel('Open file').setInputFiles({ name: 'depot.yaml', mimeType: 'text/yaml', buffer: Buffer.from(lines.join('\n')) })
    const file = ['version: 1', 'file: depot', 'monitors:']
    const monitor = ['  - name: From a file', `    target: ${target}`, '    metric_type: row_count']

    await open(...file, ...monitor.slice(0, 2), '    metric_type: rowcount')
    await editor.getByText('rowcount').waitFor()
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByRole('alert').getByText('metric_type must be one of').waitFor()
    await page.getByRole('button', { name: 'Line 6' }).click()
    await eventually(async () => expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Monitors YAML'))

    await open(...file, ...monitor, '    condition_manual_max: 500')
    await editor.getByText('500').waitFor()
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('This would create 1 monitor.').waitFor()
    await page.getByText('Maximum: 500').waitFor()
    expect(await named()).toEqual([])
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Created 1 monitor.').waitFor()
    expect(await named()).toMatchObject([{ condition_manual_max: 500 }])

    await open(...file.slice(0, 2), 'monitors: []')
    await editor.getByText('[]').waitFor()
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('This would delete 1 monitor.').waitFor()
    await saveScreenshot(page, 'monitors as code, before something goes')
    await page.getByLabel('Don’t delete monitors').check()
    await page.getByRole('button', { name: 'Apply' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('No changes.').waitFor()
    expect(await named()).toHaveLength(1)
  })

  test('shows the gate status and its reasons', async () => {
    const { id: table } = await parcels()
    const { id } = await pushed('Guards the gate')
    await push(id, [12, 13, 99])
    const page = await app.page()
    await page.goto(`/r/${table}?tab=monitors`)
    const gate = page.locator('section', { hasText: 'Pipeline gate' })
    await gate.getByText('Fail').first().waitFor()
    await gate.getByText(`resource_id=${table} -d upstream=true -d fail_status=424`).waitFor()
    await gate.getByRole('listitem').filter({ hasText: 'Guards the gate' }).getByRole('link', { name: 'View incident' }).click()
    await page.getByRole('button', { name: 'Mark as expected' }).waitFor()
  })

  test('adds suggested monitors and keeps list filters in the URL', async () => {
    const page = await app.page()
    await page.goto(`/r/${(await parcels()).id}?tab=monitors`)
    await page.getByRole('button', { name: 'Add Freshness of parcels' }).click()
    await page.getByRole('link', { name: /Freshness of parcels/ }).waitFor()
    await runCommand(page, page.getByLabel('Metric'), 'g', 'm')
    await page.getByRole('heading', { name: 'Monitors' }).waitFor()
    await page.getByLabel('Metric').selectOption('freshness')
    await page.getByText('1 monitor', { exact: true }).waitFor()
    await page.getByRole('searchbox').fill('no such')
    await page.getByText('No matching monitors').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('link', { name: /Orders loaded each night/ }).waitFor()
    await eventually(() => expect(new URL(page.url()).search).toBe(''))
  })

  test('lets viewers read monitors and incidents but not change them', async () => {
    const page = await app.page({ role: 'viewer' })
    await page.goto('/monitors')
    await page.getByRole('heading', { name: 'Monitors' }).waitFor()
    await page.getByRole('link', { name: 'Incidents' }).first().waitFor()
    expect(await page.getByRole('link', { name: /New monitor|As code/ }).count()).toBe(0)
    await page.goto('/monitors/new?table=60cd12ca-70e8-5a88-bb18-06d4cbfc2388')
    await page.getByText('You don’t have access').waitFor()
    await page.goto(`/r/60cd12ca-70e8-5a88-bb18-06d4cbfc2388`)
    await page
      .getByRole('link', { name: /^Monitors/ })
      .last()
      .waitFor()
  })

  test('passes axe on a monitor and an incident and never scrolls sideways on a phone', async () => {
    const { id } = await pushed('x'.repeat(300))
    await push(id, [12, 13, 14, 99])
    const { body } = await app.call('GET', `/monitor/incidents?monitor=${id}`)
    const pages = [
      ['monitor', `/monitors/${id}`, 'role=button[name="Mark as expected"]'],
      ['incident', `/incidents/${body.results[0].id}`, 'text=/Notification pending|otified/'],
      ['monitors', '/monitors', 'text=xxxxxxxxxx'],
    ] as const
    for (const theme of ['light', 'dark'] as const) {
      const page = await app.page({ theme })
      for (const [name, path, there] of pages) {
        await page.goto(path)
        await page.locator(there).first().waitFor()
        expect([name, await axe(page, theme)]).toEqual([name, []])
        await saveScreenshot(page, `${name}-${theme}`)
      }
    }
    const phone = await app.page({ width: 375 })
    for (const [name, path, there] of pages) {
      await phone.goto(path)
      await phone.locator(there).first().waitFor()
      await saveScreenshot(phone, `${name}-phone`)
      const wide = await phone.evaluate(
        '[document.documentElement, ...document.querySelectorAll("#content > div")].map((e) => e.scrollWidth)',
      )
      expect([name, (wide as number[]).filter((width) => width > 375)]).toEqual([name, []])
    }
  })
})
