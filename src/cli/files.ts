import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { CliError } from './command.ts'

/** What the standard input is called in a report. */
export const STDIN = '<stdin>'

export interface Script {
  /** As the caller named it. */
  readonly file: string
  readonly sql: string
}

/** Every script these names stand for, in the order of their names. */
export const readScripts = async (names: readonly string[]): Promise<Script[]> => {
  const scripts: Script[] = []
  for (const name of names) {
    if (name === '-') scripts.push({ file: STDIN, sql: await text(process.stdin) })
    else for (const file of await filesAt(name)) scripts.push({ file, sql: (await readFile(file, 'utf8')).replace(/^\uFEFF/, '') })
  }
  return scripts
}

const filesAt = async (name: string): Promise<string[]> => {
  const found = await stat(name).catch(() => undefined)
  if (!found) throw new CliError(`There is no file or folder "${name}".`)
  if (!found.isDirectory()) return [name]
  const entries = await readdir(name, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && /\.sql$/i.test(entry.name)).map((entry) => join(entry.parentPath, entry.name))
  if (files.length === 0) throw new CliError(`There is no .sql file in "${name}".`)
  return files.sort()
}
