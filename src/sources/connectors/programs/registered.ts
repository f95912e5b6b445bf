import { sql } from 'kysely'
import { isObject, PROTOCOL_VERSION, type Settings } from '../../../../connector/src/protocol.ts'
import { runProgram } from '../../../../connector/src/run.ts'
import { type Connector, type DiscoveryContext, getTextCredential, type Source } from '../shared/connector.ts'
import { createProgramConnector, type SourceProgram } from './program-connector.ts'
import { openProgramQueries } from './program-queries.ts'

/** Only the name of a program comes from the caller, never a command. */
const findProgram = (source: Source): SourceProgram => {
  const name = getTextCredential(source, 'connector') ?? ''
  const command = source.programs?.get(name)
  if (!command) throw new Error(`No connector "${name}" is registered on this server. ${describeRegistered(source)}`)
  const secrets = parseJsonCredential(source, 'secrets')
  return {
    program: { command },
    settings: { ...parseJsonCredential(source, 'settings'), ...secrets },
    secrets: listTexts(secrets).filter((value) => value.length >= 3),
  }
}

const connector = createProgramConnector(findProgram)

/** A connector that the operator registered with TABLINUM_CONNECTORS. It runs queries if it describes itself so. */
export const registeredConnector: Connector = {
  ...connector,
  finish: async (source, context) => {
    const result = await connector.finish!(source, context)
    const dialect = (await findDialect(findProgram(source), context)) ?? null
    await sql`update integrations set sql_dialect = ${dialect} where id = ${source.id} and sql_dialect is distinct from ${dialect}`.execute(
      context.ctx!.db,
    )
    return result
  },
  sql: { open: (source, signal) => openProgramQueries(findProgram(source), source, signal) },
}

const findDialect = async ({ program }: SourceProgram, { signal, log }: DiscoveryContext): Promise<string | undefined> => {
  try {
    for await (const message of runProgram(program, { protocol: PROTOCOL_VERSION, command: 'describe' }, signal))
      if (message.type === 'describe') return message.query?.dialect
  } catch (error) {
    if (signal.aborted) throw error
    await log(`The connector does not describe itself, so that it runs no queries: ${(error as Error).message}`)
  }
  return undefined
}

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
