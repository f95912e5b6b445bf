import { isObject } from '../../platform/core/json-value.ts'
import { LossReport } from '../datahub/losses.ts'

// biome-ignore lint/suspicious/noExplicitAny: exports have many shapes; every reader checks what it takes
export type Json = Record<string, any>

/** A metadata event in the form that the DataHub intake takes. */
export interface ExportEvent {
  readonly entityType: string
  readonly entityUrn: string
  readonly changeType: 'UPSERT'
  readonly aspectName: string
  readonly aspect: { readonly json: object }
  readonly systemMetadata: { readonly pipelineName: string }
}

/** The events that an export is converted to, how many there are of each kind, and what could not be converted. */
export class EventWriter {
  readonly events: ExportEvent[] = []
  readonly counts = new Map<string, number>()
  readonly losses = new LossReport()
  readonly #pipelineName: string

  constructor(pipelineName: string) {
    this.#pipelineName = pipelineName
  }

  add(entityUrn: string, aspectName: string, json: object): void {
    const entityType = entityUrn.split(':')[2]!
    this.events.push({
      ...{ entityType, entityUrn, aspectName, changeType: 'UPSERT', aspect: { json } },
      systemMetadata: { pipelineName: this.#pipelineName },
    })
  }

  count(kind: string, n = 1): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + n)
  }

  /** Fields of a record that have a value and are read by nobody, once for each kind. */
  reportUnread(kind: string, record: Json, read: ReadonlySet<string>): void {
    for (const [field, value] of Object.entries(record))
      if (!read.has(field) && !isEmpty(value)) this.losses.add(`the field ${field} of each ${kind}.`)
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === false ||
  value === '' ||
  value === 0 ||
  (typeof value === 'object' && Object.keys(value).length === 0)

export const toText = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined)
export const toRecords = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Commas and parentheses separate the parts of a URN. */
export const toUrnPart = (text: string): string =>
  text.replace(/[%,()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/** Without what is empty. */
export const compact = (value: Json): Json => Object.fromEntries(Object.entries(value).filter(([, each]) => !isEmpty(each)))
