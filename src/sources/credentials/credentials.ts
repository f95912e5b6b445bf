import { invalid } from '../../platform/core/errors.ts'
import { type Translatable, translatable } from '../../platform/core/translatable.ts'
import type { CredentialField } from './fields.ts'
import type { IntegrationType } from './integration-type.ts'

/** How an integration connects to its source. Pure functions: apply a change, and separate secret from public fields. */
export type Credentials = Readonly<Record<string, string | number | boolean>>
/** As sent by a caller: null clears a field, an absent field is unchanged. */
export type CredentialsInput = Readonly<Record<string, string | number | boolean | null | undefined>>

const MAX_VALUE_LENGTH = 1_000
const MAX_PORT = 65_535

/** Checks each field against those of this type, so that no unknown field reaches a driver. Messages never repeat a value. */
export const assertCredentialFields = (type: IntegrationType, input: CredentialsInput): void => {
  const errors: Record<string, [string | Translatable]> = {}
  for (const [name, value] of Object.entries(input)) {
    if (value === null || value === undefined) continue
    const field = type.fields.find((each) => each.name === name)
    const problem = field ? findFieldProblem(field, value) : describeUnknownField(type)
    if (problem) errors[`credentials.${name}`] = [problem]
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

const describeUnknownField = ({ label, fields }: IntegrationType): string | Translatable =>
  fields.length === 0
    ? translatable('{label} is a push integration: there is nothing to connect to.', { label })
    : `Unknown field. ${label} accepts ${fields.map(({ name }) => name).join(', ')}.`

const findFieldProblem = (
  { name, kind, multiline }: CredentialField,
  value: string | number | boolean,
): string | Translatable | undefined => {
  if (kind === 'number')
    return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_PORT
      ? undefined
      : translatable('must be a whole number from {min} to {max}.', { min: 1, max: String(MAX_PORT) })
  if (kind === 'boolean') return typeof value === 'boolean' ? undefined : 'must be true or false.'
  if (typeof value !== 'string') return 'must be text.'
  if (value === '') return translatable('must not be empty.')
  if (multiline) return undefined
  if (value.length > MAX_VALUE_LENGTH) return translatable('must not be longer than {max} characters.', { max: MAX_VALUE_LENGTH })
  if (/[\u0000-\u001f\u007f]/.test(value)) return translatable('must be a single line.')
  return name === 'host' && /[\s/@?#]/.test(value) ? translatable('must be a host name or IP address only.') : undefined
}

/** Fields the type does not have are dropped: when an integration changes type, it keeps the fields both types have. */
export const applyCredentials = (type: IntegrationType, before: Credentials, input: CredentialsInput | null | undefined): Credentials => {
  const merged = input === null ? {} : { ...before, ...input }
  return Object.fromEntries(
    type.fields.flatMap(({ name }) => {
      const value = (merged as CredentialsInput)[name]
      return value === undefined || value === null ? [] : [[name, value]]
    }),
  )
}

/** No credentials at all are fine (the source is not connected yet), an incomplete set is not. */
export const assertCredentialsComplete = (type: IntegrationType, credentials: Credentials): void => {
  if (Object.keys(credentials).length === 0) return
  const missing = type.fields.filter(({ name, required }) => required && credentials[name] === undefined)
  if (missing.length > 0)
    throw invalid(Object.fromEntries(missing.map(({ name }) => [`credentials.${name}`, [translatable('is required.')]])))
}

/**
 * Secrets are only sent where they were entered for: changing the host or the connection security requires entering or clearing the secrets.
 * Otherwise anyone who can edit an integration could have its secrets sent to a host of their own.
 */
export const requireSecretsForNewDestination = (
  type: IntegrationType,
  before: { readonly type: string; readonly credentials: Credentials },
  after: Credentials,
  keptSecrets: readonly string[],
): void => {
  if (keptSecrets.length === 0) return
  const changed = type.fields.filter(
    ({ name, destination, default: defaultValue }) =>
      destination && (before.credentials[name] ?? defaultValue) !== (after[name] ?? defaultValue),
  )
  const [what] = before.type === type.type ? changed.map(({ name }) => name) : ['type']
  if (what === undefined) return
  throw invalid(
    Object.fromEntries(
      keptSecrets.map((name) => [
        `credentials.${name}`,
        [translatable('must be entered again because {what} changes. Stored secrets are never sent to a new destination.', { what })],
      ]),
    ),
  )
}

const isSecret = (type: IntegrationType, name: string): boolean => type.fields.find((field) => field.name === name)?.secret ?? true

const filterFields = (type: IntegrationType, credentials: Credentials, secret: boolean): Credentials =>
  Object.fromEntries(Object.entries(credentials).filter(([name]) => isSecret(type, name) === secret))
export const getPublicCredentials = (type: IntegrationType, credentials: Credentials): Credentials => filterFields(type, credentials, false)
export const getSecretCredentials = (type: IntegrationType, credentials: Credentials): Credentials => filterFields(type, credentials, true)

/** Error messages of a source can repeat credentials: removes them before the text is stored or shown. */
export const redactSecrets = (text: string, type: IntegrationType, credentials: Credentials): string =>
  Object.values(getSecretCredentials(type, credentials))
    .map(String)
    .filter((secret) => secret.length >= 3)
    .sort((a, b) => b.length - a.length)
    .reduce((clean, secret) => clean.replaceAll(secret, '•••').replaceAll(encodeURIComponent(secret), '•••'), text)
