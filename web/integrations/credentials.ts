import type { CredentialField, Integration } from './queries.ts'

/** Unsaved values of the credential form: text, or a checkbox. */
export type CredentialDraft = Readonly<Record<string, string | boolean>>

/** Initial form values. The API never returns secrets, so their fields are empty. */
export const initialCredentialDraft = (fields: readonly CredentialField[], integration?: Integration): CredentialDraft =>
  Object.fromEntries(
    fields.map(({ name, kind, secret, default: usual }) => {
      const value = secret ? undefined : integration ? integration.connection?.[name] : usual
      return [name, kind === 'boolean' ? value === true : String(value ?? '')]
    }),
  )

type CredentialValue = string | number | boolean | null

const toCredentialValue = ({ kind }: CredentialField, typed: string | boolean): CredentialValue => {
  if (typeof typed === 'boolean') return typed
  const text = typed.trim()
  if (text === '') return null
  const number = Number(text)
  return kind === 'number' && Number.isFinite(number) ? number : text // the server rejects anything else with an error for this field
}

/** Whether the draft would send the secrets to another host or with other protection: then the server requires them again. */
export const changesDestination = (fields: readonly CredentialField[], typed: CredentialDraft, before: CredentialDraft): boolean =>
  fields.some(({ name, destination }) => destination && typed[name] !== before[name])

/** The credentials to send: only changed fields. An empty secret field leaves the stored secret unchanged. */
export const toCredentials = (
  fields: readonly CredentialField[],
  typed: CredentialDraft,
  before?: CredentialDraft,
): Record<string, CredentialValue> => {
  const entries = fields.flatMap((field): [string, CredentialValue][] => {
    const now = typed[field.name]!
    if (before ? now === before[field.name] : now === '') return []
    return [[field.name, toCredentialValue(field, now)]]
  })
  return Object.fromEntries(entries)
}
