import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { checkConnector } from '../../../connector/src/check.ts'
import { isObject, type Settings } from '../../../connector/src/protocol.ts'
import { CliError, type Command } from './command.ts'

const HELP = `Usage: tablinum connector new [--sql] <folder>
       tablinum connector check [--settings <file>] [--allow <host>] <program> [arguments]

new    creates a connector in TypeScript with tests and recorded answers, to start from
check  runs the contract that every connector must fulfil, in any language; "node" is the Node.js
       that runs this command

  --sql       new: a connector that also runs queries, for previews, profiles and monitors
  --settings  a JSON file with settings, secrets among them: also tests the connection and discovers
              everything, twice
  --allow     a host inside your network that the connector may reach; can be repeated
  --help

Exits with code 1 if a check failed.
`

const TEMPLATE = new URL('../../../connector/template', import.meta.url)
const SQL_TEMPLATE = new URL('../../../connector/template-sql', import.meta.url)
const LIBRARY = new URL('../../../connector/src/index.ts', import.meta.url)

export const connectorCommand: Command = {
  name: 'connector',
  summary: 'create a connector, or check that one fulfils the contract',
  help: HELP,
  run: async ([action, ...args]) => {
    if (action === 'new') return createConnector(args)
    if (action === 'check') return checkProgram(args)
    throw new CliError('Expected "new" or "check". Run with --help for details.')
  },
}

const createConnector = (args: readonly string[]): number => {
  const [folder, ...more] = args.filter((each) => each !== '--sql')
  if (folder === undefined || folder.startsWith('-') || more.length > 0)
    throw new CliError('Expected exactly one folder to create. Run with --help for details.')
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new CliError(`The folder "${folder}" is not empty.`)
  cpSync(args.includes('--sql') ? SQL_TEMPLATE : TEMPLATE, folder, { recursive: true })
  // The library of this installation, until the connector gets it as a package.
  const library = relative(resolve(folder), fileURLToPath(LIBRARY))
  for (const name of ['connector.ts', 'connector.test.ts']) {
    const file = join(folder, name)
    writeFileSync(file, readFileSync(file, 'utf8').replace("'@tablinum/connector'", `'${library.startsWith('.') ? '' : './'}${library}'`))
  }
  process.stdout.write(`Created ${folder}. Check it: tablinum connector check node ${join(folder, 'connector.ts')}\n`)
  return 0
}

const checkProgram = async (args: readonly string[]): Promise<number> => {
  // Options of the program itself come after its name.
  const start = args.findIndex((each, i) => !each.startsWith('-') && !args[i - 1]?.startsWith('--'))
  const [options, program] = start < 0 ? [args, []] : [args.slice(0, start), args.slice(start)]
  const { values } = parseArgs({
    args: [...options],
    options: { settings: { type: 'string' }, allow: { type: 'string', multiple: true, default: [] } },
  })
  if (program.length === 0) throw new CliError('Expected the program of the connector. Run with --help for details.')
  const command = program.map((part) => (existsSync(part) ? resolve(part) : part)) // it runs in another folder
  const settings = values.settings === undefined ? undefined : await readSettings(values.settings)
  let failed = 0
  for await (const { check, problem } of checkConnector({ command }, { settings, allowedHosts: values.allow })) {
    process.stdout.write(problem === undefined ? `ok      ${check}\n` : `failed  ${check}: ${problem}\n`)
    if (problem !== undefined) failed += 1
  }
  if (settings === undefined) process.stdout.write('The connection was not tested: no --settings.\n')
  return failed > 0 ? 1 : 0
}

const readSettings = async (file: string): Promise<Settings> => {
  if (!existsSync(file)) throw new CliError(`File not found: "${file}".`)
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (isObject(value)) return value
  } catch {
    // Not JSON: the same error.
  }
  throw new CliError(`"${file}" must contain a JSON object with the settings.`)
}
