import { join } from 'node:path'
import { type Config, ConfigError, readConfig, warningsOf } from './config.ts'
import { embeddedConnections } from './connection-budget.ts'
import { startEmbedded } from './db/embedded.ts'
import { CannotStart } from './db/embedded-place.ts'
import { MigrationError } from './db/migrate.ts'
import { ServerLimitError } from './db/server-limits.ts'
import { queueConnections } from './queue/classes.ts'
import type { Running } from './start.ts'

/** Entry point of `npm start`: reads the settings, starts the server, prints how to use it, and stops on a signal. */
const say = (line: string) => process.stderr.write(`${line}\n`)

const begun = performance.now()
const running = await readyOrOut()
stopWhenAsked(running)
if (running.greets) greet(running)

async function readyOrOut(): Promise<Running & { greets: boolean }> {
  try {
    const config = readConfig(process.env, process.argv.slice(2))
    for (const warning of config.sharePort ? [] : warningsOf(config)) say(`  Warning: ${warning}`)
    // Modules are loaded while Postgres starts: loading them takes most of the startup time.
    const embedded = config.databaseUrl
      ? undefined
      : startEmbedded({ dataFolder: join(config.dataFolder, 'postgres'), settings: { max_connections: connectionsFor(config) }, log: say })
    embedded?.catch(() => {}) // reported when it is awaited
    const { start } = await import('./start.ts')
    return { ...(await start(config, say, embedded)), greets: !config.sharePort }
  } catch (error) {
    say(`\n  Tablinum failed to start. ${inWords(error as Error & { code?: string })}\n`)
    process.exit(1)
  }
}

/** `max_connections` of the embedded Postgres: enough for everything this start may open. */
function connectionsFor(config: Config): string {
  return String(embeddedConnections({ ...config, queue: queueConnections(config.workers) }))
}

function inWords(error: Error & { code?: string }): string {
  if (error instanceof ConfigError || error instanceof CannotStart || error instanceof MigrationError || error instanceof ServerLimitError)
    return error.message
  if (error.code === 'ENOTSUP' || error.code === 'EINVAL')
    return 'This system cannot share a port between processes. Start with --processes 1.'
  if (error.code === 'EADDRINUSE')
    return 'The port is already in use. Choose another one: PORT=3001 npm start, or TABLINUM_METRICS_PORT for a worker.'
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
    return `${error.message} Available options: --demo, --role web|worker|all, --port, --host, --processes.`
  return error.stack ?? error.message
}

function greet({ address, metricsAddress, empty, token, setupLink, psql }: Running): void {
  say('')
  say(
    address
      ? `  Tablinum is ready at ${address} (${Math.round(performance.now() - begun)} ms). API docs: ${address}/docs`
      : `  Tablinum worker is ready.${metricsAddress ? ` Metrics: ${metricsAddress}/metrics` : ''}`,
  )
  if (psql) say(`  Database: ${psql}`)
  if (token) say(`\n  Your admin token (shown only once):\n\n    ${token}\n`)
  if (setupLink) say(`  Set the admin password with this one-time link:\n\n    ${setupLink}\n`)
  if (empty) say('  The catalog is empty. To load demo data: npm start -- --demo')
  say('  Stop with Ctrl-C.\n')
}

function stopWhenAsked(running: Running & { greets: boolean }): void {
  const PATIENCE_MS = 15_000
  let asked = 0
  const stop = (signal: NodeJS.Signals) => {
    // One Ctrl-C can arrive twice (from the terminal and forwarded by a parent process); only a later one forces the exit.
    if (asked && performance.now() - asked > 2_000) process.exit(130)
    if (asked) return
    asked = performance.now()
    if (running.greets) say(signal === 'SIGINT' ? '\n  Shutting down …' : `  ${signal}: shutting down …`)
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
  if (!running.greets) process.once('disconnect', () => stop('SIGTERM')) // the parent process has exited
}
