import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { ApiError, conflict, invalid, notFound } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { recordEvent } from '../../platform/history/events.ts'
import { requirePermission, visibleTo } from '../../platform/permissions/permissions.ts'
import { lockVisibleRows } from '../records/visible-rows.ts'
import { detectMediaType } from './media-types.ts'
import type { Attachment } from './schema.ts'

/** Images and files of resources, stored in the database: they are in its backups and its transactions. */
export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024
const MAX_PER_RESOURCE = 500
const MAX_WORKSPACE_BYTES = 5 * 1024 ** 3

const COLUMNS = sql`a.id, a.resource_id, a.name, a.media_type, a.byte_size, a.created_at, a.created_by`
type AttachmentRow = Omit<Attachment, 'url'>
const toRecord = (row: AttachmentRow): Attachment => ({ ...row, url: `/api/v1/attachment/${row.id}` })

export const uploadAttachment = (
  ctx: Context,
  resource_id: string,
  { name: given, content }: { readonly name: string; readonly content: Buffer },
  transaction: typeof inTransaction = inTransaction,
): Promise<Attachment> => {
  const name = cleanName(given)
  if (content.length === 0) throw invalid({ body: [translatable('is empty.')] })
  const media = detectMediaType(content)
  if (!media)
    throw new ApiError(
      'unsupported_media_type',
      translatable(
        'This type of file is not allowed. Allowed are images (PNG, JPEG, GIF, WebP, AVIF, SVG), PDF, Office documents, ZIP and text.',
      ),
    )
  return transaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    const resource = (await lockVisibleRows(ctx, [resource_id])).get(resource_id)
    if (!resource) throw notFound('resource', resource_id)
    await assertFits(ctx, resource_id, content.length)
    const row: AttachmentRow = {
      id: newId(),
      resource_id,
      name,
      media_type: media.type,
      byte_size: content.length,
      created_at: ctx.now.toISOString(),
      created_by: ctx.actor.user_id,
    }
    const sha256 = createHash('sha256').update(content).digest('base64url')
    await ctx.db
      .insertInto('attachments')
      .values({ ...row, created_at: ctx.now, sha256, content })
      .execute()
    await recordEvent(ctx, { kind: 'attachment_uploaded', resource: toEventResource(resource), payload: toPayload(row) })
    return toRecord(row)
  })
}

/** No path and no characters that could end a header or change the direction of the text. */
const cleanName = (given: string): string => {
  const name = given
    .slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .trim()
  if (name === '') throw invalid({ name: [translatable('must not be empty.')] })
  return name
}

const assertFits = async (ctx: Context, resource_id: string, size: number): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('attachments', 0))`.execute(ctx.db) // so that uploads do not exceed the limits together
  const { rows } = await sql<{ mine: number; bytes: number }>`
    select count(*) filter (where a.resource_id = ${resource_id}) as mine, coalesce(sum(a.byte_size), 0)::float8 as bytes from attachments a`.execute(
    ctx.db,
  )
  if (rows[0]!.mine >= MAX_PER_RESOURCE)
    throw conflict(translatable('The limit of {max} attachments of a resource is reached. Delete one first.', { max: MAX_PER_RESOURCE }))
  if (rows[0]!.bytes + size > MAX_WORKSPACE_BYTES)
    throw conflict(
      translatable('The limit of {max} GB of attachments is reached. Delete some first.', { max: MAX_WORKSPACE_BYTES / 1024 ** 3 }),
    )
}

export const listAttachments = async (ctx: Context, resource_id: string): Promise<Attachment[]> => {
  const { rows } = await sql<AttachmentRow & { id: string | null }>`
    select ${COLUMNS} from resources r left join attachments a on a.resource_id = r.id
    where r.id = ${resource_id} and ${visibleTo(ctx.actor)} order by a.created_at, a.id`.execute(ctx.db)
  if (rows.length === 0) throw notFound('resource', resource_id)
  return rows.filter(({ id }) => id !== null).map(toRecord)
}

export interface AttachmentFile extends Pick<AttachmentRow, 'name' | 'media_type'> {
  readonly sha256: string
  /** Absent if the caller has it already. */
  readonly content?: Buffer
}

/** The file, for everyone who can see its resource. `resource_id`: only of this one. */
export const readAttachment = async (
  ctx: Context,
  id: string,
  isKnown: (sha256: string) => boolean,
  resource_id?: string,
): Promise<AttachmentFile> => {
  const { rows } = await sql<Omit<AttachmentFile, 'content'>>`
    select a.name, a.media_type, a.sha256 from attachments a join resources r on r.id = a.resource_id
    where a.id = ${id} and ${resource_id === undefined ? sql`true` : sql`r.id = ${resource_id}`} and ${visibleTo(ctx.actor)}`.execute(
    ctx.db,
  )
  const [file] = rows
  if (!file) throw notFound('attachment', id)
  if (isKnown(file.sha256)) return file
  const row = await ctx.db.selectFrom('attachments').select('content').where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('attachment', id)
  return { ...file, content: row.content }
}

export const deleteAttachment = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    const { rows } = await sql<AttachmentRow>`select ${COLUMNS} from attachments a where a.id = ${id} for update`.execute(ctx.db)
    const resource = rows[0] && (await lockVisibleRows(ctx, [rows[0].resource_id])).get(rows[0].resource_id)
    if (!resource) throw notFound('attachment', id)
    await ctx.db.deleteFrom('attachments').where('id', '=', id).execute()
    await recordEvent(ctx, { kind: 'attachment_deleted', resource: toEventResource(resource), payload: toPayload(rows[0]!) })
  })

const toEventResource = ({
  id,
  entity_type,
  title,
  icon,
  integration,
}: {
  id: string
  entity_type: string
  title: string
  icon: string | null
  integration: string | null
}) => ({
  id,
  type: entity_type,
  title,
  icon,
  integration_id: integration,
})

const toPayload = ({ id, name, media_type, byte_size }: AttachmentRow) => ({ attachment: id, name, media_type, byte_size })
