import { readId } from '../id.ts'
import type { Change } from './record.ts'
import type { EventBlock } from './schema.ts'

/** Describes an activity as the parts of one sentence. Pure. */
export interface Happening {
  readonly activity_type: string
  readonly performer: string
  readonly resource_type: string | null
  readonly resource_title: string | null
  /** It was caused by another activity. */
  readonly followed: boolean
  readonly changes: readonly Change[]
}

export const inWords = ({ activity_type, performer, resource_type, resource_title, followed, changes }: Happening): EventBlock[] => {
  const [said, after] = phraseOf(activity_type, resource_type, changes)
  return [
    block('performer', activity_type === 'incident_opened' ? US : performer), // the user who pushed the value did not open the incident
    block('text', said),
    ...(resource_title ? [block('resource', resource_title)] : []),
    ...(after ? [block('text', after)] : []),
    ...(followed && !ofLineage(activity_type) ? [block('text', `together with ${originOf(activity_type, changes)}`)] : []),
  ]
}

/** What caused the activity. */
const originOf = (activity_type: string, changes: readonly Change[]): string => {
  if (ofValues(activity_type)) return 'the property'
  const [first] = changes
  if (changes.length === 1 && (first?.field === 'tags' || first?.field === 'collections')) return `the ${first.field.slice(0, -1)}`
  return 'its parent'
}

const US = 'Tablinum'

const block = (type: EventBlock['type'], value: string): EventBlock => ({ type, style: 'normal', value })

/** The text before and after the resource's name. */
type Phrase = readonly [before: string, after?: string]

const phraseOf = (activity_type: string, resource_type: string | null, changes: readonly Change[]): Phrase => {
  const special = PHRASES[activity_type]
  if (special) return special
  if (ofLineage(activity_type)) return phraseOfFlow(activity_type, changes)
  const withFacts = WITH_FACTS[activity_type]
  if (withFacts)
    return withFacts((field) => {
      const change = changes.find((change) => change.field === field)
      return change?.to ?? change?.from
    })
  const end = activity_type.lastIndexOf('_')
  const noun = activity_type.slice(0, end)
  const verb = activity_type.slice(end + 1)
  const edited = verb === 'updated' || ofValues(activity_type)
  if (edited && changes.length === 1) return phraseOfChange(changes[0]!)
  if (edited && changes.length > 1) return [`changed ${listed(changes.map(({ field }) => `the ${nameOf(field)}`))} of`]
  return [`${verb === 'updated' ? 'changed' : plain(verb)} the ${plain(noun === 'resource' ? (resource_type ?? noun) : noun)}`]
}

/** Values of custom properties, which are not fields of the resource. */
const ofValues = (activity_type: string): boolean => activity_type === 'property_set' || activity_type === 'property_cleared'

const PHRASES: Record<string, Phrase> = {
  subscription_created: ['subscribed to'],
  subscription_deleted: ['unsubscribed from'],
  trash_deleted: ['permanently deleted'],
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
  pii_rule_updated: ['changed how PII suggestions are handled in'],
}

/** Activities that are not versions of a resource. `of` returns the new or, if deleted, the old value of a field. */
const WITH_FACTS: Record<string, (of: (field: string) => unknown) => Phrase> = {
  monitor_created: (of) => [`created ${monitorIn(of)} on`],
  monitor_updated: (of) => [`changed ${monitorIn(of)} on`],
  monitor_deleted: (of) => [`deleted ${monitorIn(of)} on`],
  incident_opened: (of) => ['opened an incident on', said(of('summary'))],
  incident_resolved: (of) => ['resolved the incident on', said(of('name'))],
  incident_reopened: (of) => ['reopened the incident on', said(of('summary'))],
  incident_acknowledged: () => ['acknowledged the incident on'],
  incident_commented: (of) => ['commented on the incident on', said(of('comment'))],
  incident_assigned: (of) =>
    of('assignee') ? ['assigned the incident on', `to ${nameIn(of, 'assignee_name')}`] : ['unassigned the incident on'],
  incident_marked_normal: () => ['marked a measurement of', 'as expected'],
  incident_marked_incident: () => ['marked a measurement of', 'as an anomaly'],
  question_asked: (of) => [`asked a question${typeof of('about') === 'string' ? ` about ${of('about')}` : ''}:`, said(of('text'))],
  question_assigned: (of) => ['assigned the question', `to ${nameIn(of, 'assignee_name')}`],
  question_replied: (of) => ['replied to the question', said(of('text'))],
  question_reply_accepted: (of) => [`accepted the reply of ${nameIn(of, 'author_name')} to`],
  schema_changed: (of) => ['changed the columns of', said(columnsIn(of))],
  person_mentioned: (of) => [`mentioned ${nameIn(of, 'names')} in`, said(of('text'))],
}

const MOST_COLUMNS = 10

/** `added channel; removed discount; changed the type of tax from numeric to text` */
const columnsIn = (of: (field: string) => unknown): string => {
  const list = (field: string) => (Array.isArray(of(field)) ? (of(field) as Record<string, string>[] & string[]) : [])
  const named = (field: string, say: (each: Record<string, string> & string) => string) => {
    const all = list(field)
    const more = all.length - MOST_COLUMNS
    return [
      ...all.slice(0, MOST_COLUMNS).map((each) => say(each as Record<string, string> & string)),
      ...(more > 0 ? [`${more} more`] : []),
    ].join(', ')
  }
  const parts: (readonly [string, string])[] = [
    ['added', named('columns_added', (name) => name)],
    ['removed', named('columns_removed', (name) => name)],
    ['renamed', named('columns_renamed', ({ from, to }) => `${from} to ${to}`)],
    ['changed the type of', named('columns_retyped', ({ name, from, to }) => `${name} from ${from ?? 'unknown'} to ${to ?? 'unknown'}`)],
  ]
  return parts.flatMap(([verb, names]) => (names ? [`${verb} ${names}`] : [])).join('; ')
}

const nameIn = (of: (field: string) => unknown, field: string): string => {
  const name = of(field)
  return typeof name === 'string' && name !== '' ? name : 'an unknown user'
}

const monitorIn = (of: (field: string) => unknown): string => {
  const name = of('name') ?? of('monitor')
  return typeof name === 'string' ? `the monitor ${quoted(name)}` : 'a monitor'
}

const LONGEST_SAID = 400
const said = (value: unknown): string | undefined => {
  const letters = typeof value === 'string' ? [...value.replace(/\s+/g, ' ').trim()] : []
  if (letters.length === 0) return undefined
  return `– ${letters.length > LONGEST_SAID ? `${letters.slice(0, LONGEST_SAID).join('').trimEnd()}…` : letters.join('')}`
}

/** Lineage activities are recorded for both ends of an edge. */
const ofLineage = (activity_type: string): boolean => activity_type.startsWith('lineage_')

const phraseOfFlow = (activity_type: string, changes: readonly Change[]): Phrase => {
  if (activity_type === 'lineage_derived') return ['derived the lineage of', 'from a query']
  const said = activity_type === 'lineage_created' ? 'added' : 'removed'
  return changes.some(({ field }) => field === 'downstream')
    ? [`${said} lineage from`, 'to another resource']
    : [`${said} lineage to`, 'from another resource']
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

const phraseOfChange = ({ field, from, to }: Change): Phrase => {
  const flag = FLAGS[field]
  if (flag) return to === true ? flag.on : flag.off
  if (field === 'parent') return ['moved', to === null ? 'to the top level' : 'to another parent']
  if (field === 'title') return ['renamed', `from ${quoted(from)} to ${quoted(to)}`]
  if (Array.isArray(from) || Array.isArray(to)) return phraseOfList(nameOf(field), from as unknown[] | null, to as unknown[] | null)
  const name = `the ${nameOf(field)} of`
  if (REFERENCES.includes(field) || (field.startsWith(PROPERTY) && [from, to].some(isId)))
    return [`${to === null ? 'cleared' : from === null ? 'set' : 'changed'} ${name}`]
  if (from === null) return [`set ${name}`, `to ${quoted(to)}`]
  if (to === null) return [`cleared ${name}`, `which was ${quoted(from)}`]
  return [`changed ${name}`, `from ${quoted(from)} to ${quoted(to)}`]
}

const phraseOfList = (name: string, from: readonly unknown[] | null, to: readonly unknown[] | null): Phrase => {
  const added = (to ?? []).filter((each) => !from?.includes(each)).length
  const removed = (from ?? []).filter((each) => !to?.includes(each)).length
  const some = (n: number) => `${n} ${n === 1 ? name.replace(/s$/, '') : name}`
  if (added > 0 && removed > 0) return [`added ${some(added)} to and removed ${some(removed)} from`]
  if (added > 0) return [`added ${some(added)} to`]
  return removed > 0 ? [`removed ${some(removed)} from`] : [`reordered the ${name} of`]
}

const NAMES: Record<string, string> = { entity_type: 'type', definition: 'documentation', owners_groups: 'owner groups' }
const PROPERTY = 'custom_property:'
const nameOf = (field: string): string =>
  field.startsWith(PROPERTY) ? `property ${field.slice(PROPERTY.length)}` : (NAMES[field] ?? plain(field))
const plain = (word: string): string => word.replaceAll('_', ' ')

const isId = (value: unknown): boolean => typeof value === 'string' && readId(value) !== undefined

const MOST_NAMED = 3
const listed = (names: readonly string[]): string => {
  const more = names.length - MOST_NAMED
  const parts = more > 1 ? [...names.slice(0, MOST_NAMED), `${more} other fields`] : names
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

const LONGEST = 80
const quoted = (value: unknown): string => {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ').trim()
  const letters = [...text.slice(0, 2 * LONGEST + 2)] // by code point, so that no character is cut in half
  return `“${letters.length > LONGEST ? `${letters.slice(0, LONGEST).join('').trimEnd()}…` : text}”`
}
