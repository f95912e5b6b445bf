// `npm run reliability -- <script> [--option n]`: runs one of the scripts of this folder. Each ends by itself and prints a table.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const SCRIPTS = ['kills', 'failovers', 'faults', 'notifications', 'backup', 'fuzz', 'soak']
const [name = ''] = process.argv.splice(2, 1)
if (!SCRIPTS.includes(name) || !existsSync(join(import.meta.dirname, `${name}.ts`)))
  throw new Error(`Usage: npm run reliability -- <${SCRIPTS.join('|')}> [options]`)
await import(`./${name}.ts`)
