import { join } from 'node:path'
import { type Config, ConfigError, findConfigWarnings, readConfig } from '../platform/config/config.ts'
import { countEmbeddedConnections } from '../platform/config/connection-budget.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../platform/db/embedded/embedded.ts'
import { EmbeddedStartError } from '../platform/db/embedded/embedded-location.ts'
import { MigrationError } from '../platform/db/migrate.ts'
import { ServerLimitError } from '../platform/db/server-limits.ts'
import { queueConnections } from '../platform/queue/classes.ts'
import type { RunningServer } from './start.ts'

const printLine = (line: string) => process.stderr.write(`${line}\n`)

/** Reads the settings, starts the server, prints how to use it, and stops on a signal. */
export const serve = async (args: readonly string[]): Promise<void> => {
  const startedAt = performance.now()
  const running = await startOrExit(args)
  stopOnSignal(running)
  if (running.greets) printWelcome(running, performance.now() - startedAt)
}

const startOrExit = async (args: readonly string[]): Promise<RunningServer & { greets: boolean }> => {
  try {
    const config = readConfig(process.env, [...args])
    for (const warning of config.sharePort ? [] : findConfigWarnings(config)) printLine(`  Warning: ${warning}`)
    // Modules are loaded while Postgres starts: loading them takes most of the startup time and lets nothing else run.
    const embedded = config.databaseUrl ? undefined : await launchEmbedded(config)
    const { startServer: start } = await import('./start.ts')
    return { ...(await start(config, printLine, embedded?.ready)), greets: !config.sharePort }
  } catch (error) {
    printLine(`\n  Tablinum failed to start. ${explainStartError(error as Error & { code?: string })}\n`)
    process.exit(1)
  }
}

/** Returns when Postgres is being created or started, or has failed; the promise inside settles when it is ready. */
const launchEmbedded = async (config: Config): Promise<{ ready: Promise<EmbeddedPostgres> }> => {
  const launched = Promise.withResolvers<void>()
  const ready = startEmbeddedPostgres({
    dataFolder: join(config.dataFolder, 'postgres'),
    settings: { max_connections: getEmbeddedConnections(config) },
    log: printLine,
    onLaunch: launched.resolve,
  })
  ready.catch(() => launched.resolve()) // reported when it is awaited
  await launched.promise
  return { ready }
}

/** `max_connections` of the embedded Postgres: enough for everything this start may open. */
const getEmbeddedConnections = (config: Config): string =>
  String(countEmbeddedConnections({ ...config, queue: queueConnections(config.workers) }))

const explainStartError = (error: Error & { code?: string }): string => {
  if (
    error instanceof ConfigError ||
    error instanceof EmbeddedStartError ||
    error instanceof MigrationError ||
    error instanceof ServerLimitError
  )
    return error.message
  if (error.code === 'ENOTSUP' || error.code === 'EINVAL')
    return 'This system cannot share a port between processes. Start with --processes 1.'
  if (error.code === 'EADDRINUSE')
    return 'The port is already in use. Choose another one with PORT or --port, or with TABLINUM_METRICS_PORT for a worker.'
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
    return `${error.message} Available options: --demo, --role web|worker|all, --port, --host, --processes.`
  return error.stack ?? error.message
}

const printWelcome = ({ address, metricsAddress, empty, token, setupLink, psql }: RunningServer, startMs: number): void => {
  printLine('')
  printLine(
    address
      ? `  Tablinum is ready at ${address} (${Math.round(startMs)} ms). API docs: ${address}/docs`
      : `  Tablinum worker is ready.${metricsAddress ? ` Metrics: ${metricsAddress}/metrics` : ''}`,
  )
  if (psql) printLine(`  Database: ${psql}`)
  if (token) printLine(`\n  Your admin token (shown only once):\n\n    ${token}\n`)
  if (setupLink) printLine(`  Set the admin password with this one-time link:\n\n    ${setupLink}\n`)
  if (empty) printLine('  The catalog is empty. Start with --demo to load demo data.')
  printLine('  Stop with Ctrl-C.\n')
}

const stopOnSignal = (running: RunningServer & { greets: boolean }): void => {
  const SHUTDOWN_TIMEOUT_MS = 15_000
  let requestedAt = 0
  const stop = (signal: NodeJS.Signals) => {
    // One Ctrl-C can arrive twice (from the terminal and forwarded by a parent process); only a later one forces the exit.
    if (requestedAt && performance.now() - requestedAt > 2_000) process.exit(130)
    if (requestedAt) return
    requestedAt = performance.now()
    if (running.greets) printLine(signal === 'SIGINT' ? '\n  Shutting down …' : `  ${signal}: shutting down …`)
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref()
    running.stop().then(
      () => process.exit(0),
      (error) => {
        printLine(String(error))
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  if (!running.greets) process.once('disconnect', () => stop('SIGTERM')) // the parent process has exited
}
