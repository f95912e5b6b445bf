import type { AlertItem } from '../deliveries/alert.ts'

/** The language of message templates: text with `{{placeholders}}`. Pure. */
export const TEMPLATE_EVENTS = ['incident_opened', 'incident_resolved', 'schema_changed'] as const
export type TemplateEvent = (typeof TEMPLATE_EVENTS)[number]

/** Channels whose texts can be changed. Other programs read what is sent to webhooks. */
export const TEMPLATE_CHANNELS = ['email', 'slack', 'teams', 'pagerduty', 'opsgenie'] as const
export type TemplateChannel = (typeof TEMPLATE_CHANNELS)[number]

export interface Template {
  readonly title: string
  readonly body: string
}

const SHARED = {
  headline: 'The default title.',
  summary: 'The default text, without the impact.',
  resource: 'The name of the table or column.',
  impact: 'How many downstream resources depend on it, and their owners.',
  link: 'The page in Tablinum.',
}
const OF_INCIDENTS = {
  ...SHARED,
  monitor: 'The name of the monitor.',
  severity: 'low, medium, high or critical.',
  value: 'The measured value.',
  expected: 'The expected range.',
  since: 'When the incident began (UTC).',
}

/** What each event knows, with a description. */
export const PLACEHOLDERS: Readonly<Record<TemplateEvent, Readonly<Record<string, string>>>> = {
  incident_opened: OF_INCIDENTS,
  incident_resolved: { ...OF_INCIDENTS, by: 'Who resolved it; empty if the monitor did.' },
  schema_changed: { ...SHARED, breaks: 'How many downstream resources may break.' },
}

/** Renders to what is sent without a template. */
export const DEFAULT_TEMPLATE: Template = { title: '{{headline}}', body: '{{summary}}\n{{impact}}' }

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/** The names in a text that the event does not know; `{{` that is never closed counts as one. */
export const findUnknownPlaceholders = (text: string, event: TemplateEvent): string[] => {
  const names = [...text.matchAll(PLACEHOLDER)].map(([, name]) => name!.trim())
  const rest = text.replace(PLACEHOLDER, '')
  return [
    ...new Set([
      ...names.filter((name) => !Object.hasOwn(PLACEHOLDERS[event], name)).map((name) => `{{${name}}}`),
      ...(rest.includes('{{') || rest.includes('}}') ? [/\{\{[^\n]{0,30}|[^\n]{0,30}\}\}/.exec(rest)![0]] : []),
    ]),
  ]
}

/** The values of an item, by placeholder. Only the summary may have several lines. */
type PlaceholderValues = Readonly<Record<string, string | undefined>>

export const toPlaceholderValues = (
  { title, lines, resource_title = '', severity = '', values = {} }: AlertItem,
  { impact = '', link = '' }: { readonly impact?: string; readonly link?: string },
): PlaceholderValues => ({
  ...mapValues({ ...values, headline: title, resource: resource_title, severity, impact, link }),
  summary: lines.map(toOneLine).join('\n'),
})

/** A name with a line break must not look like a line of the message. */
const toOneLine = (text: string): string => text.replace(/(?<!\s)\s*[\r\n]\s*/g, ' ')
const mapValues = (values: Readonly<Record<string, string>>): PlaceholderValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toOneLine(value)]))

/** A line that consists of placeholders without a value is left out. */
export const renderTemplate = ({ title, body }: Template, values: PlaceholderValues): { title: string; lines: string[] } => {
  const fill = (text: string) => text.replace(PLACEHOLDER, (_, name: string) => values[name.trim()] ?? '')
  return {
    title: fill(title).replaceAll('\n', ' '),
    lines: body
      .split('\n')
      .flatMap((line) => fill(line).split('\n'))
      .filter((line) => line.trim() !== ''),
  }
}
