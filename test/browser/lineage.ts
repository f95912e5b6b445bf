import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'

/** A graph of so many tables in nine steps, with hubs and links that skip a step: the same every time. Answers where it begins. */
export const aLargeGraph = async ({ address, token }: { address: string; token: string }, size: number): Promise<string> => {
  let seed = size
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647
    return seed % below
  }
  const stepOf = (i: number) => (i === 0 ? 0 : 1 + Math.floor((i / size) * 8))
  const steps = Map.groupBy(Array.from({ length: size }).keys(), stepOf)
  const lines: object[] = [{ databuilder_id: 'large', entity_type: 'schema', title: `large${size}` }]
  for (let i = 0; i < size; i++)
    lines.push({ databuilder_id: `t${i}`, parent_databuilder_id: 'large', entity_type: 'table', title: `Box ${i}` })
  for (const title of ['one', 'two', 'three'])
    lines.push({ databuilder_id: `t0.${title}`, parent_databuilder_id: 't0', entity_type: 'column', title })
  const known = new Set<string>()
  for (let i = 1; i < size; i++)
    for (let n = random(10) < 3 ? 2 : 1; n > 0; n--) {
      const above = steps.get(Math.max(0, stepOf(i) - (random(12) === 0 ? 2 : 1)))!
      const from = random(5) === 0 ? above[0]! : above[random(above.length)]!
      if (known.has(`${from}~${i}`) || from === i) continue
      known.add(`${from}~${i}`)
      lines.push({ from_identifier: `t${from}`, to_identifier: `t${i}` })
    }
  const integration = randomUUID()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' }
  const ask = async (path: string, body?: string) => {
    const answer = await fetch(`${address}/api/v1${path}`, { method: body ? 'POST' : 'GET', headers, body })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { results: { id: string }[] }
  }
  await ask(`/integration/integrations/${integration}/import_jsonl_metadata/`, lines.map((line) => JSON.stringify(line)).join('\n'))
  const filter = JSON.stringify({
    operator: 'and',
    operands: [
      { operator: 'exact', field: 'databuilder_id', value: 't0' },
      { operator: 'exact', field: 'integration', value: integration },
    ],
  })
  return (await ask(`/resource/catalog?${new URLSearchParams({ filter })}`)).results[0]!.id
}

/** CPU milliseconds of the page's main thread, not time on the clock: a loaded machine changes nothing about it. */
export const cpuMeter = async (page: Page): Promise<{ cpu: (work: () => Promise<unknown>) => Promise<number> }> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const now = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000
  }
  return {
    cpu: async (work) => {
      const before = await now()
      await work()
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      return Math.round((await now()) - before)
    },
  }
}

/** What the lineage page may cost, in CPU milliseconds of its main thread. */
export const LIMITS = {
  1000: { painted: 100, columns: 120, traced: 100, frame: 20 },
  5000: { painted: 300, columns: Number.NaN, traced: Number.NaN, frame: 20 },
} as const

const FRAMES = 40

/**
 * The page with so many boxes: from asking for all of them to seeing them, a box chosen and its way lit, its columns opened, one frame of
 * panning. Everything is done and waited for by the page itself: Playwright's own look at every element would cost it more than its work.
 */
export const measureLineage = async (page: Page, start: string, size: number): Promise<Record<keyof (typeof LIMITS)[1000], number>> => {
  const { cpu } = await cpuMeter(page)
  const until = (what: string) => `while (!(${what})) await new Promise(requestAnimationFrame)`
  const seen = (what: string) => until(`document.querySelector('${what}')`)
  const run = (...steps: readonly string[]) => page.evaluate(`(async () => { ${steps.join('\n')} })()`)
  await page.goto(`/lineage/${start}?limit=5000`)
  await page.locator('[data-box]').first().waitFor()
  // The palette is loaded on an idle line; what it costs is not the drawing's.
  await run(until(`performance.getEntriesByType('resource').some(({ name }) => name.includes('/palette-'))`))
  const painted = await cpu(() =>
    run(
      `const steps = document.querySelector('select[aria-label="Steps from the start"]')`,
      `steps.value = '50'; steps.dispatchEvent(new Event('change', { bubbles: true }))`,
      seen(`[data-drawn="${size}"]`),
    ),
  )
  const traced = await cpu(() => run(`document.querySelector('[data-pick="${start}"]').click()`, seen('[data-lit]')))
  const columns = await cpu(() =>
    run(`document.querySelector('[data-box="${start}"] [aria-label^="Columns of"]').click()`, seen('[data-row]')),
  )
  await run(`document.querySelector('[data-pick="${start}"]').click()`, until(`!document.querySelector('[data-lit]')`))
  const pan = `document.querySelector('[data-drawn]').dispatchEvent(new WheelEvent('wheel', { deltaX: 20, deltaY: 20, bubbles: true, cancelable: true }))`
  const frames = await cpu(() => run(`for (let i = 0; i < ${FRAMES}; i++) { ${pan}; await new Promise(requestAnimationFrame) }`))
  return { painted, columns, traced, frame: frames / FRAMES }
}
