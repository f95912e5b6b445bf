import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { type SealedSecret, sealSecret, unsealSecret } from '../../platform/secrets/sealed-secret.ts'

/** Called at start: encrypts secrets of older keys with the current key. Returns a warning if some cannot be decrypted. */
export const resealChannelSecrets = async (ctx: Context): Promise<string | undefined> => {
  const { rows } = await sql<SealedSecret & { id: string }>`
    select c.id, c.secret, c.secret_key from notification_channels c where c.secret is not null order by c.id`.execute(ctx.db)
  if (rows.length === 0) return undefined
  const [first] = await ctx.runtime.keyring.keys()
  let lost = 0
  for (const { id, secret, secret_key } of rows.filter((row) => row.secret_key !== first!.id)) {
    const text = await unsealSecret(ctx, id, secret)
    if (text === undefined) {
      lost += 1
      continue
    }
    const renewed = await sealSecret(ctx, id, text)
    await sql`
      update notification_channels set secret = ${renewed.secret}, secret_key = ${renewed.secret_key}
      where id = ${id} and secret_key = ${secret_key}`.execute(ctx.db)
  }
  return lost === 0
    ? undefined
    : `The secrets of ${lost} of ${rows.length} notification channels were encrypted with a different key. Set TABLINUM_SECRET_KEY to its previous value, or enter their keys again.`
}
