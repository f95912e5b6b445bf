import { sql } from 'kysely'
import type { Context } from '../context/context.ts'
import { type SealedSecret, sealSecret, unsealSecret } from '../secrets/sealed-secret.ts'

/** Called at start: encrypts secrets of older keys with the current key. Returns a warning if some cannot be decrypted. */
export const resealServerSettings = async (ctx: Context): Promise<string | undefined> => {
  const { rows } = await sql<SealedSecret & { id: string; service: string }>`
    select s.id, s.service, s.secret, s.secret_key from server_settings s where s.secret is not null order by s.service`.execute(ctx.db)
  if (rows.length === 0) return undefined
  const [first] = await ctx.runtime.keyring.keys()
  const lost: string[] = []
  for (const { id, service, secret, secret_key } of rows.filter((row) => row.secret_key !== first!.id)) {
    const text = await unsealSecret(ctx, id, secret)
    if (text === undefined) {
      lost.push(service)
      continue
    }
    const renewed = await sealSecret(ctx, id, text)
    await sql`
      update server_settings set secret = ${renewed.secret}, secret_key = ${renewed.secret_key}
      where id = ${id} and secret_key = ${secret_key}`.execute(ctx.db)
  }
  return lost.length === 0
    ? undefined
    : `The server settings of ${lost.join(', ')} were encrypted with a different key. Set TABLINUM_SECRET_KEY to its previous value, or enter the secrets again under Settings → This server.`
}
