import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { CliError, type Command } from './command.ts'
import { printResults, sendEvents } from './send-events.ts'
import { getServerOptions, SERVER_OPTIONS } from './server-options.ts'

const HELP = `Usage: tablinum ingest --url <address> [--token <token>] [--integration <id>] <events.json> …
       tablinum ingest --dry-run <events.json> …

Sends metadata events that DataHub connectors wrote to a file (sink type "file") to a server, waits
until the catalog is built from them, and prints the log, which names everything that could not be
taken over. A file is a JSON list, or one event per line; a line that is not valid JSON is skipped,
and named with its number at the end.

  --dry-run      prints what would arrive and what has no place, without a server and without sending
                 anything; owners, tags and resources of other integrations are looked up when the
                 events are sent
  --url          the address of the server, e.g. https://catalog.example.com (or TABLINUM_URL)
  --token        an API token (or TABLINUM_TOKEN, which keeps it out of the list of processes)
  --integration  an integration of type datahub; without it, events belong to the one with the
                 name of their pipeline
  --help

Exits with code 1 if the catalog could not be built, or if a line could not be read.
`

const OPTIONS = { ...SERVER_OPTIONS, integration: { type: 'string' }, 'dry-run': { type: 'boolean' } } as const

export const ingestCommand: Command = {
  name: 'ingest',
  summary: 'send metadata events of DataHub connectors to a server',
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
    if (positionals.length === 0) throw new CliError('Expected a file with events. Run with --help for details.')
    if (values['dry-run']) return printDryRun(positionals)
    const server = getServerOptions(values)
    const path = `/integration/datahub/events${values.integration ? `?integration=${encodeURIComponent(values.integration)}` : ''}`
    let failed = false
    for (const file of positionals) {
      const { events, broken } = await readEvents(file)
      const { aspects, jobs } = await sendEvents(server, path, events)
      process.stdout.write(`${file}: ${aspects.toLocaleString('en')} aspects received.\n`)
      if (!(await printResults(server, jobs))) failed = true
      for (const line of broken) process.stdout.write(`Not taken over: ${line}\n`)
      if (broken.length > 0) failed = true
    }
    return failed ? 1 : 0
  },
}

/** The files belong together: one may describe what another one refers to. */
const printDryRun = async (paths: readonly string[]): Promise<number> => {
  const files = await Promise.all(paths.map(readEvents))
  const broken = files.flatMap((file) => file.broken)
  const { describeIngest } = await import('../../sources/datahub/dry-run.ts')
  const { parseEvents } = await import('../../sources/datahub/change.ts')
  for (const { name, counts, losses } of describeIngest(parseEvents(files.flatMap(({ events }) => events)))) {
    process.stdout.write(`Integration ${name}:\n`)
    for (const [kind, n] of counts) process.stdout.write(`${kind}: ${n.toLocaleString('en')}\n`)
    for (const line of losses) process.stdout.write(`Not taken over: ${line}\n`)
  }
  for (const line of broken) process.stdout.write(`Not taken over: ${line}\n`)
  process.stdout.write('Nothing was sent.\n')
  return broken.length > 0 ? 1 : 0
}

interface EventFile {
  readonly events: readonly unknown[]
  /** Lines that are no JSON, and why. */
  readonly broken: readonly string[]
}

const readEvents = async (file: string): Promise<EventFile> => {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CliError(`Cannot read ${file}: ${error.message}`)
  })
  const body = text.replace(/^\uFEFF/, '')
  const whole = parseJson(body)
  if ('value' in whole) return { events: [whole.value].flat(), broken: [] }
  const events: unknown[] = []
  const broken: string[] = []
  for (const [i, line] of body.split('\n').entries()) {
    if (line.trim() === '') continue
    const read = parseJson(line)
    if ('value' in read) events.push(read.value)
    else broken.push(`${file}, line ${i + 1}: ${read.problem}`)
  }
  if (events.length === 0 || body.trimStart().startsWith('['))
    throw new CliError(`${file} is neither a JSON list nor one event per line: ${whole.problem}`)
  return { events, broken }
}

const parseJson = (text: string): { readonly value: unknown } | { readonly problem: string } => {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}
