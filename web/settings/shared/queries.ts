import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { CustomProperty, Resource, ResultPage, Schemas, Tag, User } from '../../api/types.ts'

/** Queries for the settings pages. */
export type { CustomProperty, Tag, User }
export type MemberGroup = Schemas['Group'] & Partial<Schemas['Team']>
export type NewToken = Schemas['NewToken']
export type NewWebhook = Schemas['NewWebhook']
export type ChannelTest = Schemas['NotificationChannelTest']
export type NotificationChannel = Schemas['NotificationChannel']
export type MessageTemplate = Schemas['MessageTemplate']
type TemplatePreview = Schemas['MessageTemplatePreview']
export type NotificationRule = Schemas['NotificationRule']
export type RulePreview = Schemas['NotificationRulePreview']
export type NotificationSettings = Schemas['NotificationSettings']
export type ServerSettings = Schemas['ServerSettings']
export type Session = Schemas['Session']
export type Token = Schemas['Token']
export type Webhook = Schemas['Webhook']
export type WebhookDelivery = Schemas['WebhookDelivery']

const MAX_ROWS = 1000 // people, teams or tags on one page; the search field narrows longer lists

const listQuery = <T>(key: readonly string[], path: string, query: Record<string, string | number | boolean | undefined> = {}) =>
  queryOptions({
    queryKey: key,
    queryFn: ({ signal }) => api.get<ResultPage<T>>(path, { query: { page_size: MAX_ROWS, ...query }, signal }),
  })

export const SERVER_SETTINGS_PATH = '/server/settings'
export const SERVER_SETTINGS_KEY = 'server-settings'
export const serverSettingsQuery = queryOptions({
  queryKey: [SERVER_SETTINGS_KEY],
  queryFn: ({ signal }) => api.get<ServerSettings>(SERVER_SETTINGS_PATH, { signal }),
})
export const sessionsQuery = listQuery<Session>(['sessions'], '/auth/sessions')
export const tokensQuery = listQuery<Token>(['tokens'], '/auth/tokens', { active: true })
export const peopleQuery = (name: string) => listQuery<User>(['people', 'list', name], '/user', { name: name || undefined })
export type Subscription = Pick<Resource, 'id' | 'title' | 'title_full' | 'entity_type'>
export const subscriptionsQuery = listQuery<Subscription>(['subscriptions'], '/subscription', { page_size: 200 })
export const tagsQuery = listQuery<Tag>(['tags'], '/tag')
export const webhooksQuery = listQuery<Webhook>(['webhooks'], '/notification/webhooks')
export const notificationChannelsQuery = listQuery<NotificationChannel>(['notification-channels'], '/notification/channels')
export const notificationRulesQuery = listQuery<NotificationRule>(['notification-rules'], '/notification/rules')
export const deliveriesQuery = (webhook: string) =>
  listQuery<WebhookDelivery>(['webhooks', webhook, 'deliveries'], `/notification/webhooks/${webhook}/deliveries`, { page_size: 20 })

export const messageTemplatesQuery = queryOptions({
  queryKey: ['message-templates'],
  queryFn: ({ signal }) => api.get<MessageTemplate[]>('/notification/templates', { signal }),
})

export const templatePreviewQuery = (draft: Pick<MessageTemplate, 'channel' | 'event' | 'title' | 'body'>) =>
  queryOptions({
    queryKey: ['message-templates', 'preview', draft],
    queryFn: ({ signal }) => api.post<TemplatePreview>('/notification/templates/preview', draft, { signal }),
    retry: false,
    staleTime: 60_000,
  })

export type MemberGroupType = 'teams' | 'group'
export const memberGroupsQuery = (kind: MemberGroupType) => listQuery<MemberGroup>(['memberGroups', kind], `/auth/${kind}`)

export const propertiesQuery = queryOptions({
  queryKey: ['properties'],
  queryFn: ({ signal }) => api.get<CustomProperty[]>('/resource/all_v2/custom_properties/', { signal }),
})

export const notificationsQuery = queryOptions({
  queryKey: ['notification-settings'],
  queryFn: ({ signal }) => api.get<NotificationSettings>('/notification/settings', { signal }),
})

export type InvitationLink = Schemas['Invitation']
