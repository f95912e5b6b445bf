import { listQueryChecks } from './check-queries.ts'
import { isCoveredBy } from './key-scope.ts'
import { ConnectorError, type Program } from './process.ts'
import { type CommandName, type DescribeMessage, type ItemMessage, type Message, PROTOCOL_VERSION, type Settings } from './protocol.ts'
import { runProgram } from './run.ts'

export interface CheckResult {
  readonly check: string
  /** Undefined: passed. */
  readonly problem?: string
}

export interface CheckOptions {
  /** With settings, the connection is tested and everything is discovered, twice. */
  readonly settings?: Settings
  readonly allowedHosts?: readonly string[]
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 600_000

/** The contract every connector must fulfil. */
export async function* checkConnector(program: Program, options: CheckOptions = {}): AsyncGenerator<CheckResult, void> {
  const run = (command: string, more: object = {}) => collect(program, command, { ...more, timeoutMs: options.timeoutMs })
  let description: DescribeMessage | undefined
  yield await check('describe reports name, version and settings', async () => {
    const messages = await run('describe')
    description = messages.find((each) => each.type === 'describe')
    if (!description) return 'There is no describe message.'
    return description.protocol === PROTOCOL_VERSION ? undefined : `It speaks version ${description.protocol}, not ${PROTOCOL_VERSION}.`
  })
  if (!description) return
  const { settings } = description
  yield await check(
    'every required setting exists',
    async () => settings.required?.flatMap((name) => (settings.properties[name] ? [] : [`\`${name}\` has no schema.`]))[0],
  )
  yield await check('another version of the protocol is rejected', () => expectError(run('describe', { protocol: PROTOCOL_VERSION + 1 })))
  yield await check('an unknown command is rejected', () => expectError(run('unknown')))
  for (const name of settings.required ?? [])
    yield await check(`test without \`${name}\` names it`, async () => {
      const { [name]: _, ...rest } = { ...placeholders(settings), ...options.settings }
      return expectError(run('test', { settings: rest }), name)
    })
  if (!options.settings) return
  const discoverCommand = { settings: options.settings, allowed_hosts: options.allowedHosts ?? [] }
  const secrets = Object.entries(settings.properties).flatMap(([name, { secret }]) => {
    const value = options.settings![name]
    return secret && typeof value === 'string' && value.length >= 3 ? [value] : []
  })
  yield await check('test describes what it found', async () => {
    const done = (await run('test', discoverCommand)).at(-1)
    return done?.type === 'done' && done.detail ? undefined : '`done` has no `detail`.'
  })
  let items: ItemMessage[] = []
  let keys: string[] = []
  let versions: Record<string, string> = {}
  let state: unknown
  yield await check('discover follows the protocol', async () => {
    const messages = await run('discover', discoverCommand)
    items = messages.filter((each) => each.type === 'item')
    keys = items.map(({ key }) => key)
    versions = Object.fromEntries(items.flatMap(({ key, version }) => (version ? [[key, version]] : [])))
    state = messages.findLast((each) => each.type === 'state')?.state
    const done = messages.at(-1)
    if (done?.type !== 'done' || done.items === undefined) return '`done` has no `items`.'
    const leaked = secrets.find((secret) => JSON.stringify(messages).includes(secret))
    return leaked ? 'A message contains a secret.' : undefined
  })
  yield await check('a second discover reports the same items', async () => {
    const again = (await run('discover', discoverCommand)).filter((each): each is ItemMessage => each.type === 'item').map(({ key }) => key)
    const different = [...keys.filter((key) => !again.includes(key)), ...again.filter((key) => !keys.includes(key))]
    return different.length > 0 ? `Only one run reports ${different.slice(0, 3).join(', ')}.` : undefined
  })
  if (description.query)
    for (const { check: name, find } of listQueryChecks(program, { settings: options.settings, allowedHosts: options.allowedHosts }, items))
      yield await check(name, find)
  if (Object.keys(versions).length === 0) return
  yield await check('a discover that knows the versions reports every item, or that it is unchanged', async () => {
    const messages = await run('discover', { ...discoverCommand, versions, state })
    const again = new Set(messages.flatMap((each) => (each.type === 'item' ? each.key : [])))
    const unchanged = new Set(messages.flatMap((each) => (each.type === 'unchanged' ? each.key : [])))
    const lost = keys.filter((key) => !again.has(key) && !isCoveredBy(key, unchanged))
    if (lost.length > 0) return `Neither reported nor unchanged: ${lost.slice(0, 3).join(', ')}.`
    return unchanged.size === 0 ? 'It has versions, but nothing is unchanged.' : undefined
  })
}

const check = async (name: string, find: () => Promise<string | undefined>): Promise<CheckResult> => {
  const problem = await find().catch((error: Error) => error.message)
  return problem === undefined ? { check: name } : { check: name, problem }
}

const collect = async (
  program: Program,
  command: string,
  { timeoutMs = TIMEOUT_MS, ...more }: { timeoutMs?: number },
): Promise<Message[]> => {
  const messages: Message[] = []
  const whole = { protocol: PROTOCOL_VERSION, command: command as CommandName, ...more }
  for await (const message of runProgram(program, whole, AbortSignal.timeout(timeoutMs))) messages.push(message)
  return messages
}

const expectError = async (running: Promise<unknown>, named = ''): Promise<string | undefined> => {
  const error = await running.then(
    () => undefined,
    (error: Error) => error,
  )
  if (!error) return 'It succeeded.'
  if (!(error instanceof ConnectorError)) return error.message
  return error.message.includes(named) ? undefined : `The error does not name it: ${error.message}`
}

const placeholders = ({ properties }: DescribeMessage['settings']): Settings =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => [name, { string: 'http://127.0.0.1:1', integer: 1, boolean: true }[type]]),
  )
