import { queryOptions } from '@tanstack/react-query'
import type { Circle, NewToken, Token } from '../../src/access/schema.ts'
import type { NotificationSettings } from '../../src/notify/schema.ts'
import type { NewWebhook, Webhook, WebhookDelivery } from '../../src/notify/webhooks/schema.ts'
import { api } from '../api/client.ts'
import type { Session } from '../api/session.ts'
import type { CustomProperty, Page, Resource, Tag, User } from '../api/types.ts'

/** Queries for the settings pages. */
export type { Circle, CustomProperty, NewToken, NewWebhook, NotificationSettings, Session, Tag, Token, User, Webhook, WebhookDelivery }

const MOST = 1000 // people, teams or tags on one page; the search field narrows longer lists

const list = <T>(key: readonly string[], path: string, query: Record<string, string | number | boolean | undefined> = {}) =>
  queryOptions({ queryKey: key, queryFn: ({ signal }) => api.get<Page<T>>(path, { query: { page_size: MOST, ...query }, signal }) })

export const sessionsQuery = list<Session>(['sessions'], '/auth/sessions')
export const tokensQuery = list<Token>(['tokens'], '/auth/tokens', { active: true })
export const peopleQuery = (name: string) => list<User>(['people', 'list', name], '/user', { name: name || undefined })
export type Followed = Pick<Resource, 'id' | 'title' | 'title_full' | 'entity_type'>
export const subscriptionsQuery = list<Followed>(['subscriptions'], '/subscription', { page_size: 200 })
export const tagsQuery = list<Tag>(['tags'], '/tag')
export const webhooksQuery = list<Webhook>(['webhooks'], '/notification/webhooks')
export const deliveriesQuery = (webhook: string) =>
  list<WebhookDelivery>(['webhooks', webhook, 'deliveries'], `/notification/webhooks/${webhook}/deliveries`, { page_size: 20 })

export type CircleKind = 'teams' | 'group'
export const circlesQuery = (kind: CircleKind) => list<Circle>(['circles', kind], `/auth/${kind}`)

export const propertiesQuery = queryOptions({
  queryKey: ['properties'],
  queryFn: ({ signal }) => api.get<CustomProperty[]>('/resource/all_v2/custom_properties/', { signal }),
})

export const notificationsQuery = queryOptions({
  queryKey: ['notification-settings'],
  queryFn: ({ signal }) => api.get<NotificationSettings>('/notification/settings', { signal }),
})

export interface InvitationLink {
  readonly link: string
  readonly expires_at: string
  readonly mailed: boolean
}
