import { type Translatable, translatable } from '../core/translatable.ts'

/** What an activity is about, as the object of a sentence: nouns with their article, because languages decline them. */
const NOUNS: Readonly<Record<string, Translatable>> = {
  table: translatable('the table'),
  column: translatable('the column'),
  schema: translatable('the schema'),
  database: translatable('the database'),
  cluster: translatable('the cluster'),
  dashboard: translatable('the dashboard'),
  dashboard_group: translatable('the dashboard group'),
  chart: translatable('the chart'),
  job: translatable('the job'),
  job_group: translatable('the job group'),
  run: translatable('the run'),
  query: translatable('the query'),
  document: translatable('the document'),
  glossary: translatable('the glossary term'),
  collection: translatable('the collection'),
  question: translatable('the question'),
  question_reply: translatable('the reply'),
  event: translatable('the event'),
  event_property: translatable('the event property'),
  category: translatable('the event category'),
  test: translatable('the test'),
  resource: translatable('the resource'),
  integration: translatable('the integration'),
  import: translatable('the file'),
  user: translatable('the user'),
  team: translatable('the team'),
  group: translatable('the group'),
  token: translatable('the token'),
  tag: translatable('the tag'),
  property: translatable('the property'),
  view: translatable('the saved view'),
  webhook: translatable('the webhook'),
  workspace: translatable('the workspace'),
  bookmark: translatable('the bookmark'),
  notification_channel: translatable('the notification channel'),
  notification_rule: translatable('the routing rule'),
  message_template: translatable('the message text'),
}

export const getNoun = (noun: string): Translatable => NOUNS[noun] ?? translatable('the {word}', { word: toWords(noun) })

const FIELDS: Readonly<Record<string, Translatable>> = {
  title: translatable('the title'),
  name: translatable('the name'),
  entity_type: translatable('the type'),
  description: translatable('the description'),
  definition: translatable('the documentation'),
  native_type: translatable('the native type'),
  icon: translatable('the icon'),
  url: translatable('the URL'),
  parent: translatable('the parent'),
  integration: translatable('the integration'),
  teams: translatable('the teams'),
  owners: translatable('the owners'),
  owners_groups: translatable('the owner groups'),
  collections: translatable('the collections'),
  tags: translatable('the tags'),
  terms: translatable('the terms'),
  subscribers: translatable('the subscribers'),
  deprecation: translatable('the deprecation'),
  verified: translatable('the verification'),
  published: translatable('the visibility'),
  pii: translatable('the PII flag'),
  role: translatable('the role'),
  email: translatable('the e-mail address'),
  schedule: translatable('the schedule'),
  members: translatable('the members'),
}

const PROPERTY = 'custom_property:'

export const isPropertyField = (field: string): boolean => field.startsWith(PROPERTY)

export const getFieldNoun = (field: string): Translatable =>
  isPropertyField(field)
    ? translatable('the property {name}', { name: field.slice(PROPERTY.length) })
    : (FIELDS[field] ?? translatable('the {word}', { word: toWords(field) }))

/** `2 tags` */
export const countItems = (field: string, n: number): Translatable => {
  if (field === 'tags') return translatable('{n:# tag|# tags}', { n })
  if (field === 'terms') return translatable('{n:# term|# terms}', { n })
  if (field === 'owners') return translatable('{n:# owner|# owners}', { n })
  if (field === 'owners_groups') return translatable('{n:# owner group|# owner groups}', { n })
  if (field === 'teams') return translatable('{n:# team|# teams}', { n })
  if (field === 'collections') return translatable('{n:# collection|# collections}', { n })
  if (field === 'subscribers') return translatable('{n:# subscriber|# subscribers}', { n })
  if (field === 'members') return translatable('{n:# member|# members}', { n })
  const word = isPropertyField(field) ? `property ${field.slice(PROPERTY.length)}` : toWords(field)
  return translatable('{n} {word}', { n, word: n === 1 ? word.replace(/s$/, '') : word })
}

const toWords = (word: string): string => word.replaceAll('_', ' ')
