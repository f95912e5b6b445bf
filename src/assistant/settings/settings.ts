import { type Selectable, sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/id.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import type { AssistantSettingsTable } from '../../platform/db/tables/assistant.ts'
import { diffFields } from '../../platform/history/diff.ts'
import { type Change, recordActivity } from '../../platform/history/record.ts'
import { findAddressProblem, parseAllowlist } from '../../platform/outbound/address-policy.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { type SealedSecret, sealSecret, unsealSecret } from '../../platform/secrets/sealed-secret.ts'
import type { AssistantSettings, AssistantSettingsEdit, Provider } from './schema.ts'

export type AssistantSettingsRow = Selectable<AssistantSettingsTable> & { readonly provider: Provider }

const DEFAULTS: AssistantSettings = {
  enabled: false,
  provider: 'openai',
  url: 'https://api.openai.com/v1',
  model: '',
  share_values: false,
  tokens_per_day: 500_000,
  cost_per_day: null,
  input_price: null,
  output_price: null,
  timeout_seconds: 60,
  retention_days: 90,
  has_key: false,
  updated_at: null,
}

const FIELDS = [
  'enabled',
  'provider',
  'url',
  'model',
  'share_values',
  'tokens_per_day',
  'cost_per_day',
  'input_price',
  'output_price',
  'timeout_seconds',
  'retention_days',
] as const

export const findSettingsRow = async ({ db }: Pick<Context, 'db'>): Promise<AssistantSettingsRow | undefined> => {
  const { rows } = await sql<AssistantSettingsRow>`select s.* from assistant_settings s`.execute(db)
  return rows[0]
}

export const getAssistantSettings = async (ctx: Context): Promise<AssistantSettings> => {
  const row = await findSettingsRow(ctx)
  if (!row) return DEFAULTS
  const { id: _id, only_row: _only_row, secret, secret_key: _secret_key, created_at: _created_at, ...settings } = row
  return { ...settings, has_key: secret !== null }
}

/** Replaces the settings. A key is stored for one destination: changing the URL or the provider requires it again. */
export const setAssistantSettings = (ctx: Context, { key, ...edit }: AssistantSettingsEdit): Promise<AssistantSettings> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'assistant.manage')
    await sql`lock table assistant_settings in share row exclusive mode`.execute(ctx.db) // two first saves must not both insert
    const before = await findSettingsRow(ctx)
    const after = { ...edit, url: normalizeUrl(ctx, edit.url), model: edit.model.trim() }
    if (after.enabled && after.model === '') throw invalid({ model: ['is required to turn the assistant on.'] })
    if (after.cost_per_day !== null && (after.input_price === null || after.output_price === null))
      throw invalid({ cost_per_day: ['requires input_price and output_price, from which the cost is computed.'] })
    const moves = before !== undefined && (before.url !== after.url || before.provider !== after.provider)
    if (moves && before.secret !== null && key === undefined)
      throw invalid({ key: ['is required to change the URL or the provider: a stored key is never sent to another destination.'] })
    const id = before?.id ?? newId()
    const secret = key === undefined ? {} : key === null ? { secret: null, secret_key: null } : await sealSecret(ctx, id, key.trim())
    const changes: Change[] = [
      ...diffFields(before ?? {}, after, FIELDS),
      ...(key ? [{ field: 'key', from: null, to: null }] : []), // its value is never logged
    ]
    if (before)
      await ctx.db
        .updateTable('assistant_settings')
        .set({ ...after, ...secret, updated_at: nextUpdatedAtSql(ctx.now) })
        .where('id', '=', id)
        .execute()
    else
      await ctx.db
        .insertInto('assistant_settings')
        .values({ id, ...after, ...secret, created_at: ctx.now, updated_at: ctx.now })
        .execute()
    await recordActivity(ctx, {
      activity_type: 'assistant_settings_updated',
      resource_id: id,
      resource_type: 'assistant_settings',
      changes,
    })
    return getAssistantSettings(ctx)
  })

const normalizeUrl = ({ runtime }: Context, text: string): string => {
  const url = text.trim().replace(/\/+$/, '')
  const problem = findAddressProblem(url, parseAllowlist(runtime.webhookAllow))
  if (problem) throw invalid({ url: [problem] })
  if (new URL(url).search || new URL(url).hash) throw invalid({ url: ['must not contain a query or a fragment.'] })
  return url
}

/** The stored key; null if none is needed, undefined if no key of this process can decrypt it. */
export const openKey = async (ctx: Context, { id, secret }: AssistantSettingsRow): Promise<string | null | undefined> =>
  secret === null ? null : unsealSecret(ctx, id, secret)

export const isAssistantEnabled = async (ctx: Context): Promise<boolean> => (await findSettingsRow(ctx))?.enabled ?? false

/** Called at start: encrypts the key of the model with the current key. Returns a warning if it cannot be decrypted. */
export const resealModelKey = async (ctx: Context): Promise<string | undefined> => {
  const { rows } = await sql<SealedSecret & { id: string }>`
    select s.id, s.secret, s.secret_key from assistant_settings s where s.secret is not null`.execute(ctx.db)
  const [row] = rows
  if (!row) return undefined
  const [first] = await ctx.runtime.keyring.keys()
  if (row.secret_key === first!.id) return undefined
  const text = await unsealSecret(ctx, row.id, row.secret)
  if (text === undefined)
    return 'The API key of the language model was encrypted with a different key. Set TABLINUM_SECRET_KEY to its previous value, or enter the API key again.'
  const { secret, secret_key } = await sealSecret(ctx, row.id, text)
  await sql`
    update assistant_settings set secret = ${secret}, secret_key = ${secret_key}
    where id = ${row.id} and secret_key = ${row.secret_key}`.execute(ctx.db)
  return undefined
}
