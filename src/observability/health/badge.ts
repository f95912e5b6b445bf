import { findHealth } from '../../catalog/listing/health.ts'
import type { HealthStatus } from '../../catalog/records/health.ts'
import { findUserActor } from '../../platform/authentication/actors.ts'
import type { Context } from '../../platform/context/context.ts'
import { notFound, permissionDenied } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { isSigned, sign } from '../../platform/secrets/signed-url.ts'

/**
 * A badge shows the status as the creator of its link sees it, without a name. The link needs no token and does not expire: it ends when its
 * creator loses access, or the server's secret changes.
 */
const PURPOSE = 'tablinum badge links'

/** The path of the badge, below the host. */
export const createBadgePath = async (ctx: Context, id: string): Promise<string> => {
  const { user_id } = ctx.actor
  if (user_id === null) throw permissionDenied('Only users can create badge links, and this token belongs to no user.')
  if (!(await findHealth(ctx, [id])).has(id)) throw notFound('resource', id)
  return `/api/v1/resource/all/${id}/badge.svg?by=${user_id}&signature=${await sign(ctx, PURPOSE, `${id} ${user_id}`)}`
}

export const renderSignedBadge = async (
  ctx: Context,
  id: string,
  { by, signature }: { by: string; signature: string },
): Promise<string> => {
  const user_id = parseId(by)
  if (!user_id || !(await isSigned(ctx, PURPOSE, `${id} ${user_id}`, signature))) throw notFound('badge')
  const actor = await findUserActor(ctx.db, user_id)
  const status = actor && (await findHealth({ ...ctx, actor }, [id])).get(id)
  if (!status) throw notFound('badge')
  return drawBadge(status)
}

const LABELS: Readonly<Record<HealthStatus, { readonly text: string; readonly color: string; readonly width: number }>> = {
  incident: { text: 'incident', color: '#b42318', width: 62 },
  warning: { text: 'warning', color: '#8a5a00', width: 62 },
  ok: { text: 'ok', color: '#176b3a', width: 30 },
  unknown: { text: 'unknown', color: '#5b6472', width: 64 },
}
const LABEL_WIDTH = 46

const drawBadge = (status: HealthStatus): string => {
  const { text, color, width } = LABELS[status]
  const total = LABEL_WIDTH + width
  const label = `Health: ${text}`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${total}" height="20" role="img" aria-label="${label}"><title>${label}</title>
<clipPath id="r"><rect width="${total}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="${LABEL_WIDTH}" height="20" fill="#3b4350"/><rect x="${LABEL_WIDTH}" width="${width}" height="20" fill="${color}"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="${LABEL_WIDTH / 2}" y="14">health</text><text x="${LABEL_WIDTH + width / 2}" y="14">${text}</text></g>
</svg>`
}
