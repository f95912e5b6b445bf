import { type RawBuilder, sql } from 'kysely'
import { permissionDenied } from '../core/errors.ts'
import { translatable } from '../core/translatable.ts'

/** All authorization decisions. Routes declare a permission; lists, counts, search and logs filter with `visibleTo`. */
export const ROLES = ['admin', 'editor', 'viewer', 'guest'] as const
export type Role = (typeof ROLES)[number]

export const SCOPES = ['read', 'write', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** Permissions a route can require, with the minimum token scope. */
const PERMISSIONS = {
  'catalog.read': 'read',
  'catalog.write': 'write',
  'people.read': 'read',
  'people.manage': 'admin',
  'teams.read': 'read', // and groups: all with people.read, otherwise the caller's own
  'tokens.own': 'write',
  'self.read': 'read',
  'self.write': 'write', // bookmarks, subscriptions and the inbox
  'password.own': 'admin', // a token with a narrow scope must not lead to a session with all rights
  'questions.ask': 'write', // also reply, and edit one's own
  'jobs.read': 'read',
  'integrations.read': 'read',
  'integrations.manage': 'admin',
  'monitors.read': 'read', // their state, incidents and measurements
  'monitors.config': 'read', // how they measure: SQL, source errors, monitors as code, suggestions
  'monitors.write': 'write',
  'monitors.run': 'write',
  'data.query': 'write', // one's own SQL in a source, which costs the source more than a preview
  'audit.read': 'admin',
  'notifications.manage': 'admin',
  'search.manage': 'admin', // the ranking of search
  'assistant.use': 'read', // questions to the assistant, which reads with the rights of the caller
  'assistant.manage': 'admin', // the language model and its limits
  'server.manage': 'admin', // mail server, Slack app, identity provider, what may be shared, backups
  'links.manage': 'admin', // public links
  'trash.delete': 'admin', // permanently delete resources in the trash
} as const satisfies Record<string, Scope>

export type Permission = keyof typeof PERMISSIONS
export const permissions = Object.keys(PERMISSIONS) as Permission[]

const READER_PERMISSIONS: readonly Permission[] = [
  'catalog.read',
  'questions.ask',
  'self.read',
  'self.write',
  'password.own',
  'tokens.own',
  'teams.read',
  'monitors.read',
]
const ROLE_PERMISSIONS: Record<Role, readonly Permission[]> = {
  admin: permissions,
  editor: [
    ...READER_PERMISSIONS,
    'assistant.use',
    'catalog.write',
    'people.read',
    'jobs.read',
    'integrations.read',
    'monitors.config',
    'monitors.write',
    'monitors.run',
    'data.query',
  ],
  viewer: [...READER_PERMISSIONS, 'assistant.use'],
  guest: READER_PERMISSIONS,
}

export type PerformerType = 'USER' | 'API' | 'SYSTEM' | 'INTEGRATION'

/** Who performs a request: a user with a token or session, an integration, or the system. */
export interface Actor {
  readonly user_id: string | null
  readonly token_id: string | null
  readonly session_id?: string
  readonly performer_type: PerformerType
  readonly role: Role
  readonly scope: Scope
  /** The only resource a token of an OAuth client is valid for. Null for all other tokens. */
  readonly audience?: string | null
  readonly teams: readonly string[]
  /** Closed teams the actor belongs to, and (`foreign_teams`) those it does not. */
  readonly closed_teams: readonly string[]
  readonly foreign_teams: readonly string[]
}

export const SYSTEM: Actor = {
  user_id: null,
  token_id: null,
  performer_type: 'SYSTEM',
  role: 'admin',
  scope: 'admin',
  teams: [],
  closed_teams: [],
  foreign_teams: [],
}

export const can = (actor: Actor, permission: Permission): boolean =>
  ROLE_PERMISSIONS[actor.role].includes(permission) && SCOPES.indexOf(actor.scope) >= SCOPES.indexOf(PERMISSIONS[permission])

/** All permissions of this actor. */
export const listPermissions = (actor: Actor): Permission[] => permissions.filter((permission) => can(actor, permission))

export const requirePermission = (actor: Actor, permission: Permission): void => {
  if (can(actor, permission)) return
  const byRole = ROLE_PERMISSIONS[actor.role].includes(permission)
  throw permissionDenied(
    byRole
      ? translatable('This request requires the token scope "{needed}", but this token has "{scope}".', {
          needed: PERMISSIONS[permission],
          scope: actor.scope,
        })
      : translatable('The role "{role}" does not include the permission "{permission}".', { role: actor.role, permission }),
  )
}

/** `current_user_permissions` of a resource the actor can see. */
export const getRecordPermissions = (actor: Actor): { read: boolean; write: boolean; execute: boolean } => {
  const write = can(actor, 'catalog.write')
  return { read: true, write, execute: write }
}

/** The actor's visibility as plain values: actors with equal values see the same rows and share cached counts. */
export const getVisibilityKey = (actor: Actor) => ({
  published_only: actor.role === 'viewer' || actor.role === 'guest',
  only_teams: actor.role === 'guest' ? actor.teams : null,
  foreign_teams: actor.role === 'admin' ? [] : actor.foreign_teams,
  closed_teams: actor.role === 'admin' ? [] : actor.closed_teams,
})

export const seesEverything = (actor: Actor): boolean => {
  const visibility = getVisibilityKey(actor)
  return !visibility.published_only && visibility.foreign_teams.length === 0
}

/** SQL condition: the rows of `resources` (under this alias) the actor can see. */
export const visibleTo = (actor: Actor, alias = 'r'): RawBuilder<boolean> => {
  const visibility = getVisibilityKey(actor)
  const teams = sql.ref(`${alias}.teams`)
  const conditions: RawBuilder<unknown>[] = []
  if (visibility.published_only) conditions.push(sql`${sql.ref(`${alias}.published`)}`)
  if (visibility.only_teams) conditions.push(sql`${teams} && ${visibility.only_teams}::uuid[]`)
  if (visibility.foreign_teams.length > 0)
    conditions.push(
      sql`(${teams} is null or not ${teams} && ${visibility.foreign_teams}::uuid[] or ${teams} && ${visibility.closed_teams}::uuid[])`,
    )
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/**
 * SQL conditions: the rows of `resources` (under this alias) the actor cannot see; no row meets two of them. Each has an index that starts with
 * the parent. Undefined for guests: most rows are hidden from them.
 */
export const hiddenFrom = (actor: Actor, alias: string): RawBuilder<boolean>[] | undefined => {
  const { published_only, only_teams, foreign_teams, closed_teams } = getVisibilityKey(actor)
  if (only_teams) return undefined
  const [published, teams] = [sql.ref(`${alias}.published`), sql.ref(`${alias}.teams`)]
  const unpublished = sql<boolean>`not ${published}`
  const ofOthers = sql<boolean>`${published_only ? published : sql`true`} and ${teams} is not null
    and ${teams} && ${foreign_teams}::uuid[] and not ${teams} && ${closed_teams}::uuid[]`
  return [...(published_only ? [unpublished] : []), ...(foreign_teams.length > 0 ? [ofOthers] : [])]
}

/**
 * SQL condition: the rows of `integrations` (under this alias) that no closed team hides from the actor. Guests are not restricted further: they
 * see resources of integrations outside their teams and may preview what they see.
 */
export const integrationsVisibleTo = (actor: Actor, alias = 'i'): RawBuilder<boolean> => {
  const { foreign_teams, closed_teams } = getVisibilityKey(actor)
  const teams = sql.ref(`${alias}.teams`)
  return foreign_teams.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`(${teams} is null or not ${teams} && ${foreign_teams}::uuid[] or ${teams} && ${closed_teams}::uuid[])`
}

/** A reason why a row is or is not visible. */
export interface VisibilityReason {
  readonly code: 'published' | 'unpublished' | 'own_team' | 'other_teams' | 'closed_team_member' | 'closed_team'
  readonly allows: boolean
}

/** The same decision for one row, with its reasons: one denial is enough. Without reasons, the row is visible to the role. */
export const explainVisibility = (
  actor: Actor,
  { published, teams }: { published: boolean; teams: readonly string[] | null },
): VisibilityReason[] => {
  const visibility = getVisibilityKey(actor)
  const has = (some: readonly string[]) => (teams ?? []).some((team) => some.includes(team))
  const reason = (allows: boolean, yes: VisibilityReason['code'], no: VisibilityReason['code']): VisibilityReason => ({
    code: allows ? yes : no,
    allows,
  })
  return [
    ...(visibility.published_only ? [reason(published, 'published', 'unpublished')] : []),
    ...(visibility.only_teams ? [reason(has(visibility.only_teams), 'own_team', 'other_teams')] : []),
    ...(has(visibility.foreign_teams) ? [reason(has(visibility.closed_teams), 'closed_team_member', 'closed_team')] : []),
  ]
}

export const canSee = (actor: Actor, row: { published: boolean; teams: readonly string[] | null }): boolean =>
  explainVisibility(actor, row).every(({ allows }) => allows)
