import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { userNameSql } from '../../accounts/shared/names.ts'
import { getResource } from '../../catalog/listing/read.ts'
import { hashToken, tokenHint } from '../../platform/authentication/token-hash.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict, notFound } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { recordEvent } from '../../platform/history/events.ts'
import { requirePermission, visibleTo } from '../../platform/permissions/permissions.ts'
import type { NewPublicLink, PublicLink, PublicLinks } from './schema.ts'
import { readSharingSettings } from './settings.ts'

/** Links with which anyone can read one document or glossary term. They expire, and only their hash is stored. */
const SHARED_TYPES: readonly string[] = ['document', 'glossary']
const DAY_MS = 24 * 3_600_000
const MAX_LISTED = 100

interface LinkRow extends PublicLink {
  readonly title: string
  readonly entity_type: string
}

const selectLinks = (ctx: Context) => sql`
  select l.id, l.resource_id, l.hint, ${userNameSql(ctx.actor, 'u')} as created_by_name, l.created_at, l.expires_at, l.revoked_at, r.title, r.entity_type
  from public_links l join resources r on r.id = l.resource_id join users u on u.id = l.created_by`

const toPublicLink = ({ title: _, entity_type: __, ...link }: LinkRow): PublicLink => link

export const listPublicLinks = async (ctx: Context, resource_id: string): Promise<PublicLinks> => {
  requirePermission(ctx.actor, 'links.manage')
  await getResource(ctx, resource_id)
  const { rows } = await sql<LinkRow>`
    ${selectLinks(ctx)} where l.resource_id = ${resource_id} order by l.created_at desc, l.id limit ${MAX_LISTED}`.execute(
    ctx.db,
    ctx.limits,
  )
  return { results: rows.map(toPublicLink), enabled: (await readSharingSettings(ctx)).public_links }
}

export const createPublicLink = (ctx: Context, resource_id: string, days: number, publicUrl: string): Promise<Required<NewPublicLink>> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'links.manage')
    const { title, entity_type } = await getSharedResource(ctx, resource_id)
    if (!(await readSharingSettings(ctx)).public_links)
      throw conflict(translatable('Public links are turned off. An admin can turn them on under Settings → This server.'))
    if (ctx.actor.user_id === null) throw conflict('Only users can create public links, and this token belongs to no user.')
    const [id, code, preview] = [newId(), randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')]
    const expires_at = new Date(ctx.now.getTime() + days * DAY_MS)
    await sql`
      insert into public_links (id, resource_id, hash, hint, preview_key, created_by, created_at, expires_at)
      values (${id}, ${resource_id}, ${hashToken(code)}, ${tokenHint(code)}, ${preview}, ${ctx.actor.user_id}::uuid, ${ctx.now}::timestamptz, ${expires_at}::timestamptz)
    `.execute(ctx.db)
    await recordEvent(ctx, {
      kind: 'public_link_created',
      resource: { id: resource_id, type: entity_type, title },
      payload: { link: id, expires_at: expires_at.toISOString() },
    })
    const { rows } = await sql<LinkRow>`${selectLinks(ctx)} where l.id = ${id}`.execute(ctx.db)
    // Chats fetch the path for their preview. The code, which opens the page, is in the fragment, which no server receives.
    return { ...toPublicLink(rows[0]!), url: `${publicUrl}/shared/${preview}#${code}` }
  })

/** Revoking a link that ended already changes nothing. */
export const revokePublicLink = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'links.manage')
    const { rows } = await sql<LinkRow>`
      ${selectLinks(ctx)} where l.id = ${id} and ${visibleTo(ctx.actor)} for update of l`.execute(ctx.db)
    const [link] = rows
    if (!link) throw notFound('public link', id)
    if (link.revoked_at !== null) return
    await sql`update public_links set revoked_at = ${ctx.now}::timestamptz where id = ${id}`.execute(ctx.db)
    await recordEvent(ctx, {
      kind: 'public_link_revoked',
      resource: { id: link.resource_id, type: link.entity_type, title: link.title },
      payload: { link: id },
    })
  })

const getSharedResource = async (ctx: Context, id: string) => {
  const resource = await getResource(ctx, id)
  if (!SHARED_TYPES.includes(resource.entity_type))
    throw conflict(translatable('Only documents and glossary terms can have a public link.'))
  return resource
}
