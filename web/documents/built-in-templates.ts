import { t } from '../i18n/messages.ts'

/** Templates that every workspace has, in the language of the user. */
interface BuiltInTemplate {
  readonly key: string
  readonly title: string
  readonly description: string
  readonly definition: string
}

const section = (title: string, ...lines: readonly string[]): string => [`## ${title}`, '', ...lines, ''].join('\n')
const task = (text: string): string => `- [ ] ${text}`

export const BUILT_IN_TEMPLATES: readonly BuiltInTemplate[] = [
  {
    key: 'runbook',
    title: t('Runbook'),
    description: t('What to do when something goes wrong.'),
    definition: [
      section(t('When to use it'), t('Which alert or symptom leads here?')),
      section(t('Check first'), task(t('Is the source reachable?')), task(t('Did the last load finish?'))),
      section(t('Steps'), `1. ${t('What to do, in order, with the commands.')}`),
      section(t('Escalation'), t('Who decides, and how to reach them.')),
      section(t('Afterwards'), t('What to record, and whom to inform.')),
    ].join('\n'),
  },
  {
    key: 'data_product',
    title: t('Data product'),
    description: t('What it offers, to whom, and what can be relied on.'),
    definition: [
      section(t('Purpose'), t('Which questions it answers, and for whom.')),
      section(t('Tables and dashboards'), t('Link what belongs to it with @.')),
      section(t('Quality'), t('Freshness, completeness and the monitors that check them.')),
      section(t('Access'), t('Who can use it, and how to request access.')),
      section(t('Owners and support'), t('Who decides about changes, and where to ask.')),
    ].join('\n'),
  },
  {
    key: 'metric',
    title: t('Metric definition'),
    description: t('How a number is computed, and what it means.'),
    definition: [
      section(t('Definition'), t('In one sentence, without jargon.')),
      section(t('Formula'), '```sql', 'select count(*) from …', '```'),
      section(t('Dimensions'), t('What it can and cannot be broken down by.')),
      section(t('Known limits'), t('What is missing, late or estimated.')),
      section(t('Where it is shown'), t('Dashboards and reports that use it.')),
    ].join('\n'),
  },
  {
    key: 'incident_review',
    title: t('Incident review'),
    description: t('What happened, why, and what changes.'),
    definition: [
      section(t('What happened'), t('From when to when, and who noticed it.')),
      section(t('Impact'), t('Which numbers were wrong, and who used them.')),
      section(t('Cause'), t('Why it happened, and why it was not noticed earlier.')),
      section(t('Actions'), task(t('What changes, by whom and until when.'))),
    ].join('\n'),
  },
]
