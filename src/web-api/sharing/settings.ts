import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { diffFields } from '../../platform/history/diff.ts'
import { recordActivity } from '../../platform/history/record.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import type { SharingSettings, SharingSettingsEdit } from './schema.ts'

const OFF: SharingSettings = { embed_origins: [], public_links: false, link_previews: false }

/** Read for every use, so that turning it off takes effect in all processes at once. */
export const readSharingSettings = async (ctx: Context): Promise<SharingSettings> => {
  const { rows } = await sql<SharingSettings>`
    select s.embed_origins, s.public_links, s.link_previews from sharing_settings s`.execute(ctx.db, ctx.limits)
  return rows[0] ?? OFF
}

/** Without `link_previews`, previews are off: clients of earlier versions do not know the setting. */
export const setSharingSettings = (
  ctx: Context,
  { embed_origins, public_links, link_previews = false }: SharingSettingsEdit,
): Promise<SharingSettings> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'server.manage')
    const after = { embed_origins: [...new Set(embed_origins.map(parseOrigin))], public_links, link_previews }
    await sql`lock table sharing_settings in share row exclusive mode`.execute(ctx.db)
    const before = await readSharingSettings(ctx)
    const changes = diffFields(before, after, Object.keys(after))
    if (changes.length === 0) return before
    await sql`
      insert into sharing_settings (embed_origins, public_links, link_previews, updated_at)
      values (${after.embed_origins}::text[], ${String(public_links)}::text::boolean, ${String(link_previews)}::text::boolean, ${ctx.now}::timestamptz)
      on conflict (id) do update set embed_origins = excluded.embed_origins, public_links = excluded.public_links,
        link_previews = excluded.link_previews, updated_at = excluded.updated_at`.execute(ctx.db)
    await recordActivity(ctx, { activity_type: 'sharing_settings_updated', resource_type: 'sharing_settings', changes })
    return after
  })

/** One origin, without a path: what a Content-Security-Policy takes, and nothing that could end its directive. */
const ORIGIN = /^https?:\/\/(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?::\d{1,5})?$/

const parseOrigin = (text: string): string => {
  const origin = text.trim().toLowerCase().replace(/\/$/, '')
  if (!ORIGIN.test(origin) || !URL.canParse(origin))
    throw invalid({ embed_origins: [translatable('must be origins such as https://wiki.example.com, without a path.')] })
  return origin
}
