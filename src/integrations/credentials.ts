import { type FieldErrors, invalid } from '../errors.ts'
import type { CredentialField, IntegrationType } from './types.ts'

/** How a source is reached. Pure: what a change makes of it, and which part of it is secret. */
export type Credentials = Readonly<Record<string, string | number | boolean>>
/** As a caller sends them: null clears, absent stays. */
export type CredentialsIn = Readonly<Record<string, string | number | boolean | null | undefined>>

const LONGEST = 1_000
const LONGEST_PORT = 65_535

/** Checked field by field against what this type of source takes: nothing else ever reaches a driver. No message repeats a value. */
export const mustFit = (type: IntegrationType, given: CredentialsIn): void => {
  const errors: FieldErrors = {}
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue
    const field = type.fields.find((each) => each.name === name)
    const problem = field ? problemOf(field, value) : notTaken(type)
    if (problem) errors[`credentials.${name}`] = [problem]
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

const notTaken = ({ label, fields }: IntegrationType): string =>
  fields.length === 0
    ? `${label} reports by itself: there is nothing to connect to.`
    : `${label} takes ${fields.map(({ name }) => name).join(', ')}.`

const problemOf = ({ name, kind, multiline }: CredentialField, value: string | number | boolean): string | undefined => {
  if (kind === 'number')
    return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= LONGEST_PORT
      ? undefined
      : `must be a whole number from 1 to ${LONGEST_PORT}.`
  if (kind === 'boolean') return typeof value === 'boolean' ? undefined : 'must be true or false.'
  if (typeof value !== 'string') return 'must be text.'
  if (value === '') return 'must not be empty; null clears it.'
  if (multiline) return undefined
  if (value.length > LONGEST) return `must not have more than ${LONGEST} characters.`
  if (/[\u0000-\u001f\u007f]/.test(value)) return 'must be one line.'
  return name === 'host' && /[\s/@?#]/.test(value) ? 'must be the name or number of a host alone.' : undefined
}

/** What a type has no use for is dropped: an integration that becomes another type keeps what both know. */
export const applyCredentials = (type: IntegrationType, before: Credentials, given: CredentialsIn | null | undefined): Credentials => {
  const kept = given === null ? {} : { ...before, ...given }
  return Object.fromEntries(
    type.fields.flatMap(({ name }) => {
      const value = (kept as CredentialsIn)[name]
      return value === undefined || value === null ? [] : [[name, value]]
    }),
  )
}

/** None at all is fine: then the source cannot be reached yet. Half of them is a mistake. */
export const mustBeWhole = (type: IntegrationType, credentials: Credentials): void => {
  if (Object.keys(credentials).length === 0) return
  const missing = type.fields.filter(({ name, required }) => required && credentials[name] === undefined)
  if (missing.length > 0) throw invalid(Object.fromEntries(missing.map(({ name }) => [`credentials.${name}`, ['is required.']])))
}

/**
 * A secret goes only where it was meant for: who changes where a source is, or how its connection is protected, gives its secrets again or clears
 * them. Else whoever may edit an integration could have its secrets sent to a host of theirs.
 */
export const mustKeepDestination = (
  type: IntegrationType,
  before: { readonly type: string; readonly credentials: Credentials },
  after: Credentials,
  kept: readonly string[],
): void => {
  if (kept.length === 0) return
  const changed = type.fields.filter(
    ({ name, destination, default: usual }) => destination && (before.credentials[name] ?? usual) !== (after[name] ?? usual),
  )
  const [what] = before.type === type.type ? changed.map(({ name }) => name) : ['type']
  if (what === undefined) return
  throw invalid(
    Object.fromEntries(
      kept.map((name) => [
        `credentials.${name}`,
        [`must be given again, because ${what} changes: a stored secret is never sent anywhere else.`],
      ]),
    ),
  )
}

const isSecret = (type: IntegrationType, name: string): boolean => type.fields.find((field) => field.name === name)?.secret ?? true

const part = (type: IntegrationType, credentials: Credentials, secret: boolean): Credentials =>
  Object.fromEntries(Object.entries(credentials).filter(([name]) => isSecret(type, name) === secret))
export const openPart = (type: IntegrationType, credentials: Credentials): Credentials => part(type, credentials, false)
export const secretPart = (type: IntegrationType, credentials: Credentials): Credentials => part(type, credentials, true)

/** A source's own words can repeat what it was told; what we keep of them does not. */
export const withoutSecrets = (text: string, type: IntegrationType, credentials: Credentials): string =>
  Object.values(secretPart(type, credentials))
    .map(String)
    .filter((secret) => secret.length >= 3)
    .sort((a, b) => b.length - a.length)
    .reduce((clean, secret) => clean.replaceAll(secret, '•••').replaceAll(encodeURIComponent(secret), '•••'), text)
