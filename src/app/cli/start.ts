import type { Command } from './command.ts'

const HELP = `Usage: tablinum [start] [--demo] [--port <port>] [--host <address>] [--role web|worker|all] [--processes <n>]

Starts the server on DATABASE_URL, or on an embedded Postgres in the data folder (TABLINUM_DATA,
default .data in the current folder). It runs until Ctrl-C. Other settings are environment
variables; docs/operations.md lists them.

  --demo       fill an empty catalog with the demo
  --port       the port to listen on (or PORT; default 3000)
  --host       the address to listen on (or HOST; default 127.0.0.1)
  --role       web: serve requests; worker: process the queue; all: both (default)
  --processes  web processes that share the port
  --help
`

export const startCommand: Command = {
  name: 'start',
  summary: 'start the server (also without a command)',
  help: HELP,
  run: async (args) => {
    const { serve } = await import('../serve.ts') // on demand: other commands do not need the server
    await serve(args)
    return 0 // the process ends with the server
  },
}
