import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { LOG_FIELDS } from '../../sources/query-log/columns.ts'
import { callServer } from './call-server.ts'
import { CliError, type Command } from './command.ts'
import { type Job, printResults } from './send-events.ts'
import { getServerOptions, SERVER_OPTIONS } from './server-options.ts'

const HELP = `Usage: tablinum query-log --integration <id> [options] <file> …

Uploads files of executed queries (CSV with a header, JSON lines, or Parquet) to an integration of
type "query_log". Usage and lineage of tables are derived from them.

  --integration  the integration
  --sql, --user, --time, --duration, --database, --schema
                 the columns of the file; those with common names are found automatically
  --dry-run      prints what would be saved
  --url          the address of the server, e.g. https://catalog.example.com (or TABLINUM_URL)
  --token        an API token (or TABLINUM_TOKEN, which keeps it out of the list of processes)
  --help

Uploading a file again changes nothing. Exits with code 1 if the catalog could not be updated.
`

const OPTIONS = {
  ...SERVER_OPTIONS,
  integration: { type: 'string' },
  'dry-run': { type: 'boolean' },
  ...(Object.fromEntries(LOG_FIELDS.map((field) => [field, { type: 'string' }])) as Record<
    (typeof LOG_FIELDS)[number],
    { type: 'string' }
  >),
} as const

export const queryLogCommand: Command = {
  name: 'query-log',
  summary: 'upload a file of executed queries for usage and lineage',
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
    if (!values.integration || positionals.length === 0)
      throw new CliError('Expected --integration and a file with queries. Run with --help for details.')
    const server = getServerOptions(values)
    const query = new URLSearchParams(
      LOG_FIELDS.flatMap((field): [string, string][] => (values[field] === undefined ? [] : [[field, values[field]]])),
    )
    if (values['dry-run']) query.set('dry_run', 'true')
    const jobs: Job[] = []
    for (const file of positionals) {
      const path = `/integration/query_log/${encodeURIComponent(values.integration)}/upload?${query}`
      const { job, ...report } = await callServer<Report>(server, path, { method: 'POST', body: await openForm(file) })
      process.stdout.write(formatReport(file, report))
      if (job) jobs.splice(0, jobs.length, job)
    }
    return (await printResults(server, jobs)) ? 0 : 1
  },
}

interface Report {
  readonly rows: number
  readonly statements: number
  readonly executions: number
  readonly repeated: boolean
  readonly mapping: Readonly<Record<string, string>>
  readonly skipped: readonly { readonly reason: string; readonly rows: number; readonly first_line: number }[]
  readonly job: Job | null
}

/** The file is streamed. */
const openForm = async (file: string): Promise<FormData> => {
  const form = new FormData()
  const blob = await openAsBlob(file).catch((error: Error) => {
    throw new CliError(`Cannot read ${file}: ${error.message}`)
  })
  form.set('file', blob, basename(file))
  return form
}

const formatReport = (file: string, { rows, statements, executions, repeated, mapping, skipped }: Omit<Report, 'job'>): string => {
  const n = (value: number) => value.toLocaleString('en')
  if (repeated) return `${file}: uploaded before, nothing changed.\n`
  const columns = Object.entries(mapping).map(([field, column]) => `${field} = ${column}`)
  return [
    `${file}: ${n(rows)} rows, ${n(statements)} new statements, ${n(executions)} new executions (${columns.join(', ')}).`,
    ...skipped.map(({ reason, rows, first_line }) => `  skipped ${n(rows)} (first in line ${n(first_line)}): ${reason}`),
    '',
  ].join('\n')
}
