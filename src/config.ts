import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** The only reader of the environment and the command line. */
export interface Config {
  readonly host: string
  readonly port: number
  /** Unset: the embedded Postgres in `dataFolder`. */
  readonly databaseUrl?: string
  readonly dataFolder: string
  readonly adminToken?: string
  /** Requests per token and minute; 0 = off. */
  readonly rateLimit: number
  readonly publicUrl?: string
  /** Seal the secrets of integrations: the first seals, all open. Unset: a key file in `dataFolder`. */
  readonly secretKeys: readonly string[]
  /** Where file sources lie; unset: there are none. */
  readonly filesFolder?: string
  /** Unset: nobody is told by e-mail. */
  readonly smtpUrl?: string
  /** Who e-mails come from. */
  readonly smtpFrom: string
  /** Unset: nobody is told on Slack. */
  readonly slackBotToken?: string
  readonly slackApiUrl: string
  readonly role: 'web' | 'worker' | 'all'
  readonly demo: boolean
  readonly logLevel: string
  /** How long one request may take before it is given up and its SQL cancelled. */
  readonly requestTimeoutMs: number
  readonly poolSize: number
  /** Web processes on the one port. */
  readonly processes: number
  /** One of several processes on this port, started by the first of them. */
  readonly sharePort: boolean
}

const oneOf = <T extends string>(name: string, value: string, allowed: readonly T[]): T => {
  if ((allowed as readonly string[]).includes(value)) return value as T
  throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not "${value}".`)
}

const whole = (name: string, value: string, min: number, max: number): number => {
  const number = Number(value)
  if (value.trim() !== '' && Number.isInteger(number) && number >= min && number <= max) return number
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${value}".`)
}

const url = (name: string, value: string | undefined, protocols: readonly string[]): string | undefined => {
  if (!value) return undefined
  if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value
  // The value may hold a password, so it is not repeated.
  throw new ConfigError(`${name} must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}.`)
}

const hostOf = (address: string | undefined): string => (address && URL.canParse(address) ? new URL(address).hostname : 'localhost')

const SHORTEST_KEY = 8

/** Several keys stand with commas between. */
const keys = (name: string, value = ''): string[] => {
  const all = value.split(',').flatMap((key) => key.trim() || [])
  // The value is a secret, so it is not repeated.
  if (all.some((key) => key.length < SHORTEST_KEY))
    throw new ConfigError(`${name} must have at least ${SHORTEST_KEY} characters. Make one: openssl rand -base64 32`)
  return all
}

export class ConfigError extends Error {}

export const readConfig = (env: NodeJS.ProcessEnv, args: string[]): Config => {
  const { values: flags } = parseArgs({
    args,
    options: {
      role: { type: 'string', default: 'all' },
      demo: { type: 'boolean', default: false },
      port: { type: 'string' },
      host: { type: 'string' },
      processes: { type: 'string' },
      'share-port': { type: 'boolean', default: false },
    },
  })
  return {
    host: flags.host ?? env.HOST ?? '127.0.0.1',
    port: whole('PORT', flags.port ?? env.PORT ?? '3000', 0, 65535),
    databaseUrl: url('DATABASE_URL', env.DATABASE_URL, ['postgres:', 'postgresql:']),
    dataFolder: resolve(env.TABLINUM_DATA || '.data'),
    adminToken: env.TABLINUM_ADMIN_TOKEN || undefined,
    rateLimit: whole('TABLINUM_RATE_LIMIT', env.TABLINUM_RATE_LIMIT ?? '6000', 0, 1_000_000_000),
    publicUrl: url('PUBLIC_URL', env.PUBLIC_URL, ['http:', 'https:'])?.replace(/\/+$/, ''),
    secretKeys: keys('TABLINUM_SECRET_KEY', env.TABLINUM_SECRET_KEY),
    filesFolder: env.TABLINUM_FILES ? resolve(env.TABLINUM_FILES) : undefined,
    smtpUrl: url('SMTP_URL', env.SMTP_URL, ['smtp:', 'smtps:']),
    smtpFrom: env.SMTP_FROM || `Tablinum <tablinum@${hostOf(env.PUBLIC_URL)}>`,
    slackBotToken: env.SLACK_BOT_TOKEN || undefined,
    slackApiUrl: url('SLACK_API_URL', env.SLACK_API_URL, ['https:', 'http:']) ?? 'https://slack.com/api',
    role: oneOf('--role', flags.role, ['web', 'worker', 'all']),
    demo: flags.demo,
    logLevel: oneOf('LOG_LEVEL', env.LOG_LEVEL ?? (process.stdout.isTTY ? 'warn' : 'info'), [
      'trace',
      'debug',
      'info',
      'warn',
      'error',
      'fatal',
      'silent',
    ]),
    requestTimeoutMs: whole('TABLINUM_REQUEST_TIMEOUT', env.TABLINUM_REQUEST_TIMEOUT ?? '30', 1, 3600) * 1000,
    poolSize: whole('TABLINUM_POOL', env.TABLINUM_POOL ?? '10', 2, 200),
    processes: flags['share-port'] ? 1 : whole('TABLINUM_PROCESSES', flags.processes ?? env.TABLINUM_PROCESSES ?? '1', 1, 64),
    sharePort: flags['share-port'],
  }
}
