import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { CliError, type Command } from './command.ts'
import { printResults, sendEvents } from './send-events.ts'
import { getServerOptions, SERVER_OPTIONS } from './server-options.ts'

const HELP = `Usage: tablinum ingest --url <address> [--token <token>] [--integration <id>] <events.json> …

Sends metadata events that DataHub connectors wrote to a file (sink type "file") to a server, waits
until the catalog is built from them, and prints the log, which names everything that could not be
taken over. A file is a JSON list, or one event per line.

  --url          the address of the server, e.g. https://catalog.example.com (or TABLINUM_URL)
  --token        an API token (or TABLINUM_TOKEN, which keeps it out of the list of processes)
  --integration  an integration of type datahub; without it, events belong to the one with the
                 name of their pipeline
  --help

Exits with code 1 if the catalog could not be built.
`

const OPTIONS = { ...SERVER_OPTIONS, integration: { type: 'string' } } as const

export const ingestCommand: Command = {
  name: 'ingest',
  summary: 'send metadata events of DataHub connectors to a server',
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
    const server = getServerOptions(values)
    if (positionals.length === 0) throw new CliError('Expected a file with events. Run with --help for details.')
    const path = `/integration/datahub/events${values.integration ? `?integration=${encodeURIComponent(values.integration)}` : ''}`
    let failed = false
    for (const file of positionals) {
      const { aspects, jobs } = await sendEvents(server, path, await readEvents(file))
      process.stdout.write(`${file}: ${aspects.toLocaleString('en')} aspects received.\n`)
      if (!(await printResults(server, jobs))) failed = true
    }
    return failed ? 1 : 0
  },
}

const readEvents = async (file: string): Promise<unknown[]> => {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CliError(`Cannot read ${file}: ${error.message}`)
  })
  try {
    if (text.trimStart().startsWith('[')) return JSON.parse(text)
    return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : JSON.parse(line)))
  } catch (error) {
    throw new CliError(`${file} is neither a JSON list nor one event per line: ${(error as Error).message}`)
  }
}
