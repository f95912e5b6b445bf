import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { seal, unseal } from '../../platform/secrets/seal.ts'
import type { Credentials } from '../credentials/credentials.ts'
import type { IntegrationRow } from './integration-rows.ts'

/** Seals and unseals the secrets of integrations. No other module handles sealed secrets or keys. */
export type Sealed = Pick<IntegrationRow, 'secrets' | 'secrets_key' | 'secret_fields'>
const NO_SECRETS: Sealed = { secrets: null, secrets_key: null, secret_fields: null }

export const sealCredentials = async (ctx: Context, id: string, secrets: Credentials): Promise<Sealed> => {
  const names = Object.keys(secrets)
  if (names.length === 0) return NO_SECRETS
  const [key] = await requireKnownKeys(ctx, id)
  return { secrets: seal(key!, id, JSON.stringify(secrets)), secrets_key: key!.id, secret_fields: names }
}

export const unsealCredentials = async (
  ctx: Context,
  { id, secrets, secrets_key }: Pick<IntegrationRow, 'id' | 'secrets' | 'secrets_key'>,
): Promise<Credentials> => {
  if (!secrets) return {}
  const key = (await ctx.runtime.keyring.keys()).find((each) => each.id === secrets_key)
  const text = key && unseal(key, id, secrets)
  if (text !== undefined) return JSON.parse(text) as Credentials
  throw conflict(
    key
      ? translatable('The secrets of this integration cannot be decrypted because they were encrypted for another one. Set them again.')
      : translatable(
          'The secrets of this integration were encrypted with another key ({key}). Restore the previous TABLINUM_SECRET_KEY, or set the secrets again.',
          { key: secrets_key ?? '' },
        ),
  )
}

/**
 * Two processes with different keys would store secrets the other cannot decrypt. So nothing is sealed while secrets under an unknown key
 * exist, and the check takes a lock so that two processes cannot both be first.
 */
const requireKnownKeys = async (ctx: Context, id: string) => {
  const keys = await ctx.runtime.keyring.keys()
  await sql`select pg_advisory_xact_lock(hashtext('integrations.secrets'))`.execute(ctx.db)
  const { rows } = await sql<{ secrets_key: string }>`
    select i.secrets_key from integrations i
    where i.secrets_key is not null and i.id <> ${id} and i.secrets_key <> all(${keys.map((key) => key.id)}::text[]) limit 1
  `.execute(ctx.db)
  if (rows[0])
    throw conflict(
      translatable(
        'Other integrations have secrets encrypted with a key this process does not have ({key}). Set the same TABLINUM_SECRET_KEY for every process, or clear the credentials of those integrations first.',
        { key: rows[0].secrets_key },
      ),
    )
  return keys
}

/** Runs at startup: secrets sealed with an older key are sealed again with the first one. Returns a warning when some cannot be decrypted. */
export const resealCredentials = async (ctx: Context): Promise<string | undefined> => {
  const { rows: sealed } = await sql<{ id: string; secrets_key: string }>`
    select i.id, i.secrets_key from integrations i where i.secrets_key is not null order by i.id
  `.execute(ctx.db)
  if (sealed.length === 0) return undefined
  const keys = await ctx.runtime.keyring.keys()
  const older = keys.slice(1).map((key) => key.id)
  for (const { id } of sealed.filter(({ secrets_key }) => older.includes(secrets_key))) await resealOne(ctx, id, keys[0]!.id)
  const lost = sealed.filter(({ secrets_key }) => keys.every((key) => key.id !== secrets_key)).length
  return lost === 0
    ? undefined
    : `The secrets of ${lost} of ${sealed.length} integrations were encrypted with a key this process does not have. Restore the previous TABLINUM_SECRET_KEY and set the same value for every process.`
}

const resealOne = (ctx: Context, id: string, first: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const { rows } =
      await sql<IntegrationRow>`select i.* from integrations i where i.id = ${id} and i.secrets_key <> ${first} for no key update`.execute(
        ctx.db,
      )
    const row = rows[0]
    if (!row) return
    const { secrets, secrets_key } = await sealCredentials(ctx, id, await unsealCredentials(ctx, row))
    await ctx.db.updateTable('integrations').set({ secrets, secrets_key }).where('id', '=', id).execute()
  })
