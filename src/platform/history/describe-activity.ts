import { parseId } from '../core/id.ts'
import type { EventKind, EventPayloads, Payload } from './events.ts'
import type { Change } from './record.ts'
import type { EventBlock } from './schema.ts'

/** Describes an activity as the parts of one sentence. Pure. */
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
  caused: followed,
  changes,
  payload,
}: ActivityFacts): EventBlock[] => {
  const [before, after] = findPhrase(activity_type, resource_type, changes, payload ?? {})
  return [
    block('performer', activity_type === 'incident_opened' ? PRODUCT_NAME : performer), // the user who pushed the value did not open the incident
    block('text', before),
    ...(resource_title ? [block('resource', resource_title)] : []),
    ...(after ? [block('text', after)] : []),
    ...(followed && !isLineageActivity(activity_type) ? [block('text', `together with ${describeCause(activity_type, changes)}`)] : []),
  ]
}

/** What caused the activity. */
const describeCause = (activity_type: string, changes: readonly Change[]): string => {
  if (isPropertyValueActivity(activity_type)) return 'the property'
  const [first] = changes
  if (changes.length === 1 && first && ['tags', 'collections', 'terms'].includes(first.field)) return `the ${first.field.slice(0, -1)}`
  return 'its parent'
}

const PRODUCT_NAME = 'Tablinum'

const block = (type: EventBlock['type'], value: string): EventBlock => ({ type, style: 'normal', value })

/** The text before and after the resource's name. */
type Phrase = readonly [before: string, after?: string]

const findPhrase = (activity_type: string, resource_type: string | null, changes: readonly Change[], payload: Payload): Phrase => {
  const special = PHRASES[activity_type]
  if (special) return special
  if (isLineageActivity(activity_type)) return lineagePhrase(activity_type, changes)
  const describeEvent = EVENT_PHRASES[activity_type as EventKind] as EventPhrase<Payload> | undefined
  if (describeEvent) return describeEvent(payload, changes)
  const end = activity_type.lastIndexOf('_')
  const noun = activity_type.slice(0, end)
  const verb = activity_type.slice(end + 1)
  const edited = verb === 'updated' || isPropertyValueActivity(activity_type)
  if (edited && changes.length === 1) return changePhrase(changes[0]!)
  if (edited && changes.length > 1) return [`changed ${joinFields(changes.map(({ field }) => `the ${getFieldLabel(field)}`))} of`]
  return [`${verb === 'updated' ? 'changed' : toWords(verb)} the ${toWords(noun === 'resource' ? (resource_type ?? noun) : noun)}`]
}

/** Values of custom properties, which are not fields of the resource. */
const isPropertyValueActivity = (activity_type: string): boolean => activity_type === 'property_set' || activity_type === 'property_cleared'

const PHRASES: Record<string, Phrase> = {
  subscription_created: ['subscribed to'],
  subscription_deleted: ['unsubscribed from'],
  trash_deleted: ['permanently deleted'],
  search_ranking_updated: ['changed the ranking of search'],
  search_rules_updated: ['changed what is pinned or hidden in the search for'],
  session_started: ['signed in'],
  session_ended: ['signed out'],
  sign_in_failed: ['failed to sign in as'],
  pii_viewed: ['viewed personal data of'],
  catalog_exported: ['exported the catalog'],
  audit_log_exported: ['exported the audit log'],
  password_set: ['set a password'],
  invitation_created: ['created a one-time link for'],
  pii_suggestion_accepted: ['confirmed personal data in'],
  pii_suggestion_rejected: ['dismissed the suggestion of personal data in'],
  change_suggestion_updated: ['edited a suggestion for'],
  change_suggestion_accepted: ['accepted a suggestion for'],
  change_suggestion_rejected: ['rejected a suggestion for'],
  assistant_settings_updated: ['changed the language model of the assistant'],
  pii_rule_updated: ['changed how PII suggestions are handled in'],
}

type EventPhrase<T> = (payload: Partial<T>, changes: readonly Change[]) => Phrase

/** Payloads are read as partial: events recorded by earlier versions may lack fields. */
const EVENT_PHRASES: { readonly [K in EventKind]?: EventPhrase<EventPayloads[K]> } = {
  monitor_created: ({ monitor }, changes) => [`created ${formatMonitorName(monitor, changes)} on`],
  monitor_updated: ({ monitor }, changes) => [`changed ${formatMonitorName(monitor, changes)} on`],
  monitor_deleted: ({ monitor }, changes) => [`deleted ${formatMonitorName(monitor, changes)} on`],
  incident_opened: ({ summary }) => ['opened an incident on', formatDetail(summary)],
  incident_resolved: ({ name }) => ['resolved the incident on', formatDetail(name)],
  incident_reopened: ({ summary }) => ['reopened the incident on', formatDetail(summary)],
  incident_severity_changed: ({ from, severity }) => ['changed the severity of the incident on', `from ${from} to ${severity}`],
  incident_acknowledged: () => ['acknowledged the incident on'],
  incident_commented: ({ comment }) => ['commented on the incident on', formatDetail(comment)],
  incident_assigned: ({ assignee, assignee_name }) =>
    assignee ? ['assigned the incident on', `to ${formatUserName(assignee_name)}`] : ['unassigned the incident on'],
  incident_marked_normal: () => ['marked a measurement of', 'as expected'],
  incident_marked_incident: () => ['marked a measurement of', 'as an anomaly'],
  question_asked: ({ about, text }) => [`asked a question${about ? ` about ${about}` : ''}:`, formatDetail(text)],
  question_assigned: ({ assignee_name }) => ['assigned the question', `to ${formatUserName(assignee_name)}`],
  question_replied: ({ text }) => ['replied to the question', formatDetail(text)],
  question_reply_accepted: ({ author_name }) => [`accepted the reply of ${formatUserName(author_name)} to`],
  schema_changed: (payload) => ['changed the columns of', formatDetail(formatColumnChanges(payload))],
  change_suggested: ({ field, value }) => [SUGGESTED[field ?? 'description'], formatDetail(value)],
  assistant_answered: ({ status, model, input_tokens = 0, output_tokens = 0 }) => [
    'asked the assistant',
    formatDetail(`${status}, ${model}, ${input_tokens + output_tokens} tokens`),
  ],
  drafts_created: ({ drafts = 0 }) => ['drafted descriptions', formatDetail(`${drafts} suggestions`)],
  person_mentioned: ({ names }) => [`mentioned ${formatUserName(names)} in`],
}

const SUGGESTED: Readonly<Record<EventPayloads['change_suggested']['field'], string>> = {
  description: 'suggested a description of',
  tag: 'suggested a tag for',
  owner: 'suggested an owner of',
  term: 'suggested a glossary term',
}

const MAX_COLUMNS = 10

/** `added channel; removed discount; changed the type of tax from numeric to text` */
const formatColumnChanges = ({
  columns_added = [],
  columns_removed = [],
  columns_renamed = [],
  columns_retyped = [],
  columns_nullability = [],
  columns_reordered = [],
}: Partial<EventPayloads['schema_changed']>): string => {
  const list = (names: readonly string[]) => {
    const more = names.length - MAX_COLUMNS
    return [...names.slice(0, MAX_COLUMNS), ...(more > 0 ? [`${more} more`] : [])].join(', ')
  }
  const parts = [
    ['added', columns_added],
    ['removed', columns_removed],
    ['renamed', columns_renamed.map(({ from, to }) => `${from} to ${to}`)],
    ['changed the type of', columns_retyped.map(({ name, from, to }) => `${name} from ${from ?? 'unknown'} to ${to ?? 'unknown'}`)],
    ['made nullable', columns_nullability.filter(({ nullable }) => nullable).map(({ name }) => name)],
    ['made not null', columns_nullability.filter(({ nullable }) => !nullable).map(({ name }) => name)],
    ['moved', columns_reordered],
  ] as const
  return parts.flatMap(([verb, names]) => (names.length > 0 ? [`${verb} ${list(names)}`] : [])).join('; ')
}

const formatUserName = (name: string | null | undefined): string => name || 'an unknown user'

const formatMonitorName = (unchanged: string | undefined, changes: readonly Change[]): string => {
  const change = changes.find(({ field }) => field === 'name')
  const name = change?.to ?? change?.from ?? unchanged
  return typeof name === 'string' ? `the monitor ${quoteValue(name)}` : 'a monitor'
}

const MAX_DETAIL_LENGTH = 400
const formatDetail = (text: string | null | undefined): string | undefined => {
  const letters = [...(text ?? '').replace(/\s+/g, ' ').trim()]
  if (letters.length === 0) return undefined
  return `– ${letters.length > MAX_DETAIL_LENGTH ? `${letters.slice(0, MAX_DETAIL_LENGTH).join('').trimEnd()}…` : letters.join('')}`
}

/** Lineage activities are recorded for both ends of an edge. */
const isLineageActivity = (activity_type: string): boolean => activity_type.startsWith('lineage_')

const lineagePhrase = (activity_type: string, changes: readonly Change[]): Phrase => {
  if (activity_type === 'lineage_derived') return ['derived the lineage of', 'from a query']
  const verb = activity_type === 'lineage_created' ? 'added' : 'removed'
  return changes.some(({ field }) => field === 'downstream')
    ? [`${verb} lineage from`, 'to another resource']
    : [`${verb} lineage to`, 'from another resource']
}

const FLAGS: Record<string, { readonly on: Phrase; readonly off: Phrase }> = {
  published: { on: ['published'], off: ['hid', 'from viewers'] },
  verified: { on: ['verified'], off: ['removed the verification of'] },
  pii: { on: ['marked', 'as containing personal data'], off: ['marked', 'as not containing personal data'] },
  archived: { on: ['archived'], off: ['unarchived'] },
  stale: { on: ['marked', 'as missing from its source'], off: ['found', 'in its source again'] },
  is_pk: { on: ['marked', 'as part of the primary key'], off: ['marked', 'as not part of the primary key'] },
  hidden: { on: ['hid', 'in the column list of its table'], off: ['showed', 'in the column list of its table'] },
}
/** Values of these fields are IDs, which mean nothing to readers, so they are left out. */
const REFERENCES = ['integration', 'base_entity_id', 'question_answered_by', 'question_assigned_to', 'accepted_reply']

const changePhrase = ({ field, from, to }: Change): Phrase => {
  const flag = FLAGS[field]
  if (flag) return to === true ? flag.on : flag.off
  if (field === 'deprecation')
    return [to === null ? 'removed the deprecation of' : from === null ? 'deprecated' : 'changed the deprecation of']
  if (field === 'parent') return ['moved', to === null ? 'to the top level' : 'to another parent']
  if (field === 'title') return ['renamed', `from ${quoteValue(from)} to ${quoteValue(to)}`]
  if (Array.isArray(from) || Array.isArray(to)) return listPhrase(getFieldLabel(field), from as unknown[] | null, to as unknown[] | null)
  const name = `the ${getFieldLabel(field)} of`
  if (REFERENCES.includes(field) || (field.startsWith(PROPERTY) && [from, to].some(isId)))
    return [`${to === null ? 'cleared' : from === null ? 'set' : 'changed'} ${name}`]
  if (from === null) return [`set ${name}`, `to ${quoteValue(to)}`]
  if (to === null) return [`cleared ${name}`, `which was ${quoteValue(from)}`]
  return [`changed ${name}`, `from ${quoteValue(from)} to ${quoteValue(to)}`]
}

const listPhrase = (name: string, from: readonly unknown[] | null, to: readonly unknown[] | null): Phrase => {
  const added = (to ?? []).filter((each) => !from?.includes(each)).length
  const removed = (from ?? []).filter((each) => !to?.includes(each)).length
  const some = (n: number) => `${n} ${n === 1 ? name.replace(/s$/, '') : name}`
  if (added > 0 && removed > 0) return [`added ${some(added)} to and removed ${some(removed)} from`]
  if (added > 0) return [`added ${some(added)} to`]
  return removed > 0 ? [`removed ${some(removed)} from`] : [`reordered the ${name} of`]
}

const NAMES: Record<string, string> = { entity_type: 'type', definition: 'documentation', owners_groups: 'owner groups' }
const PROPERTY = 'custom_property:'
const getFieldLabel = (field: string): string =>
  field.startsWith(PROPERTY) ? `property ${field.slice(PROPERTY.length)}` : (NAMES[field] ?? toWords(field))
const toWords = (word: string): string => word.replaceAll('_', ' ')

const isId = (value: unknown): boolean => typeof value === 'string' && parseId(value) !== undefined

const MAX_NAMED_FIELDS = 3
const joinFields = (names: readonly string[]): string => {
  const more = names.length - MAX_NAMED_FIELDS
  const parts = more > 1 ? [...names.slice(0, MAX_NAMED_FIELDS), `${more} other fields`] : names
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

const MAX_QUOTE_LENGTH = 80
const quoteValue = (value: unknown): string => {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ').trim()
  const letters = [...text.slice(0, 2 * MAX_QUOTE_LENGTH + 2)] // by code point, so that no character is cut in half
  return `“${letters.length > MAX_QUOTE_LENGTH ? `${letters.slice(0, MAX_QUOTE_LENGTH).join('').trimEnd()}…` : text}”`
}
