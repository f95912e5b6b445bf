import type { Page } from 'playwright-core'

/** What the web app may cost on an idle machine, in CPU milliseconds of the page's main thread. */
export const LIMITS = {
  scroll: 12, // a frame of 100 pixels in 10,000 rows
  1000: { painted: 100, columns: 120, traced: 100 },
  5000: { painted: 300, pan: 20 }, // the frame at p95
} as const

export const median = (of: readonly number[]): number => of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)]!
export const p95 = (of: readonly number[]): number => of.toSorted((a, b) => a - b)[Math.floor(of.length * 0.95)]!

const TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

/** CPU milliseconds of the page's main thread instead of wall time, which includes other programs. */
export const cpuMeter = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const now = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000
  }
  return {
    /** CPU time of some work and of painting its result. */
    cpu: async (work: () => Promise<unknown>): Promise<number> => {
      const before = await now()
      await work()
      await page.evaluate(TWO_FRAMES)
      return (await now()) - before
    },
    /** CPU time of each frame, when every frame starts with this step. Work React does after a frame is always in the same one. */
    frames: async (count: number, step: string): Promise<number[]> => {
      const expression = `${step}; new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))`
      const found: number[] = []
      let before = await now()
      for (let i = 0; i < count; i++) {
        // Uses the protocol directly: Playwright's evaluate would cost half a frame.
        await session.send('Runtime.evaluate', { expression, awaitPromise: true })
        const after = await now()
        found.push(after - before)
        before = after
      }
      return found
    },
  }
}

/** CPU milliseconds of the reference on the idle machine on which the limits were set. */
export const REFERENCE_MS = 50

/** A fixed sample of a page's work: parsing, sorting and looking up records, creating and laying out elements, drawing lines. */
const REFERENCE_WORKLOAD = `(() => {
  const made = Array.from({ length: 6000 }, (_, i) => ({ id: 'id' + i, title: 'table ' + ((i * 7919) % 6000), from: ['id' + ((i * 31) % 6000)] }))
  const records = JSON.parse(JSON.stringify(made)).sort((a, b) => (a.title < b.title ? -1 : 1))
  const byId = new Map(records.map((record) => [record.id, record]))
  const board = document.body.appendChild(document.createElement('div'))
  const canvas = document.body.appendChild(Object.assign(document.createElement('canvas'), { width: 1000, height: 800 }))
  const pen = canvas.getContext('2d')
  for (const [i, { title, from }] of records.entries()) {
    const [x, y, to] = [(i * 37) % 1000, (i * 53) % 800, byId.get(from[0]).title.length]
    pen.beginPath()
    pen.moveTo(x, y)
    pen.bezierCurveTo(x + 40, y, x, y + to, x + 80, y + to)
    pen.stroke()
    if (i % 12) continue
    const box = board.appendChild(document.createElement('div'))
    box.style.cssText = 'position:absolute;display:flex;width:160px;left:' + x + 'px;top:' + y + 'px'
    for (const word of [title, from[0]]) box.appendChild(document.createElement('span')).textContent = word
  }
  return board.getBoundingClientRect().height
})()`

/** Speed of the machine now, in a separate page. */
export const measureReference = async (page: Page): Promise<number> => {
  const own = await page.context().newPage()
  try {
    const { cpu } = await cpuMeter(own)
    return await cpu(() => own.evaluate(REFERENCE_WORKLOAD))
  } finally {
    await own.close()
  }
}

const FRAMES = 60
const PASSES = 3
const wheel = (by: number) =>
  `document.querySelector('[data-drawn]').dispatchEvent(new WheelEvent('wheel', { deltaX: ${by}, deltaY: ${by}, bubbles: true, cancelable: true }))`

/** Cost of each frame while panning across the graph, several times. */
export const measurePan = async (page: Page): Promise<number[]> => {
  const { frames } = await cpuMeter(page)
  const found: number[] = []
  for (let i = 0; i < PASSES; i++) {
    found.push(...(await frames(FRAMES, wheel(20))))
    await frames(1, wheel(-20 * FRAMES))
    await frames(20, '') // until everything is painted again
  }
  return found
}

/**
 * The lineage page with `size` boxes: loading and painting, selecting a box and highlighting its path, expanding its columns.
 * The page itself performs and awaits every action: Playwright's element checks would cost more than the work measured.
 */
export const measureLineage = async (page: Page, start: string, size: number) => {
  const { cpu } = await cpuMeter(page)
  const until = (what: string) => `while (!(${what})) await new Promise(requestAnimationFrame)`
  const seen = (what: string) => until(`document.querySelector('${what}')`)
  const run = (...steps: readonly string[]) => page.evaluate(`(async () => { ${steps.join('\n')} })()`)
  await page.goto(`/lineage/${start}?limit=5000`)
  await page.locator('[data-box]').first().waitFor()
  // The palette loads when the network is idle; wait so that its cost is not measured here.
  await run(until(`performance.getEntriesByType('resource').some(({ name }) => name.includes('/palette-'))`))
  const painted = await cpu(() =>
    run(
      `const steps = document.querySelector('select[aria-label="Depth"]')`,
      `steps.value = '50'; steps.dispatchEvent(new Event('change', { bubbles: true }))`,
      seen(`[data-drawn="${size}"]`),
    ),
  )
  const traced = await cpu(() => run(`document.querySelector('[data-pick="${start}"]').click()`, seen('[data-lit]')))
  const columns = await cpu(() =>
    run(`document.querySelector('[data-box="${start}"] [aria-label^="Columns of"]').click()`, seen('[data-row]')),
  )
  await run(`document.querySelector('[data-pick="${start}"]').click()`, until(`!document.querySelector('[data-lit]')`))
  return { painted, columns, traced }
}
