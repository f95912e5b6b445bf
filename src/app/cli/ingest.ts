import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CliError, type Command } from './command.ts'
import { getServerOptions, SERVER_OPTIONS, type ServerOptions } from './server-options.ts'

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
const POLL_MS = 1000
const PART_CHARACTERS = 4_000_000

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
      let aspects = 0
      let last: Job[] = []
      for (const part of splitEvents(await readEvents(file))) {
        const { received, jobs } = await request<{ received: number; jobs: Job[] }>(server, path, part)
        aspects += received
        last = [...last.filter(({ id }) => !jobs.some((job) => job.id === id)), ...jobs]
      }
      process.stdout.write(`${file}: ${aspects.toLocaleString('en')} aspects received.\n`)
      for (const { id } of last) {
        const job = await waitFor(server, id)
        process.stdout.write(`${job.logs.trimEnd()}\n`)
        failed ||= job.failed
      }
    }
    return failed ? 1 : 0
  },
}

interface Job {
  readonly id: string
  readonly status: string
  readonly failed: boolean
  readonly logs: string
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

/** Requests that the server accepts. One event that is larger by itself is sent alone. */
function* splitEvents(events: readonly unknown[]): Generator<string, void> {
  let part: string[] = []
  let length = 0
  for (const event of events) {
    const text = JSON.stringify(event)
    if (length + text.length > PART_CHARACTERS && part.length > 0) {
      yield `[${part.join(',')}]`
      part = []
      length = 0
    }
    part.push(text)
    length += text.length
  }
  yield `[${part.join(',')}]`
}

const waitFor = async (server: ServerOptions, id: string): Promise<Job> => {
  for (;;) {
    const job = await request<Job>(server, `/background_jobs/${id}`)
    if (job.status === 'COMPLETED' || job.status === 'FAILED') return job
    await sleep(POLL_MS)
  }
}

const request = async <T>({ url, token }: ServerOptions, path: string, body?: string): Promise<T> => {
  const response = await fetch(`${url.replace(/\/+$/, '')}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    body,
  }).catch((error: Error) => {
    throw new CliError(`Cannot reach ${url}: ${(error.cause as Error | undefined)?.message ?? error.message}`)
  })
  const answer = (await response.json().catch(() => ({}))) as T & { detail?: string; errors?: Record<string, string[]> }
  if (response.ok) return answer
  const fields = Object.entries(answer.errors ?? {}).map(([field, problems]) => `\n  ${field} ${problems.join(' ')}`)
  throw new CliError(`${answer.detail ?? `The server answered ${response.status}.`}${fields.join('')}`)
}
