import { t } from '../../i18n/messages.ts'
import type { NotificationChannel } from '../shared/queries.ts'

export type ChannelType = NotificationChannel['type']

interface ChannelTypeEntry {
  readonly label: string
  /** What is entered to reach it. */
  readonly field: 'address' | 'url' | 'key'
  readonly fieldLabel: string
  readonly hint: string
  /** The URL of its API, if it can be chosen. */
  readonly apiUrl?: string
  /** There is no default URL. */
  readonly ownUrl?: true
}

/** Types of notification channels, and what their forms ask for. */
export const CHANNEL_TYPES: Record<ChannelType, ChannelTypeEntry> = {
  slack: {
    label: t('Slack'),
    field: 'address',
    fieldLabel: t('Slack channel ID'),
    hint: t('e.g. C024BE7LH. Invite the Slack app to the channel.'),
  },
  teams: {
    label: t('Microsoft Teams'),
    field: 'url',
    fieldLabel: t('Workflow URL'),
    hint: t('Create a workflow in Teams that posts to a channel when a webhook request is received, and copy its URL.'),
  },
  pagerduty: {
    label: t('PagerDuty'),
    field: 'key',
    fieldLabel: t('Integration key'),
    hint: t('The key of an “Events API v2” integration of a service.'),
    apiUrl: 'https://events.pagerduty.com',
  },
  opsgenie: {
    label: t('Opsgenie'),
    field: 'key',
    fieldLabel: t('API key'),
    hint: t('The key of an “API” integration of a team.'),
    apiUrl: 'https://api.opsgenie.com',
  },
  webhook: {
    label: t('Webhook'),
    field: 'key',
    fieldLabel: t('Signing secret'),
    hint: t('At least 16 characters. Requests are signed with it.'),
    apiUrl: 'https://example.com/hook',
    ownUrl: true,
  },
  email: { label: t('E-mail'), field: 'address', fieldLabel: t('E-mail address'), hint: t('e.g. a mailing list.') },
}
