import { isObject, type Settings } from '../../../../connector/src/protocol.ts'
import { getTextCredential, type Source } from '../shared/connector.ts'
import { createProgramConnector, type SourceProgram } from './program-connector.ts'

/** A connector that the operator registered with TABLINUM_CONNECTORS. Only its name comes from the caller, never a command. */
export const registeredConnector = createProgramConnector((source): SourceProgram => {
  const name = getTextCredential(source, 'connector') ?? ''
  const command = source.programs?.get(name)
  if (!command) throw new Error(`No connector "${name}" is registered on this server. ${describeRegistered(source)}`)
  const secrets = parseJsonCredential(source, 'secrets')
  return {
    program: { command },
    settings: { ...parseJsonCredential(source, 'settings'), ...secrets },
    secrets: listTexts(secrets).filter((value) => value.length >= 3),
  }
})

/** The texts in a value, also those in lists and objects of it. */
const listTexts = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
}

const describeRegistered = ({ programs = new Map() }: Source): string =>
  programs.size > 0 ? `Registered: ${[...programs.keys()].join(', ')}.` : 'An operator registers connectors with TABLINUM_CONNECTORS.'

/** Messages never repeat a value. */
const parseJsonCredential = (source: Source, name: string): Settings => {
  const text = getTextCredential(source, name)
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // Not JSON: the same error.
  }
  throw new Error(`The ${name} of this integration must be a JSON object such as {"url": "https://example.com"}.`)
}
