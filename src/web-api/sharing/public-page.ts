import { type RawBuilder, sql } from 'kysely'
import { type AttachmentFile, listAttachments, readAttachment } from '../../catalog/attachments/attachments.ts'
import { findHealth } from '../../catalog/listing/health.ts'
import { getResource } from '../../catalog/listing/read.ts'
import type { Resource } from '../../catalog/records/schema.ts'
import { findUserActor } from '../../platform/authentication/actors.ts'
import { hashToken } from '../../platform/authentication/token-hash.ts'
import type { Context } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { can } from '../../platform/permissions/permissions.ts'
import { isSigned, sign } from '../../platform/secrets/signed-url.ts'
import { withPublicAttachments } from './public-attachments.ts'
import type { PublicPage } from './schema.ts'
import { readSharingSettings } from './settings.ts'

/**
 * What a public link shows, as its creator sees it now: the link ends when they may no longer create it. Whatever is wrong with a link, the answer
 * is the same.
 */
const PURPOSE = 'tablinum public files'

export interface SharedPage {
  readonly link: string
  /** The context of the creator of the link. */
  readonly reader: Context
  readonly resource: Resource
}

/** `condition` finds one link `l`. */
export const getSharedPage = async (ctx: Context, condition: RawBuilder<unknown>): Promise<SharedPage> => {
  const { rows } = await sql<{ id: string; resource_id: string; created_by: string }>`
    select l.id, l.resource_id, l.created_by from public_links l
    where ${condition} and l.revoked_at is null and l.expires_at > ${ctx.now}::timestamptz`.execute(ctx.db, ctx.limits)
  const [link] = rows
  const actor = link && (await findUserActor(ctx.db, link.created_by))
  const { public_links } = await readSharingSettings(ctx)
  if (!link || !actor || !public_links || !can(actor, 'links.manage')) throw notFound('page')
  const reader = { ...ctx, actor }
  const resource = await getResource(reader, link.resource_id).catch(() => Promise.reject(notFound('page')))
  return { link: link.id, reader, resource }
}

export const openPublicLink = async (ctx: Context, code: string, publicUrl: string): Promise<PublicPage> => {
  const { link, reader, resource } = await getSharedPage(ctx, sql`l.hash = ${hashToken(code)}`)
  const allowed = await listShownAttachments(reader, resource)
  const addresses = new Map(await Promise.all(allowed.map(async (id) => [id, await signFile(ctx, link, id)] as const)))
  const show = (text: string | null | undefined) => (text ? withPublicAttachments(text, publicUrl, addresses) : null)
  return {
    title: resource.title,
    entity_type: resource.entity_type as PublicPage['entity_type'],
    description: show(resource.description),
    definition: show(resource.definition),
    ...(await readHealth(reader, resource)),
    updated_at: resource.updated_at,
  }
}

export const readHealth = async (reader: Context, { id, deprecation }: Resource) => ({
  health: (await findHealth(reader, [id])).get(id) ?? ('unknown' as const),
  deprecated: Boolean(deprecation),
})

/** The attachments of the resource that its texts refer to. */
const listShownAttachments = async (reader: Context, resource: Resource): Promise<string[]> => {
  if (!refersTo(resource, '/attachment/')) return []
  const attachments = await listAttachments(reader, resource.id)
  return attachments.map(({ id }) => id).filter((id) => refersTo(resource, id))
}

const refersTo = ({ definition, description }: Resource, text: string): boolean =>
  [definition, description].some((each) => each?.toLowerCase().includes(text))

const signFile = async (ctx: Context, link: string, id: string): Promise<string> =>
  `/api/v1/public_link/${link}/attachment/${id}?file_signature=${await sign(ctx, PURPOSE, `${link} ${id}`)}`

/** An image or file of the page, as long as the link works and the page still shows it. */
export const readPublicAttachment = async (
  ctx: Context,
  { link, attachment, signature }: { readonly link: string; readonly attachment: string; readonly signature: string },
  isKnown: (sha256: string) => boolean,
): Promise<AttachmentFile> => {
  if (!(await isSigned(ctx, PURPOSE, `${link} ${attachment}`, signature))) throw notFound('attachment', attachment)
  const { reader, resource } = await getSharedPage(ctx, sql`l.id = ${link}`)
  if (!refersTo(resource, attachment)) throw notFound('attachment', attachment)
  return readAttachment(reader, attachment, isKnown, resource.id)
}
