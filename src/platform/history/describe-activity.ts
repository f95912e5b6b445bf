import { parseId } from '../core/id.ts'
import { formatValue, splitTemplate, type Translatable, translatable } from '../core/translatable.ts'
import { countItems, getFieldNoun, getNoun, isPropertyField } from './activity-nouns.ts'
import type { EventKind, EventPayloads, IncidentPayload, Payload } from './events.ts'
import type { Change } from './record.ts'
import type { EventBlock } from './schema.ts'

/** Describes an activity as one sentence. Pure. */
export interface ActivityFacts {
  readonly activity_type: string
  readonly performer: string
  readonly resource_type: string | null
  readonly resource_title: string | null
  /** It was caused by another activity. */
  readonly caused: boolean
  readonly changes: readonly Change[]
  readonly payload?: Payload | null
}

export const describeActivity = ({
  activity_type,
  performer,
  resource_type,
  resource_title,
  caused,
  changes,
  payload,
}: ActivityFacts): Translatable => {
  const { template, values } = findSentence(activity_type, resource_type, changes, payload ?? {})
  const names = {
    performer: activity_type === 'incident_opened' ? PRODUCT_NAME : performer, // the user who pushed the value did not open the incident
    resource: resource_title ?? '',
  }
  const sentence = { template, values: { ...values, ...names } }
  return caused && !isLineageActivity(activity_type) ? addCause(sentence, activity_type, changes) : sentence
}

const addCause = (sentence: Translatable, activity_type: string, changes: readonly Change[]): Translatable => {
  const [first] = changes
  const field = changes.length === 1 ? first?.field : undefined
  if (isPropertyValueActivity(activity_type)) return translatable('{sentence} together with the property', { sentence })
  if (field === 'tags') return translatable('{sentence} together with the tag', { sentence })
  if (field === 'collections') return translatable('{sentence} together with the collection', { sentence })
  if (field === 'terms') return translatable('{sentence} together with the term', { sentence })
  return translatable('{sentence} together with its parent', { sentence })
}

/** The sentence in parts: who, what was done, to which resource. */
export const toEventBlocks = (sentence: Translatable): EventBlock[] => {
  const blocks: EventBlock[] = []
  const add = (type: EventBlock['type'], value: string) => {
    const last = blocks.at(-1)
    if (last?.type === 'text' && type === 'text') last.value += value
    else blocks.push({ type, style: 'normal', value })
  }
  const addParts = ({ template, values }: Translatable): void => {
    for (const part of splitTemplate(template, (name, forms) => ({ name, forms })))
      if (typeof part === 'string') add('text', part)
      else if (part.name === 'sentence') addParts(values.sentence as Translatable)
      else add(part.name === 'performer' || part.name === 'resource' ? part.name : 'text', formatValue(values[part.name]!, part.forms))
  }
  addParts(sentence)
  return blocks.map((block) => ({ ...block, value: block.value.trim() })).filter(({ value }) => value !== '')
}

const PRODUCT_NAME = 'Tablinum'

/** Every sentence has the placeholders `performer` and `resource`, whose values are added to all of them. */
const sentence = <const S extends string>(template: S, values: Translatable['values'] = {}): Translatable => ({ template, values })

const findSentence = (activity_type: string, resource_type: string | null, changes: readonly Change[], payload: Payload): Translatable => {
  const special = SENTENCES[activity_type]
  if (special) return special
  if (isLineageActivity(activity_type)) return describeLineage(activity_type, changes)
  const describeEvent = EVENT_SENTENCES[activity_type as EventKind] as EventSentence<Payload> | undefined
  if (describeEvent) return describeEvent(payload, changes)
  const end = activity_type.lastIndexOf('_')
  const noun = activity_type.slice(0, end)
  const verb = activity_type.slice(end + 1)
  const edited = verb === 'updated' || isPropertyValueActivity(activity_type)
  if (edited && changes.length === 1) return describeChange(changes[0]!)
  if (edited && changes.length > 1) return sentence('{performer} changed {fields} of {resource}', { fields: listFields(changes) })
  const what = getNoun(noun === 'resource' ? (resource_type ?? noun) : noun)
  return VERBS[verb]?.(what) ?? sentence('{performer} {verb} {what} {resource}', { verb: verb.replaceAll('_', ' '), what })
}

/** Values of custom properties, which are not fields of the resource. */
const isPropertyValueActivity = (activity_type: string): boolean => activity_type === 'property_set' || activity_type === 'property_cleared'

const VERBS: Readonly<Record<string, (what: Translatable) => Translatable>> = {
  created: (what) => sentence('{performer} created {what} {resource}', { what }),
  updated: (what) => sentence('{performer} changed {what} {resource}', { what }),
  deleted: (what) => sentence('{performer} deleted {what} {resource}', { what }),
  restored: (what) => sentence('{performer} restored {what} {resource}', { what }),
  revoked: (what) => sentence('{performer} revoked {what} {resource}', { what }),
  invited: (what) => sentence('{performer} invited {what} {resource}', { what }),
  enabled: (what) => sentence('{performer} enabled {what} {resource}', { what }),
  disabled: (what) => sentence('{performer} disabled {what} {resource}', { what }),
}

const SENTENCES: Readonly<Record<string, Translatable>> = {
  subscription_created: sentence('{performer} subscribed to {resource}'),
  subscription_deleted: sentence('{performer} unsubscribed from {resource}'),
  trash_deleted: sentence('{performer} permanently deleted {resource}'),
  search_ranking_updated: sentence('{performer} changed the ranking of search {resource}'),
  search_rules_updated: sentence('{performer} changed what is pinned or hidden in the search for {resource}'),
  session_started: sentence('{performer} signed in {resource}'),
  session_ended: sentence('{performer} signed out {resource}'),
  sign_in_failed: sentence('{performer} failed to sign in as {resource}'),
  pii_viewed: sentence('{performer} viewed personal data of {resource}'),
  catalog_exported: sentence('{performer} exported the catalog {resource}'),
  audit_log_exported: sentence('{performer} exported the audit log {resource}'),
  password_set: sentence('{performer} set a password {resource}'),
  invitation_created: sentence('{performer} created a one-time link for {resource}'),
  pii_suggestion_accepted: sentence('{performer} confirmed personal data in {resource}'),
  pii_suggestion_rejected: sentence('{performer} dismissed the suggestion of personal data in {resource}'),
  change_suggestion_updated: sentence('{performer} edited a suggestion for {resource}'),
  change_suggestion_accepted: sentence('{performer} accepted a suggestion for {resource}'),
  change_suggestion_rejected: sentence('{performer} rejected a suggestion for {resource}'),
  assistant_settings_updated: sentence('{performer} changed the language model of the assistant {resource}'),
  comment_updated: sentence('{performer} edited a comment on {resource}'),
  comment_deleted: sentence('{performer} deleted a comment on {resource}'),
  pii_rule_updated: sentence('{performer} changed how PII suggestions are handled in {resource}'),
}

type EventSentence<T> = (payload: Partial<T>, changes: readonly Change[]) => Translatable

/** Payloads are read as partial: events recorded by earlier versions may lack fields. */
const EVENT_SENTENCES: { readonly [K in EventKind]?: EventSentence<EventPayloads[K]> } = {
  monitor_created: ({ monitor }, changes) =>
    sentence('{performer} created {monitor} on {resource}', { monitor: getMonitorNoun(monitor, changes) }),
  monitor_updated: ({ monitor }, changes) =>
    sentence('{performer} changed {monitor} on {resource}', { monitor: getMonitorNoun(monitor, changes) }),
  monitor_deleted: ({ monitor }, changes) =>
    sentence('{performer} deleted {monitor} on {resource}', { monitor: getMonitorNoun(monitor, changes) }),
  incident_opened: (payload) => sentence('{performer} opened an incident on {resource} {detail}', { detail: describeSummary(payload) }),
  incident_resolved: ({ name }) => sentence('{performer} resolved the incident on {resource} {detail}', { detail: formatDetail(name) }),
  incident_reopened: (payload) =>
    sentence('{performer} reopened the incident on {resource} {detail}', { detail: describeSummary(payload) }),
  incident_severity_changed: ({ from = '', severity = '' }) =>
    sentence('{performer} changed the severity of the incident on {resource} from {from} to {to}', { from, to: severity }),
  incident_acknowledged: () => sentence('{performer} acknowledged the incident on {resource}'),
  incident_commented: ({ comment }) =>
    sentence('{performer} commented on the incident on {resource} {detail}', { detail: formatDetail(comment) }),
  incident_assigned: ({ assignee, assignee_name }) =>
    assignee
      ? sentence('{performer} assigned the incident on {resource} to {assignee}', { assignee: getUserNoun(assignee_name) })
      : sentence('{performer} unassigned the incident on {resource}'),
  incident_marked_normal: () => sentence('{performer} marked a measurement of {resource} as expected'),
  incident_marked_incident: () => sentence('{performer} marked a measurement of {resource} as an anomaly'),
  question_asked: ({ about, text }) =>
    about
      ? sentence('{performer} asked a question about {about}: {resource} {detail}', { about, detail: formatDetail(text) })
      : sentence('{performer} asked a question: {resource} {detail}', { detail: formatDetail(text) }),
  question_assigned: ({ assignee_name }) =>
    sentence('{performer} assigned the question {resource} to {assignee}', { assignee: getUserNoun(assignee_name) }),
  question_replied: ({ text }) => sentence('{performer} replied to the question {resource} {detail}', { detail: formatDetail(text) }),
  question_reply_accepted: ({ author_name }) =>
    sentence('{performer} accepted the reply of {author} to {resource}', { author: getUserNoun(author_name) }),
  schema_changed: (payload) =>
    sentence('{performer} changed the columns of {resource} – {changes}', { changes: describeColumnChanges(payload) }),
  change_suggested: ({ field, value }) => SUGGESTED[field ?? 'description'](formatDetail(value)),
  assistant_answered: ({ status = '', model = '', input_tokens = 0, output_tokens = 0 }) =>
    sentence('{performer} asked the assistant {resource} – {status}, {model}, {tokens} tokens', {
      status,
      model,
      tokens: input_tokens + output_tokens,
    }),
  drafts_created: ({ drafts = 0 }) => sentence('{performer} drafted descriptions {resource} – {n} suggestions', { n: drafts }),
  person_mentioned: ({ names, comment, text }) =>
    comment
      ? sentence('{performer} mentioned {names} in a comment on {resource} {detail}', {
          names: getUserNoun(names),
          detail: formatDetail(text),
        })
      : sentence('{performer} mentioned {names} in {resource}', { names: getUserNoun(names) }),
  comment_added: ({ comment, thread, text }) =>
    comment === thread
      ? sentence('{performer} commented on {resource} {detail}', { detail: formatDetail(text) })
      : sentence('{performer} replied to a comment on {resource} {detail}', { detail: formatDetail(text) }),
  comment_resolved: () => sentence('{performer} resolved a discussion of {resource}'),
  comment_reopened: () => sentence('{performer} reopened a discussion of {resource}'),
}

const SUGGESTED: Readonly<Record<EventPayloads['change_suggested']['field'], (detail: string) => Translatable>> = {
  description: (detail) => sentence('{performer} suggested a description of {resource} {detail}', { detail }),
  tag: (detail) => sentence('{performer} suggested a tag for {resource} {detail}', { detail }),
  owner: (detail) => sentence('{performer} suggested an owner of {resource} {detail}', { detail }),
  term: (detail) => sentence('{performer} suggested a glossary term {resource} {detail}', { detail }),
}

const MAX_COLUMNS = 10

/** `added channel; removed discount; changed the type of tax from numeric to text` */
const describeColumnChanges = ({
  columns_added = [],
  columns_removed = [],
  columns_renamed = [],
  columns_retyped = [],
  columns_nullability = [],
  columns_reordered = [],
}: Partial<EventPayloads['schema_changed']>): Translatable => {
  const parts = [
    [columns_added, (columns: Columns) => translatable('added {columns}', { columns })],
    [columns_removed, (columns: Columns) => translatable('removed {columns}', { columns })],
    [
      columns_renamed.map(({ from, to }) => translatable('{from} to {to}', { from, to })),
      (columns: Columns) => translatable('renamed {columns}', { columns }),
    ],
    [columns_retyped.map(describeRetyped), (columns: Columns) => translatable('changed the type of {columns}', { columns })],
    [
      columns_nullability.filter(({ nullable }) => nullable).map(({ name }) => name),
      (columns: Columns) => translatable('made nullable {columns}', { columns }),
    ],
    [
      columns_nullability.filter(({ nullable }) => !nullable).map(({ name }) => name),
      (columns: Columns) => translatable('made not null {columns}', { columns }),
    ],
    [columns_reordered, (columns: Columns) => translatable('moved {columns}', { columns })],
  ] as const
  const [first = translatable('no columns'), ...others] = parts.flatMap(([names, describe]) =>
    names.length > 0 ? [describe(limitColumns(names))] : [],
  )
  return others.reduce((changes, change) => translatable('{changes}; {change}', { changes, change }), first)
}

type Columns = readonly (string | Translatable)[]

const describeRetyped = ({ name, from, to }: EventPayloads['schema_changed']['columns_retyped'][number]): Translatable =>
  translatable('{name} from {from} to {to}', { name, from: from ?? translatable('unknown'), to: to ?? translatable('unknown') })

const limitColumns = (columns: Columns): Columns => {
  const more = columns.length - MAX_COLUMNS
  return more > 0 ? [...columns.slice(0, MAX_COLUMNS), translatable('{n} more', { n: more })] : columns
}

const getUserNoun = (name: string | null | undefined): string | Translatable => name || translatable('an unknown user')

const getMonitorNoun = (unchanged: string | undefined, changes: readonly Change[]): Translatable => {
  const change = changes.find(({ field }) => field === 'name')
  const name = change?.to ?? change?.from ?? unchanged
  return typeof name === 'string' ? translatable('the monitor {name}', { name: quoteValue(name) }) : translatable('a monitor')
}

/** The text has an explanation of the limits that the template lacks. */
const describeSummary = ({ summary, summary_translatable }: Partial<IncidentPayload>): string | Translatable =>
  summary_translatable ? translatable('– {summary}', { summary: summary_translatable }) : formatDetail(summary)

const MAX_DETAIL_LENGTH = 400
const formatDetail = (text: string | null | undefined): string => {
  const letters = [...(text ?? '').replace(/\s+/g, ' ').trim()]
  if (letters.length === 0) return ''
  return `– ${letters.length > MAX_DETAIL_LENGTH ? `${letters.slice(0, MAX_DETAIL_LENGTH).join('').trimEnd()}…` : letters.join('')}`
}

/** Lineage activities are recorded for both ends of an edge. */
const isLineageActivity = (activity_type: string): boolean => activity_type.startsWith('lineage_')

const describeLineage = (activity_type: string, changes: readonly Change[]): Translatable => {
  if (activity_type === 'lineage_derived') return sentence('{performer} derived the lineage of {resource} from a query')
  const added = activity_type === 'lineage_created'
  if (changes.some(({ field }) => field === 'downstream'))
    return added
      ? sentence('{performer} added lineage from {resource} to another resource')
      : sentence('{performer} removed lineage from {resource} to another resource')
  return added
    ? sentence('{performer} added lineage to {resource} from another resource')
    : sentence('{performer} removed lineage to {resource} from another resource')
}

const FLAGS: Readonly<Record<string, { readonly on: Translatable; readonly off: Translatable }>> = {
  published: { on: sentence('{performer} published {resource}'), off: sentence('{performer} hid {resource} from viewers') },
  verified: { on: sentence('{performer} verified {resource}'), off: sentence('{performer} removed the verification of {resource}') },
  pii: {
    on: sentence('{performer} marked {resource} as containing personal data'),
    off: sentence('{performer} marked {resource} as not containing personal data'),
  },
  archived: { on: sentence('{performer} archived {resource}'), off: sentence('{performer} unarchived {resource}') },
  stale: {
    on: sentence('{performer} marked {resource} as missing from its source'),
    off: sentence('{performer} found {resource} in its source again'),
  },
  is_pk: {
    on: sentence('{performer} marked {resource} as part of the primary key'),
    off: sentence('{performer} marked {resource} as not part of the primary key'),
  },
  hidden: {
    on: sentence('{performer} hid {resource} in the column list of its table'),
    off: sentence('{performer} showed {resource} in the column list of its table'),
  },
}
/** Values of these fields are IDs, which mean nothing to readers, so they are left out. */
const REFERENCES = ['integration', 'base_entity_id', 'question_answered_by', 'question_assigned_to', 'accepted_reply']

const describeChange = ({ field, from, to }: Change): Translatable => {
  const flag = FLAGS[field]
  if (flag) return to === true ? flag.on : flag.off
  if (field === 'deprecation' && to === null) return sentence('{performer} removed the deprecation of {resource}')
  if (field === 'deprecation' && from === null) return sentence('{performer} deprecated {resource}')
  if (field === 'deprecation') return sentence('{performer} changed the deprecation of {resource}')
  if (field === 'parent' && to === null) return sentence('{performer} moved {resource} to the top level')
  if (field === 'parent') return sentence('{performer} moved {resource} to another parent')
  const quoted = { from: quoteValue(from), to: quoteValue(to) }
  if (field === 'title') return sentence('{performer} renamed {resource} from {from} to {to}', quoted)
  if (Array.isArray(from) || Array.isArray(to)) return describeListChange(field, from as unknown[] | null, to as unknown[] | null)
  const what = getFieldNoun(field)
  if (REFERENCES.includes(field) || (isPropertyField(field) && [from, to].some(isId))) {
    if (to === null) return sentence('{performer} cleared {what} of {resource}', { what })
    return from === null
      ? sentence('{performer} set {what} of {resource}', { what })
      : sentence('{performer} changed {what} of {resource}', { what })
  }
  if (from === null) return sentence('{performer} set {what} of {resource} to {to}', { what, to: quoted.to })
  if (to === null) return sentence('{performer} cleared {what} of {resource} which was {from}', { what, from: quoted.from })
  return sentence('{performer} changed {what} of {resource} from {from} to {to}', { what, ...quoted })
}

const describeListChange = (field: string, from: readonly unknown[] | null, to: readonly unknown[] | null): Translatable => {
  const n = (to ?? []).filter((each) => !from?.includes(each)).length
  const m = (from ?? []).filter((each) => !to?.includes(each)).length
  const [added, removed] = [countItems(field, n), countItems(field, m)]
  if (n > 0 && m > 0) return sentence('{performer} added {added} to and removed {removed} from {resource}', { added, removed })
  if (n > 0) return sentence('{performer} added {added} to {resource}', { added })
  if (m > 0) return sentence('{performer} removed {removed} from {resource}', { removed })
  return sentence('{performer} reordered {what} of {resource}', { what: getFieldNoun(field) })
}

const isId = (value: unknown): boolean => typeof value === 'string' && parseId(value) !== undefined

const MAX_NAMED_FIELDS = 3
const listFields = (changes: readonly Change[]): Translatable[] => {
  const names = changes.map(({ field }) => getFieldNoun(field))
  const more = names.length - MAX_NAMED_FIELDS
  return more > 1 ? [...names.slice(0, MAX_NAMED_FIELDS), translatable('{n} other fields', { n: more })] : names
}

const MAX_QUOTE_LENGTH = 80
const quoteValue = (value: unknown): string => {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ').trim()
  const letters = [...text.slice(0, 2 * MAX_QUOTE_LENGTH + 2)] // by code point, so that no character is cut in half
  return `“${letters.length > MAX_QUOTE_LENGTH ? `${letters.slice(0, MAX_QUOTE_LENGTH).join('').trimEnd()}…` : text}”`
}
