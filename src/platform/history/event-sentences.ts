import { parseId } from '../core/id.ts'
import { type Translatable, translatable } from '../core/translatable.ts'
import type { EventKind, EventPayloads, IncidentPayload, Payload } from './events.ts'
import type { Change } from './record.ts'
import { quoteValue, sentence } from './sentence.ts'

/** The sentence about a domain event; undefined if the kind has none of its own. Pure. */
export const describeEvent = (activity_type: string, payload: Payload, changes: readonly Change[]): Translatable | undefined =>
  (EVENT_SENTENCES[activity_type as EventKind] as EventSentence<Payload> | undefined)?.(payload, changes)

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
  incident_snoozed: ({ snoozed_until = '' }) =>
    sentence('{performer} snoozed the incident on {resource} until {time} UTC', { time: snoozed_until.slice(0, 16).replace('T', ' ') }),
  incident_unsnoozed: () => sentence('{performer} ended the snooze of the incident on {resource}'),
  incident_snooze_ended: (payload) =>
    sentence('The snooze of the incident on {resource} ended {detail}', { detail: describeSummary(payload) }),
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
  view_matched: ({ name }) =>
    name ? sentence('{resource} is a new match of the saved view {name}', { name }) : sentence('{resource} is a new match of a saved view'),
  attachment_uploaded: ({ name }) => sentence('{performer} attached a file to {resource} {detail}', { detail: formatDetail(name) }),
  attachment_deleted: ({ name }) => sentence('{performer} deleted a file of {resource} {detail}', { detail: formatDetail(name) }),
  // The ID of a person means nothing to readers.
  change_suggested: ({ field, value }) =>
    SUGGESTED[field ?? 'description'](field === 'owner' && parseId(value ?? '') ? '' : formatDetail(value)),
  assistant_answered: ({ status = '', model = '', input_tokens = 0, output_tokens = 0 }) =>
    sentence('{performer} asked the assistant {resource} – {status}, {model}, {tokens} tokens', {
      status,
      model,
      tokens: input_tokens + output_tokens,
    }),
  drafts_created: ({ drafts = 0 }) => sentence('{performer} drafted descriptions {resource} – {n} suggestions', { n: drafts }),
  import_completed: ({ created = 0, updated = 0 }) =>
    sentence('{performer} imported {resource} – {created} created, {updated} updated', { created, updated }),
  import_undone: ({ resources_restored: restored = 0, resources_deleted: deleted = 0, changes_kept: kept = 0 }) =>
    kept > 0
      ? sentence('{performer} undid the import of {resource} – {restored} restored, {deleted} moved to the trash, {kept} kept', {
          restored,
          deleted,
          kept,
        })
      : sentence('{performer} undid the import of {resource} – {restored} restored, {deleted} moved to the trash', { restored, deleted }),
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
  comment_reacted: () => sentence('{performer} reacted to a comment on {resource}'),
  comment_reaction_removed: () => sentence('{performer} removed a reaction to a comment on {resource}'),
}

const SUGGESTED: Readonly<Record<EventPayloads['change_suggested']['field'], (detail: string) => Translatable>> = {
  description: (detail) => sentence('{performer} suggested a description of {resource} {detail}', { detail }),
  tag: (detail) => sentence('{performer} suggested a tag for {resource} {detail}', { detail }),
  owner: (detail) => sentence('{performer} suggested an owner of {resource} {detail}', { detail }),
  term: (detail) => sentence('{performer} suggested a glossary term {resource} {detail}', { detail }),
}

const MAX_COLUMNS = 10

/** `added channel; removed discount; changed the type of tax from numeric to text` */
export const describeColumnChanges = ({
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
      (columns: Columns) => translatable('made {columns} nullable', { columns }),
    ],
    [
      columns_nullability.filter(({ nullable }) => !nullable).map(({ name }) => name),
      (columns: Columns) => translatable('made {columns} not null', { columns }),
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
