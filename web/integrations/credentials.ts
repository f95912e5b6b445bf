import type { CredentialField, Integration } from './queries.ts'

/** What somebody has typed into the form of a source: text, or a tick. */
export type Typed = Readonly<Record<string, string | boolean>>

/** What the form begins with. Secrets never come out, so their fields are empty. */
export const firstTyped = (fields: readonly CredentialField[], integration?: Integration): Typed =>
  Object.fromEntries(
    fields.map(({ name, kind, secret, default: usual }) => {
      const value = secret ? undefined : integration ? integration.connection?.[name] : usual
      return [name, kind === 'boolean' ? value === true : String(value ?? '')]
    }),
  )

type Value = string | number | boolean | null

const sent = ({ kind }: CredentialField, typed: string | boolean): Value => {
  if (typeof typed === 'boolean') return typed
  const text = typed.trim()
  if (text === '') return null
  const number = Number(text)
  return kind === 'number' && Number.isFinite(number) ? number : text // the server says what is wrong with another
}

/** Whether what is typed would send the secrets elsewhere, or protect them otherwise: then the server wants them again. */
export const changesDestination = (fields: readonly CredentialField[], typed: Typed, before: Typed): boolean =>
  fields.some(({ name, destination }) => destination && typed[name] !== before[name])

/** The credentials to send: only what differs from how the form began. An empty secret stays as it is. */
export const credentialsOf = (fields: readonly CredentialField[], typed: Typed, before?: Typed): Record<string, Value> => {
  const entries = fields.flatMap((field): [string, Value][] => {
    const now = typed[field.name]!
    if (before ? now === before[field.name] : now === '') return []
    return [[field.name, sent(field, now)]]
  })
  return Object.fromEntries(entries)
}
