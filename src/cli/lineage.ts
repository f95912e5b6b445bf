import { parseArgs } from 'node:util'
import { dialectNames, findDialect } from '../sql/index.ts'
import { CliError, type Command } from './command.ts'
import { readScripts } from './files.ts'
import { asJson } from './json.ts'
import { asMermaid } from './mermaid.ts'
import { asOpenLineage } from './openlineage.ts'
import { type Report, reportOn } from './report.ts'
import { readSchema } from './schema.ts'
import { asText } from './text.ts'

/** How a report can be printed. */
const FORMATS: Readonly<Record<string, (report: Report, options: { namespace: string; columns: boolean }) => string>> = {
  text: asText,
  json: asJson,
  mermaid: asMermaid,
  openlineage: asOpenLineage,
}

const HELP = `Usage: tablinum lineage [options] <file, folder or -> …

Reads SQL and says where its data comes from and goes to. Needs no server and no database.
A folder stands for every .sql file in it; - is the standard input.

  --dialect <name>           ${wrapped(dialectNames.join(', '))}
                             (default: postgres)
  --format <format>          text (default), json, mermaid, openlineage
  --default-schema <name>    completes names without a schema
  --default-database <name>  completes names without a database
  --schema <file>            the columns of tables, so that stars can be written out: JSON such as
                             {"shop.orders": ["id", "price"]}, or SQL with CREATE TABLE statements
  --models                   a file that only selects fills the table it is named after
  --columns                  mermaid: draw the columns as well
  --namespace <name>         openlineage: the namespace of tables and jobs (default: the dialect)
  --help

Exit code 1 when something could not be read: file:line:column says where. The rest is printed all the same.
`

function wrapped(text: string): string {
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
  summary: 'tables and columns that SQL files read and write',
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
    const { dialect, format } = values
    if (!findDialect(dialect)) throw new CliError(`There is no dialect "${dialect}". Known are ${dialectNames.join(', ')}.`)
    const print = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
    if (!print) throw new CliError(`There is no format "${format}". Known are ${Object.keys(FORMATS).join(', ')}.`)
    if (positionals.length === 0) throw new CliError('Name a file, a folder, or - for the standard input. --help says more.')
    const reading = {
      dialect,
      defaults: { database: values['default-database'] ?? null, schema: values['default-schema'] ?? null },
      models: values.models,
    }
    const known = values.schema === undefined ? new Map() : await readSchema(values.schema, reading)
    const report = reportOn(await readScripts(positionals), reading, known)
    const text = print(report, { namespace: values.namespace ?? dialect, columns: values.columns })
    await new Promise<void>((done) => process.stdout.write(text, () => done()))
    for (const { file, line, column, message, hint } of report.problems)
      process.stderr.write(`${file}:${line}:${column}: ${[message, hint].filter(Boolean).join(' ')}\n`)
    return report.problems.length > 0 ? 1 : 0
  },
}
