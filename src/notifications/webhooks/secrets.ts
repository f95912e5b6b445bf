import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { type SealedSecret, sealSecret, unsealSecret } from '../../platform/secrets/sealed-secret.ts'

/** Called at start: encrypts secrets of older keys with the current key. Returns a warning if some cannot be decrypted. */
export const resealWebhookSecrets = async (ctx: Context): Promise<string | undefined> => {
  const { rows } = await sql<SealedSecret & { id: string; old_secret: Buffer | null }>`
    select w.id, w.secret, w.secret_key, w.old_secret from webhooks w order by w.id
  `.execute(ctx.db)
  if (rows.length === 0) return undefined
  const [first] = await ctx.runtime.keyring.keys()
  let lost = 0
  for (const { id, secret, secret_key, old_secret } of rows.filter((row) => row.secret_key !== first!.id)) {
    const text = await unsealSecret(ctx, id, secret)
    if (text === undefined) lost += 1
    else {
      const renewed = await sealSecret(ctx, id, text)
      // The previous secret may still be valid for signing.
      const old = old_secret && (await unsealSecret(ctx, id, old_secret))
      const renewedOld = old ? (await sealSecret(ctx, id, old)).secret : null
      await sql`
        update webhooks set secret = ${renewed.secret}, secret_key = ${renewed.secret_key}, old_secret = ${renewedOld}::bytea,
          old_secret_until = case when ${renewedOld}::bytea is not null then old_secret_until end
        where id = ${id} and secret_key = ${secret_key}
      `.execute(ctx.db)
    }
  }
  return lost === 0
    ? undefined
    : `The secrets of ${lost} of ${rows.length} webhooks were encrypted with a different key. Set TABLINUM_SECRET_KEY to its previous value, or rotate their secrets.`
}
