import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The version of this installation, as in package.json. */
export const PRODUCT_VERSION: string = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')).version
