import { sql } from 'kysely'
import { findHealth } from '../../catalog/listing/health.ts'
import { getResource } from '../../catalog/listing/read.ts'
import type { HealthStatus } from '../../catalog/records/health.ts'
import { findUserActor } from '../../platform/authentication/actors.ts'
import type { Context } from '../../platform/context/context.ts'
import { conflict, notFound, permissionDenied } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { can, visibleTo } from '../../platform/permissions/permissions.ts'
import { isSigned, sign } from '../../platform/secrets/signed-url.ts'
import { findNames } from '../pages/names.ts'
import { type CardData, renderCard } from './render-card.ts'
import type { CardQuery } from './schema.ts'
import { readSharingSettings } from './settings.ts'

/**
 * A card of a table for pages of other sites, as the creator of its link sees the table. Like a badge, the link needs no token: it ends when
 * its creator can no longer see or edit the table, when no origin is allowed any more, or when the server's secret changes.
 */
const PURPOSE = 'tablinum card links'

/** The path of the card, below the host. */
export const createCardPath = async (ctx: Context, id: string): Promise<string> => {
  const { user_id } = ctx.actor
  if (user_id === null) throw permissionDenied('Only users can create links of cards, and this token belongs to no user.')
  await getResource(ctx, id, 'table')
  if ((await readSharingSettings(ctx)).embed_origins.length === 0)
    throw conflict(translatable('No other site may show cards yet. An admin can allow origins under Settings → This server.'))
  return `/api/v1/resource/all/${id}/card.html?by=${user_id}&card_signature=${await sign(ctx, PURPOSE, `${id} ${user_id}`)}`
}

export interface SignedCard {
  readonly html: string
  /** The only pages that may show it in a frame. */
  readonly origins: readonly string[]
}

export const renderSignedCard = async (
  ctx: Context,
  id: string,
  { by, card_signature, lang }: CardQuery,
  publicUrl: string,
): Promise<SignedCard> => {
  const user_id = parseId(by)
  if (!user_id || !(await isSigned(ctx, PURPOSE, `${id} ${user_id}`, card_signature))) throw notFound('card')
  const { embed_origins: origins } = await readSharingSettings(ctx)
  const actor = await findUserActor(ctx.db, user_id)
  if (origins.length === 0 || !actor || !can(actor, 'catalog.write')) throw notFound('card')
  const card = await readCard({ ...ctx, actor }, id)
  return { html: renderCard(card, { lang: lang ?? 'en', url: `${publicUrl}/r/${id}` }), origins }
}

const MAX_COLUMNS = 100

const readCard = async (ctx: Context, id: string): Promise<CardData> => {
  const table = await getResource(ctx, id, 'table').catch(() => Promise.reject(notFound('card')))
  const owners = [...(table.owners ?? []), ...(table.owners_groups ?? [])]
  const [health, names, columns] = await Promise.all([
    findHealth(ctx, [id]),
    findNames(ctx, owners, owners),
    sql<CardData['columns'][number]>`
      select r.title, r.native_type, r.description from resources r
      where r.parent = ${id} and r.entity_type = 'column' and not r.stale and ${visibleTo(ctx.actor)}
      order by case when jsonb_typeof(r.details -> 'sort_order') = 'number' then (r.details ->> 'sort_order')::float8 end, r.id limit ${MAX_COLUMNS + 1}
    `.execute(ctx.db, ctx.limits),
  ])
  return {
    title: table.title,
    description: table.description ?? null,
    health: (health.get(id) ?? 'unknown') as HealthStatus,
    verified: table.verified === true,
    deprecated: Boolean(table.deprecation),
    // A person without a name is shown by their e-mail address, which is not for other sites.
    owners: owners.flatMap((owner) => names[owner]?.name.split('@')[0] ?? []),
    columns: columns.rows.slice(0, MAX_COLUMNS),
    more: columns.rows.length > MAX_COLUMNS,
  }
}
