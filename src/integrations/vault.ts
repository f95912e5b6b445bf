import { sql } from 'kysely'
import { type Context, inTransaction } from '../context.ts'
import { conflict } from '../errors.ts'
import type { Credentials } from './credentials.ts'
import { seal, unseal } from './secrets.ts'
import type { IntegrationRow } from './store.ts'

/** Secrets on their way into the database and out of it. Nothing else in the house sees a sealed secret or a key. */
export type Sealed = Pick<IntegrationRow, 'secrets' | 'secrets_key' | 'secret_fields'>
const NOTHING: Sealed = { secrets: null, secrets_key: null, secret_fields: null }

export const sealFor = async (ctx: Context, id: string, secrets: Credentials): Promise<Sealed> => {
  const names = Object.keys(secrets)
  if (names.length === 0) return NOTHING
  const [key] = await mustKnowKeys(ctx, id)
  return { secrets: seal(key!, id, JSON.stringify(secrets)), secrets_key: key!.id, secret_fields: names }
}

export const unsealOf = async (
  ctx: Context,
  { id, secrets, secrets_key }: Pick<IntegrationRow, 'id' | 'secrets' | 'secrets_key'>,
): Promise<Credentials> => {
  if (!secrets) return {}
  const key = (await ctx.runtime.keyring.keys()).find((each) => each.id === secrets_key)
  const text = key && unseal(key, id, secrets)
  if (text !== undefined) return JSON.parse(text) as Credentials
  throw conflict(
    key
      ? 'The secrets of this integration cannot be opened: they were not sealed for it. Set them again.'
      : `The secrets of this integration are sealed with another key (${secrets_key}). Set TABLINUM_SECRET_KEY as it was, or set the secrets again.`,
  )
}

/**
 * Two processes with two keys would each keep secrets the other cannot open. So nothing is sealed beside secrets under a key that is
 * not ours; one at a time, or the first two could both believe to be the first.
 */
const mustKnowKeys = async (ctx: Context, id: string) => {
  const keys = await ctx.runtime.keyring.keys()
  await sql`select pg_advisory_xact_lock(hashtext('integrations.secrets'))`.execute(ctx.db)
  const { rows } = await sql<{ secrets_key: string }>`
    select i.secrets_key from integrations i
    where i.secrets_key is not null and i.id <> ${id} and i.secrets_key <> all(${keys.map((key) => key.id)}::text[]) limit 1
  `.execute(ctx.db)
  if (rows[0])
    throw conflict(
      `Other secrets here are sealed with a key this process does not have (${rows[0].secrets_key}). Give every process the same TABLINUM_SECRET_KEY, or clear the credentials of those integrations first.`,
    )
  return keys
}

/** At start: what an older key of ours sealed is sealed anew with the first one. Answers with a line for people when some cannot be opened. */
export const renewSecrets = async (ctx: Context): Promise<string | undefined> => {
  const { rows: sealed } = await sql<{ id: string; secrets_key: string }>`
    select i.id, i.secrets_key from integrations i where i.secrets_key is not null order by i.id
  `.execute(ctx.db)
  if (sealed.length === 0) return undefined
  const keys = await ctx.runtime.keyring.keys()
  const older = keys.slice(1).map((key) => key.id)
  for (const { id } of sealed.filter(({ secrets_key }) => older.includes(secrets_key))) await renew(ctx, id, keys[0]!.id)
  const lost = sealed.filter(({ secrets_key }) => keys.every((key) => key.id !== secrets_key)).length
  return lost === 0
    ? undefined
    : `The secrets of ${lost} of ${sealed.length} integrations are sealed with a key this process does not have: set TABLINUM_SECRET_KEY as it was, the same for every process.`
}

const renew = (ctx: Context, id: string, first: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const { rows } =
      await sql<IntegrationRow>`select i.* from integrations i where i.id = ${id} and i.secrets_key <> ${first} for no key update`.execute(
        ctx.db,
      )
    const row = rows[0]
    if (!row) return
    const { secrets, secrets_key } = await sealFor(ctx, id, await unsealOf(ctx, row))
    await ctx.db.updateTable('integrations').set({ secrets, secrets_key }).where('id', '=', id).execute()
  })
