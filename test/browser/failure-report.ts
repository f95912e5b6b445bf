import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'

const MAX_CHARACTERS = 8_000
const MAX_ADDRESS = 300
const MAX_WAIT_MS = 10_000 // a page that hangs answers nothing

/** An event of the pointer, and what it was on. `became`: of the pressed element, when it is released. */
interface PointerRecord {
  readonly type: 'pointerdown' | 'mousedown' | 'pointerup' | 'click'
  readonly at: number
  readonly x: number
  readonly y: number
  readonly target: string
  readonly became?: string
  /** It is on another control than the press. */
  readonly elsewhere?: boolean
}

/** Runs in every page before its own scripts: keeps the last events of the pointer. The `detail` of a click by keyboard is 0. */
const RECORD_EVENTS = `(() => {
  const records = (globalThis.pointerRecords = [])
  let pressed
  const describe = (node) => {
    if (!(node instanceof Element)) return node.nodeName ?? 'window'
    const role = node.getAttribute('role')
    const name = (node.getAttribute('aria-label') ?? node.textContent).trim().replace(/\\s+/g, ' ').slice(0, 40)
    return '<' + node.localName + (role ? ' role=' + role : '') + '> "' + name + '"'
  }
  const placeOf = (node) => (node instanceof Element ? node.getBoundingClientRect() : { x: 0, y: 0 })
  const compare = ({ node, x, y }) => {
    if (!node.isConnected) return 'removed'
    const place = placeOf(node)
    return place.x === x && place.y === y ? undefined : 'moved by ' + Math.round(place.x - x) + ', ' + Math.round(place.y - y)
  }
  const controlOf = (node) => (node instanceof Element ? (node.closest('a, button, input, label, select, summary, textarea') ?? node) : node)
  const record = ({ type, clientX: x, clientY: y, target, detail }) => {
    if (type === 'pointerdown') pressed = { node: target, x: placeOf(target).x, y: placeOf(target).y }
    const became = type === 'pointerup' && pressed ? compare(pressed) : undefined
    const elsewhere = type === 'click' && detail > 0 && pressed !== undefined && controlOf(pressed.node) !== controlOf(target)
    const at = Math.round(performance.now())
    records.push({ type, at, x: Math.round(x), y: Math.round(y), target: describe(target), became, elsewhere })
    if (records.length > 20) records.shift()
  }
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'click']) addEventListener(type, record, { capture: true, passive: true })
})()`

export const recordPointer = async (context: BrowserContext): Promise<void> => {
  await context.addInitScript({ content: RECORD_EVENTS })
}

/** Why a click may have had no effect: where the page was, what was pressed and what became of it, and what the page shows. */
export const describePage = async (page: Page, waitMs = MAX_WAIT_MS): Promise<string> => {
  const address = `Page: ${page.url().slice(0, MAX_ADDRESS)}`
  const read = async (): Promise<string> => {
    const records = (await page.evaluate('globalThis.pointerRecords ?? []')) as PointerRecord[]
    const snapshot = await page.ariaSnapshot({ timeout: MAX_WAIT_MS })
    const lines = [address, ...formatRecords(records), 'Content:', snapshot]
    return lines.join('\n').slice(0, MAX_CHARACTERS)
  }
  const failed = (error: unknown) => `${address}, which cannot be read: ${error}`
  return Promise.race([read().catch(failed), sleep(waitMs, `${address}, which does not answer`, { ref: false })])
}

const formatRecords = (records: readonly PointerRecord[]): string[] =>
  records.map(({ type, at, x, y, target, became, elsewhere }, i) => {
    const rest = records.slice(i + 1)
    const next = rest.findIndex((each) => each.type === 'pointerdown')
    const clicked = rest.slice(0, next < 0 ? undefined : next).some((each) => each.type === 'click')
    const notes = [
      became && `the pressed element was ${became}`,
      type === 'pointerup' && !clicked && 'no click followed',
      elsewhere && 'not where it was pressed',
    ].filter(Boolean)
    return `${(at / 1000).toFixed(3)} s ${type} at ${x}, ${y} on ${target}${notes.map((each) => `; ${each}`).join('')}`
  })

export const reportPages = async (context: BrowserContext): Promise<void> => {
  for (const page of context.pages()) console.error(await describePage(page))
}
