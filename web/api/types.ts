import type { components } from '../../client/src/api.ts'

/** Response types, generated from the OpenAPI document. */
export type Schemas = components['schemas']

export type Resource = Schemas['Resource']
export type ResourceEdit = Schemas['ResourceEdit']
export type SearchPage = Schemas['SearchPage']
export type SearchResult = Schemas['SearchResult']
export type Column = Schemas['Column']
export type User = Schemas['User']
export type Tag = Schemas['Tag']
export type Team = Schemas['Team']
export type Integration = Schemas['Integration']
export type CustomProperty = Schemas['CustomProperty']
export type CustomPropertyValue = Schemas['CustomPropertyValue']
export type Notification = Schemas['Notification']
export type NotificationPage = Schemas['NotificationPage']
export type VersionHistory = Schemas['VersionHistory']
export type ResourceBrief = Schemas['ResourceBrief']
export type ResourceView = Schemas['ResourceView']
export type HealthStatus = Schemas['ResourceHealth']['status']
export type Bootstrap = Schemas['Bootstrap']
export type SignedIn = Schemas['SignedIn']
export type Named = Schemas['Named']
export type EntityType = Resource['entity_type']
export type Permission = Schemas['Me']['permissions'][number]

/** A page of a list. */
export interface ResultPage<T> {
  readonly count: number
  readonly total_pages: number
  readonly results: T[]
  readonly meta: { readonly page: number | null; readonly next_page: number | null }
}
