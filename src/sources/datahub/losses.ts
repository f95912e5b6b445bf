import { isObject } from '../../platform/core/json-value.ts'
import type { RejectedEvent } from './change.ts'

/** What could not be taken over, in sentences, each once. */
export class LossReport {
  readonly #lines = new Map<string, number>()

  add(line: string): void {
    this.#lines.set(line, (this.#lines.get(line) ?? 0) + 1)
  }

  /** In the order of their first occurrence. */
  get lines(): string[] {
    return [...this.#lines].map(([line, n]) => (n > 1 ? `${line} (${n.toLocaleString('en')} times)` : line))
  }
}

/** Without the position of the event: it is another one when the same events are sent in parts. */
export const describeRejected = ({ event, error }: RejectedEvent): string => {
  const { entityUrn, aspectName } = isObject(event) ? event : {}
  const about = [entityUrn, aspectName].flatMap((each) => (typeof each === 'string' ? each : [])).join(' ')
  const [[field = '', [problem = error.message] = []] = []] = Object.entries(error.errors ?? {})
  const place = field.replace(/^\w*\[\d+\]\.?/, '')
  return `${about === '' ? 'an event' : `an event of ${about}`}: ${place === '' ? '' : `${place} `}${problem}`
}

export const toStorableLine = (line: string): string => line.slice(0, 10_000).replaceAll('\0', '\uFFFD').toWellFormed()
