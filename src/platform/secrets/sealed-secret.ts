import type { Context } from '../context/context.ts'
import { seal, unseal } from './seal.ts'

/** Secrets of receivers (webhooks, notification channels), encrypted per row with the same keys as the credentials of integrations. */
export interface SealedSecret {
  readonly secret: Buffer
  readonly secret_key: string
}

export const sealSecret = async (ctx: Context, id: string, secret: string): Promise<SealedSecret> => {
  const [key] = await ctx.runtime.keyring.keys()
  return { secret: seal(key!, id, secret), secret_key: key!.id }
}

/** Undefined if no key of this process can decrypt it. */
export const unsealSecret = async (ctx: Context, id: string, sealed: Buffer): Promise<string | undefined> => {
  for (const key of await ctx.runtime.keyring.keys()) {
    const text = unseal(key, id, sealed)
    if (text !== undefined) return text
  }
  return undefined
}
