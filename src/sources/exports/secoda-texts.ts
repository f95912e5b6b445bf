import { compact, type Json, toRecords, toText } from './event-writer.ts'

/** Texts and custom properties of Secoda's records. Pure. */

export const TEXT_FIELDS = new Set([
  ...['base_entity_id', 'question_status', 'question_priority', 'question_answered_by', 'question_assigned_to', 'accepted_reply'],
])

export const isText = (record: Json): boolean => record.entity_type === 'document' || record.entity_type === 'question'
export const isReply = (record: Json): boolean => record.entity_type === 'question_reply'

export const textOf = ({ description, definition }: Json): string =>
  [...new Set([description, definition].flatMap((text) => toText(text) ?? []))].join('\n\n')

/** A question and its answers, the accepted one first. */
export const writeQuestion = (question: Json, replies: readonly Json[], nameAuthor: (reply: Json) => string | undefined): string => {
  const isAccepted = ({ id }: Json) => id === question.accepted_reply
  const answers = [...replies.filter(isAccepted), ...replies.filter((reply) => !isAccepted(reply))].map((reply) => {
    const author = nameAuthor(reply)
    const heading = `## ${isAccepted(reply) ? 'Accepted answer' : 'Answer'}${author ? ` (${author})` : ''}`
    return `${heading}\n\n${textOf(reply) || (toText(reply.title) ?? '')}`
  })
  return [textOf(question), ...answers].filter((part) => part !== '').join('\n\n')
}

/** Definitions have a name, bodies of bulk updates have the IDs of resources and values by name or ID of the property. */
export class CustomProperties {
  readonly names: ReadonlyMap<string, string>
  readonly #values = new Map<string, Json>()

  constructor(records: readonly Json[]) {
    this.names = new Map(records.flatMap(({ id, name }) => (toText(id) && toText(name) ? [[id as string, name as string] as const] : [])))
    for (const { entity_ids, properties } of records)
      for (const id of Array.isArray(entity_ids) ? entity_ids : [])
        this.#values.set(String(id), { ...this.#values.get(String(id)), ...this.#read(properties) })
  }

  of(record: Json): Json {
    return compact({ ...this.#read(record.custom_properties), ...this.#read(record.properties), ...this.#values.get(String(record.id)) })
  }

  #read(values: unknown): Json {
    if (Array.isArray(values))
      return Object.fromEntries(
        toRecords(values).flatMap(({ custom_property_id, id, name, value }) => {
          const key = toText(name) ?? this.#nameOf(toText(custom_property_id) ?? toText(id))
          return key ? [[key, toValue(value)] as const] : []
        }),
      )
    if (typeof values !== 'object' || values === null) return {}
    return Object.fromEntries(Object.entries(values).map(([key, value]) => [this.#nameOf(key)!, toValue(value)]))
  }

  #nameOf(key: string | undefined): string | undefined {
    return this.names.get(key ?? '') ?? key
  }
}

const toValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? JSON.stringify(value)
    : Array.isArray(value)
      ? value.join(', ')
      : value
