import { join } from 'node:path'
import { type Config, ConfigError, readConfig, warningsOf } from './config.ts'
import { embeddedConnections } from './connection-budget.ts'
import { startEmbedded } from './db/embedded.ts'
import { CannotStart } from './db/embedded-place.ts'
import { MigrationError } from './db/migrate.ts'
import { ServerLimitError } from './db/server-limits.ts'
import { queueConnections } from './queue/classes.ts'
import type { Running } from './start.ts'

/** The front door of `npm start`: reads the settings, starts, tells a person what to do next, and stops when asked. */
const say = (line: string) => process.stderr.write(`${line}\n`)

const begun = performance.now()
const running = await readyOrOut()
stopWhenAsked(running)
if (running.greets) greet(running)

async function readyOrOut(): Promise<Running & { greets: boolean }> {
  try {
    const config = readConfig(process.env, process.argv.slice(2))
    for (const warning of config.sharePort ? [] : warningsOf(config)) say(`  Warning: ${warning}`)
    // While Postgres starts, everything else is read: most of a start is nothing but that.
    const embedded = config.databaseUrl
      ? undefined
      : startEmbedded({ dataFolder: join(config.dataFolder, 'postgres'), settings: { max_connections: connectionsFor(config) }, log: say })
    embedded?.catch(() => {}) // told when it is waited for
    const { start } = await import('./start.ts')
    return { ...(await start(config, say, embedded)), greets: !config.sharePort }
  } catch (error) {
    say(`\n  Tablinum cannot start. ${inWords(error as Error & { code?: string })}\n`)
    process.exit(1)
  }
}

/** The embedded Postgres has room for everything that this start may open. */
function connectionsFor(config: Config): string {
  return String(embeddedConnections({ ...config, queue: queueConnections(config.workers) }))
}

function inWords(error: Error & { code?: string }): string {
  if (error instanceof ConfigError || error instanceof CannotStart || error instanceof MigrationError || error instanceof ServerLimitError)
    return error.message
  if (error.code === 'ENOTSUP' || error.code === 'EINVAL') return 'This system cannot share a port among processes. Start it with one.'
  if (error.code === 'EADDRINUSE')
    return 'Its port is in use. Choose another with PORT=3001 npm start, or with TABLINUM_METRICS_PORT for a worker.'
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
    return `${error.message} Known: --demo, --role web|worker|all, --port, --host, --processes.`
  return error.stack ?? error.message
}

function greet({ address, metricsAddress, empty, token, setupLink, psql }: Running): void {
  say('')
  say(
    address
      ? `  Tablinum is ready at ${address} (${Math.round(performance.now() - begun)} ms). Try the API at ${address}/docs`
      : `  A Tablinum worker is ready.${metricsAddress ? ` Its metrics are at ${metricsAddress}/metrics` : ''}`,
  )
  if (psql) say(`  Its database: ${psql}`)
  if (token) say(`\n  Your admin token, shown this once:\n\n    ${token}\n`)
  if (setupLink) say(`  Choose the admin's password, with a link that works once:\n\n    ${setupLink}\n`)
  if (empty) say('  The catalog is empty. To see it full: npm start -- --demo')
  say('  Stop with Ctrl-C.\n')
}

function stopWhenAsked(running: Running & { greets: boolean }): void {
  const PATIENCE_MS = 15_000
  let asked = 0
  const stop = (signal: NodeJS.Signals) => {
    // One Ctrl-C can arrive twice (from the terminal and passed on by a parent); only a later one means "now".
    if (asked && performance.now() - asked > 2_000) process.exit(130)
    if (asked) return
    asked = performance.now()
    if (running.greets) say(signal === 'SIGINT' ? '\n  Finishing what is under way …' : `  ${signal}: finishing what is under way …`)
    setTimeout(() => process.exit(1), PATIENCE_MS).unref()
    running.stop().then(
      () => process.exit(0),
      (error) => {
        say(String(error))
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  if (!running.greets) process.once('disconnect', () => stop('SIGTERM')) // the process that started this one is gone
}
