import { randomBytes, scrypt } from 'node:crypto'
import { access, link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Refusal } from '../errors.ts'
import { type Key, keyOf } from './secrets.ts'

export interface KeySource {
  /** `TABLINUM_SECRET_KEY`: the first seals, all open. */
  readonly secretKeys?: readonly string[]
  /** Where a key is kept when none is given. */
  readonly dataFolder?: string
}

const FILE = 'secret.key'
const KEY_BYTES = 32
// A given key may be a phrase: guessing must be slow. Once a process and key, some 50 ms, when a secret is first needed.
const SALT = 'tablinum.secrets'

/** The keys of this process, made when first needed: whoever keeps no secrets has no key file. */
export class Keyring {
  readonly #source: KeySource
  #keys: Promise<readonly Key[]> | undefined

  constructor(source: KeySource) {
    this.#source = source
  }

  /** The first seals; all open. */
  keys(): Promise<readonly Key[]> {
    this.#keys ??= load(this.#source).catch((error) => {
      this.#keys = undefined
      throw error
    })
    return this.#keys
  }
}

const load = async ({ secretKeys = [], dataFolder }: KeySource): Promise<readonly Key[]> => {
  if (secretKeys.length > 0) return Promise.all(secretKeys.map(async (text) => keyOf(await derive(text))))
  if (dataFolder) return [keyOf(await readKeyFile(dataFolder))]
  throw new Refusal('unavailable', 'This process has no key to keep secrets with. Set TABLINUM_SECRET_KEY.')
}

const derive = (text: string): Promise<Buffer> => promisify<string, string, number, Buffer>(scrypt)(text, SALT, KEY_BYTES)

/** Made once, for the owner's eyes only. Of two processes that make it at the same moment, both read the first one's, and never half of it. */
const readKeyFile = async (folder: string): Promise<Buffer> => {
  const path = join(folder, FILE)
  if (!(await exists(path))) await makeKeyFile(folder, path)
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64')
  if (key.length === KEY_BYTES) return key
  // Not written anew: what was sealed with the right one would be lost.
  throw new Refusal('unavailable', `The key file ${FILE} in the data folder is damaged. Put back a copy, or set TABLINUM_SECRET_KEY.`)
}

const makeKeyFile = async (folder: string, path: string): Promise<void> => {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await mkdir(folder, { recursive: true })
  try {
    {
      await using file = await open(draft, 'wx', 0o600)
      await file.writeFile(`${randomBytes(KEY_BYTES).toString('base64')}\n`)
      await file.sync() // what is sealed with it may reach the disk before it does
    }
    await link(draft, path)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
