import { parseArgs } from 'node:util'
import { dialectNames, findDialect } from '../../sql/index.ts'
import { CliError, type Command } from './command.ts'
import { readScripts } from './files.ts'
import { formatJson } from './json.ts'
import { formatMermaid } from './mermaid.ts'
import { formatOpenLineage } from './openlineage.ts'
import { buildReport, type LineageReport } from './report.ts'
import { readSchema } from './schema.ts'
import { formatText } from './text.ts'

/** Output formats. */
const FORMATS: Readonly<Record<string, (report: LineageReport, options: { namespace: string; columns: boolean }) => string>> = {
  text: formatText,
  json: formatJson,
  mermaid: formatMermaid,
  openlineage: formatOpenLineage,
}

const HELP = `Usage: tablinum lineage [options] <file, folder or -> …

Prints the tables and columns that SQL reads and writes. Needs no server and no database.
A folder means every .sql file in it; - is the standard input.

  --dialect <name>           ${wrapList(dialectNames.join(', '))}
                             (default: postgres)
  --format <format>          text (default), json, mermaid, openlineage
  --default-schema <name>    completes names without a schema
  --default-database <name>  completes names without a database
  --schema <file>            the columns of tables, to expand SELECT *: JSON, e.g.
                             {"shop.orders": ["id", "price"]}, or SQL with CREATE TABLE statements
  --models                   a file with only a SELECT writes the table named like the file
  --columns                  mermaid: include columns
  --namespace <name>         openlineage: the namespace of tables and jobs (default: the dialect)
  --help

Exits with code 1 if some SQL could not be parsed (see file:line:column); the rest is printed anyway.
`

function wrapList(text: string): string {
  return text.replace(/(.{1,80})(?:, |$)/g, (_, line: string, at: number) => `${at === 0 ? '' : ',\n                             '}${line}`)
}

const OPTIONS = {
  dialect: { type: 'string', default: 'postgres' },
  format: { type: 'string', default: 'text' },
  'default-schema': { type: 'string' },
  'default-database': { type: 'string' },
  schema: { type: 'string' },
  models: { type: 'boolean', default: false },
  columns: { type: 'boolean', default: false },
  namespace: { type: 'string' },
} as const

export const lineageCommand: Command = {
  name: 'lineage',
  summary: 'print the tables and columns that SQL files read and write',
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
    const { dialect, format } = values
    if (!findDialect(dialect)) throw new CliError(`Unknown dialect "${dialect}". Available: ${dialectNames.join(', ')}.`)
    const print = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
    if (!print) throw new CliError(`Unknown format "${format}". Available: ${Object.keys(FORMATS).join(', ')}.`)
    if (positionals.length === 0) throw new CliError('Expected a file, a folder, or - for the standard input. Run with --help for details.')
    const reportOptions = {
      dialect,
      defaults: { database: values['default-database'] ?? null, schema: values['default-schema'] ?? null },
      models: values.models,
    }
    const columnsByTable = values.schema === undefined ? new Map() : await readSchema(values.schema, reportOptions)
    const report = buildReport(await readScripts(positionals), reportOptions, columnsByTable)
    const text = print(report, { namespace: values.namespace ?? dialect, columns: values.columns })
    await new Promise<void>((done) => process.stdout.write(text, () => done()))
    for (const { file, line, column, message, hint } of report.problems)
      process.stderr.write(`${file}:${line}:${column}: ${[message, hint].filter(Boolean).join(' ')}\n`)
    return report.problems.length > 0 ? 1 : 0
  },
}
