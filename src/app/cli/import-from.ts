import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { EventWriter } from '../../sources/exports/event-writer.ts'
import { convertOpenMetadata } from '../../sources/exports/openmetadata.ts'
import { readRecords } from '../../sources/exports/read-export.ts'
import { convertSecoda } from '../../sources/exports/secoda.ts'
import { CliError, type Command } from './command.ts'
import { printResults, sendEvents } from './send-events.ts'
import { getServerOptions, SERVER_OPTIONS } from './server-options.ts'

const HELP = `Usage: tablinum import-from openmetadata|secoda [options] <file or folder> …

Reads what the API of another catalog returned, saved as JSON files, and sends it to a server as an
integration of its own: with provenance, stale resources and undo like every other source.

  --dry-run      prints what would be sent and what has no place, without sending anything
  --name         the name of the integration (default: the name of the other catalog)
  --url          the address of the server, e.g. https://catalog.example.com (or TABLINUM_URL)
  --token        an API token (or TABLINUM_TOKEN, which keeps it out of the list of processes)
  --help

A file is a JSON list, a page of the API, or one record per line. OpenMetadata: records of
/api/v1/tables, databases, databaseSchemas, dashboards, charts, pipelines, topics, glossaries,
glossaryTerms, tags, users, teams, domains, dataProducts, queries, lineage. Secoda: resources.json,
users.json, groups.json, tags.json, integrations.json, lineage.json, documents.json, questions.json,
custom_properties.json.

Exits with code 1 if the catalog could not be built.
`

const CONVERTERS = {
  openmetadata: { convert: convertOpenMetadata, name: 'OpenMetadata' },
  secoda: { convert: convertSecoda, name: 'Secoda' },
} as const

export const isCatalog = (name = ''): boolean => Object.hasOwn(CONVERTERS, name)

const OPTIONS = { ...SERVER_OPTIONS, name: { type: 'string' }, 'dry-run': { type: 'boolean' } } as const

export const importFromCommand: Command = {
  name: 'import-from',
  summary: 'import the export of another catalog (OpenMetadata, Secoda)',
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
    const [catalog = '', ...paths] = positionals
    const converter = isCatalog(catalog) ? CONVERTERS[catalog as keyof typeof CONVERTERS] : undefined
    if (!converter) throw new CliError(`Expected one of ${Object.keys(CONVERTERS).join(', ')}. Run with --help for details.`)
    if (paths.length === 0) throw new CliError('Expected a file or folder. Run with --help for details.')
    const files = await Promise.all((await findFiles(paths)).map(async (file) => readRecords(file, await readFile(file, 'utf8'))))
    const writer = converter.convert(files, values.name ?? converter.name)
    printReport(writer)
    if (values['dry-run']) return 0
    if (writer.events.length === 0) throw new CliError('There is nothing to import.')
    const server = getServerOptions(values)
    const { jobs } = await sendEvents(server, '/integration/datahub/events', writer.events)
    return (await printResults(server, jobs)) ? 0 : 1
  },
}

const findFiles = async (paths: readonly string[]): Promise<string[]> => {
  const found: string[] = []
  for (const path of paths) {
    const isFolder = await stat(path).then(
      (stats) => stats.isDirectory(),
      (error: Error) => {
        throw new CliError(`Cannot read ${path}: ${error.message}`)
      },
    )
    if (isFolder)
      found.push(...(await readdir(path)).filter((name) => /\.(json|jsonl|ndjson)$/i.test(name)).map((name) => join(path, name)))
    else found.push(path)
  }
  return found.toSorted()
}

const printReport = ({ counts, losses, events }: EventWriter): void => {
  for (const [kind, n] of counts) process.stdout.write(`${kind}: ${n.toLocaleString('en')}\n`)
  for (const line of losses.lines) process.stdout.write(`Not taken over: ${line}\n`)
  process.stdout.write(`${events.length.toLocaleString('en')} aspects.\n`)
}
