import { once } from 'node:events'
import { createInterface } from 'node:readline'
import {
  type Command,
  type FlowMessage,
  findSettingProblems,
  type ItemMessage,
  isObject,
  type LineageMessage,
  type Message,
  PROTOCOL_VERSION,
  type Settings,
  type SettingsSchema,
  type UnchangedMessage,
  type UnlistedMessage,
} from './protocol.ts'
import { type QueryDefinition, serveSession } from './serve-session.ts'

/** What a connector gets to do its work. */
export interface RunContext<S = Settings> {
  /** Checked against the schema, with defaults filled in. */
  readonly settings: S
  readonly allowedHosts: readonly string[]
  /** What the last complete discovery saved; undefined in the first one. */
  readonly state: unknown
  /** Versions of the items that need not be reported again if they are the same, by key. */
  readonly versions: ReadonlyMap<string, string>
  /** A line for the log of the sync. */
  log(message: string): Promise<void>
  progress(done: number, total: number): Promise<void>
}

/** What a connector gets to run queries. */
export type QueryContext<S = Settings> = Pick<RunContext<S>, 'settings' | 'allowedHosts'>

/** What `discover` yields. */
export type Discovered =
  | ItemMessage
  | LineageMessage
  | FlowMessage
  | UnchangedMessage
  | UnlistedMessage
  | { readonly type: 'state'; readonly state: unknown }
  /** Only what changed since the saved state was listed: nothing is treated as missing. */
  | { readonly type: 'incremental' }

export interface ConnectorDefinition<S = Settings> {
  readonly name: string
  readonly label: string
  readonly version: string
  readonly settings: SettingsSchema
  readonly grants?: string
  /** Connects once; returns in a sentence what it found. */
  test(context: RunContext<S>): Promise<string>
  /** Everything the source has, parents before their children. */
  discover(context: RunContext<S>): AsyncIterable<Discovered>
  /** For sources with SQL: previews, profiles, monitors and custom SQL run on its tables. */
  readonly query?: QueryDefinition<QueryContext<S>>
}

/** Gives the definition its type; `S` is the type of its settings. */
export const defineConnector = <S = Settings>(definition: ConnectorDefinition<S>): ConnectorDefinition<S> => definition

/** The whole program of a connector: reads one command from standard input, executes it, and sets the exit code. */
export const runConnector = async <S>(connector: ConnectorDefinition<S>): Promise<void> => {
  const output = takeOutput()
  const send = async (...messages: Message[]): Promise<void> => {
    if (!output(messages.map((each) => `${JSON.stringify(each)}\n`).join(''))) await once(process.stdout, 'drain')
  }
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  try {
    const command = await readCommand(lines)
    if (command.command === 'query') await serve(connector, command, lines, { send, output })
    else await execute(connector, command, send)
  } catch (error) {
    await send({ type: 'error', message: (error as Error).message || String(error) })
    process.exitCode = 1
  }
  process.stdin.destroy()
}

type Output = (line: string, written?: () => void) => boolean

/** Standard output is for messages only: what a library prints goes to standard error. */
const takeOutput = (): Output => {
  // Without a reader, Tablinum has ended: there is nobody to work for.
  process.stdout.on('error', () => process.exit(1))
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = process.stderr.write.bind(process.stderr)
  return (line, written) => write(line, written)
}

const readCommand = async (lines: AsyncIterator<string>): Promise<Command> => {
  const { value: line, done } = await lines.next()
  if (done) throw new Error('Expected a command as a line of JSON on standard input.')
  const command = JSON.parse(line) as Command
  if (command.protocol !== PROTOCOL_VERSION)
    throw new Error(`This connector speaks version ${PROTOCOL_VERSION} of the protocol, not ${command.protocol}.`)
  return command
}

type Send = (...messages: Message[]) => Promise<void>

/** A session ends with its input, whatever the driver still does. */
const serve = async <S>(
  { query, settings }: ConnectorDefinition<S>,
  command: Command,
  lines: AsyncIterator<string>,
  { send, output }: { readonly send: Send; readonly output: Output },
): Promise<never> => {
  if (!query) throw new Error('Unknown command "query".')
  // An error that a driver throws outside of any statement is reported too; after it the driver may be in any state.
  process.on('uncaughtException', (error) => {
    output(`${JSON.stringify({ type: 'error', message: error.message || String(error) })}\n`, () => process.kill(process.pid, 'SIGKILL'))
  })
  const connection = await query.open({
    settings: readSettings(settings, command.settings) as S,
    allowedHosts: command.allowed_hosts ?? [],
  })
  await serveSession(connection, lines, send)
  return process.exit()
}

const execute = async <S>(connector: ConnectorDefinition<S>, command: Command, send: Send): Promise<void> => {
  if (command.command === 'describe') {
    const { name, label, version, settings, grants, query } = connector
    const more = { ...(grants ? { grants } : {}), ...(query?.dialect ? { query: { dialect: query.dialect } } : {}) }
    await send({ type: 'describe', protocol: PROTOCOL_VERSION, name, label, version, settings, ...more })
    return send({ type: 'done' })
  }
  const context: RunContext<S> = {
    settings: readSettings(connector.settings, command.settings) as S,
    allowedHosts: command.allowed_hosts ?? [],
    state: command.state,
    versions: new Map(Object.entries(command.versions ?? {})),
    log: (message) => send({ type: 'log', message }),
    progress: (done, total) => send({ type: 'progress', done, total }),
  }
  if (command.command === 'test') return send({ type: 'done', detail: await connector.test(context) })
  if (command.command !== 'discover') throw new Error(`Unknown command "${command.command}".`)
  let items = 0
  let complete = true
  for await (const found of connector.discover(context)) {
    if (found.type === 'item') items += 1
    if (found.type === 'incremental') complete = false
    else await send(found)
  }
  return send({ type: 'done', items, complete })
}

const readSettings = (schema: SettingsSchema, settings: unknown): Settings => {
  const values = isObject(settings) ? settings : {}
  const problems = findSettingProblems(schema, values)
  if (problems.length > 0) throw new Error(`Settings: ${problems.join(' ')}`)
  const defaults = Object.entries(schema.properties).flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]]))
  return { ...Object.fromEntries(defaults), ...values }
}
