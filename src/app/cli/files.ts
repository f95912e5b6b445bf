import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { CliError } from './command.ts'

/** Name of the standard input in reports. */
export const STDIN = '<stdin>'

export interface Script {
  /** The name given by the caller. */
  readonly file: string
  readonly sql: string
}

/** Reads all scripts of these files and folders, sorted by name. */
export const readScripts = async (names: readonly string[]): Promise<Script[]> => {
  const scripts: Script[] = []
  for (const name of names) {
    if (name === '-') scripts.push({ file: STDIN, sql: await text(process.stdin) })
    else for (const file of await findFiles(name)) scripts.push({ file, sql: (await readFile(file, 'utf8')).replace(/^\uFEFF/, '') })
  }
  return scripts
}

const findFiles = async (name: string): Promise<string[]> => {
  const found = await stat(name).catch(() => undefined)
  if (!found) throw new CliError(`File or folder not found: "${name}".`)
  if (!found.isDirectory()) return [name]
  const entries = await readdir(name, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && /\.sql$/i.test(entry.name)).map((entry) => join(entry.parentPath, entry.name))
  if (files.length === 0) throw new CliError(`No .sql files in "${name}".`)
  return files.sort()
}
