import { formatValue, splitTemplate, type Translatable, translatable } from '../core/translatable.ts'
import { getNoun } from './activity-nouns.ts'
import { describeChange, listFields } from './change-sentences.ts'
import { describeEvent } from './event-sentences.ts'
import type { Payload } from './events.ts'
import type { Change } from './record.ts'
import type { EventBlock } from './schema.ts'
import { sentence } from './sentence.ts'

/** Describes an activity as one sentence. Pure. */
export interface ActivityFacts {
  readonly activity_type: string
  readonly performer: string | Translatable
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

const findSentence = (activity_type: string, resource_type: string | null, changes: readonly Change[], payload: Payload): Translatable => {
  const special = SENTENCES[activity_type]
  if (special) return special
  if (isLineageActivity(activity_type)) return describeLineage(activity_type, changes)
  const event = describeEvent(activity_type, payload, changes)
  if (event) return event
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
  public_link_created: sentence('{performer} created a public link of {resource}'),
  public_link_revoked: sentence('{performer} revoked a public link of {resource}'),
  sharing_settings_updated: sentence('{performer} changed what may be shared with others {resource}'),
  backup_downloaded: sentence('{performer} downloaded a backup {resource}'),
  backup_created: sentence('{performer} made a scheduled backup {resource}'),
  backup_failed: sentence('{performer} could not make a scheduled backup {resource}'),
  backup_removed: sentence('{performer} removed an old scheduled backup {resource}'),
  backup_schedule_updated: sentence('{performer} changed the schedule of backups {resource}'),
  data_queried: sentence('{performer} ran a query in {resource}'),
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
  driver_requested: sentence('{performer} started the installation of the driver {resource}'),
  driver_installed: sentence('{performer} installed the driver {resource}'),
  server_settings_updated: sentence('{performer} changed the server settings of {resource}'),
  server_settings_deleted: sentence('{performer} deleted the server settings of {resource}'),
  comment_updated: sentence('{performer} edited a comment on {resource}'),
  comment_deleted: sentence('{performer} deleted a comment on {resource}'),
  pii_rule_updated: sentence('{performer} changed how PII suggestions are handled in {resource}'),
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
