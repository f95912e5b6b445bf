import { type Selectable, sql } from 'kysely'
import type { Context } from '../context/context.ts'
import type { ServerSettingsTable } from '../db/tables/access.ts'
import { sealSecret, unsealSecret } from '../secrets/sealed-secret.ts'
import type { Service } from './schema.ts'

/** Settings of a service as an admin saved them. */
export interface StoredSettings {
  readonly id: string
  readonly config: Readonly<Record<string, unknown>>
  /** Null: none. Undefined: no key of this process can decrypt it. */
  readonly secret: string | null | undefined
  readonly updated_at: string
}

type Row = Selectable<ServerSettingsTable> & { readonly service: Service; readonly config: Record<string, unknown> }

export const readStoredSettings = async (ctx: Context): Promise<Partial<Record<Service, StoredSettings>>> => {
  const { rows } = await sql<Row>`select s.* from server_settings s`.execute(ctx.db)
  const entries = rows.map(async ({ id, service, config, secret, updated_at }) => {
    // Without a usable key, everything else must still work.
    const opened = secret === null ? null : await unsealSecret(ctx, id, secret).catch(() => undefined)
    return [service, { id, config, secret: opened, updated_at }] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Two first saves must not both insert. */
export const lockStoredSettings = (ctx: Context) => sql`lock table server_settings in share row exclusive mode`.execute(ctx.db)

export const writeStoredSettings = async (
  ctx: Context,
  service: Service,
  { id, config, secret }: Pick<StoredSettings, 'id' | 'config'> & { readonly secret: string | null },
): Promise<void> => {
  const sealed = secret === null ? { secret: null, secret_key: null } : await sealSecret(ctx, id, secret)
  await sql`
    insert into server_settings as s (id, service, config, secret, secret_key, created_at, updated_at)
    values (${id}, ${service}, ${JSON.stringify(config)}::text::jsonb, ${sealed.secret}, ${sealed.secret_key},
      ${ctx.now}::timestamptz, ${ctx.now}::timestamptz)
    on conflict (service) do update set config = excluded.config, secret = excluded.secret, secret_key = excluded.secret_key,
      updated_at = greatest(excluded.updated_at, s.updated_at + interval '1 millisecond')
  `.execute(ctx.db)
}

export const deleteStoredSettings = (ctx: Context, service: Service) =>
  sql`delete from server_settings where service = ${service}`.execute(ctx.db)
