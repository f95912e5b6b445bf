import { randomBytes, scrypt } from 'node:crypto'
import { access, link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ApiError } from '../core/errors.ts'
import { translatable } from '../core/translatable.ts'
import { deriveKey, type Key } from './seal.ts'

declare module '../context/runtime.ts' {
  interface Runtime {
    readonly keyring: Keyring
  }
}

export interface KeySource {
  /** `TABLINUM_SECRET_KEY`: the first key seals, all of them unseal. */
  readonly secretKeys?: readonly string[]
  /** Where a generated key is stored when none is configured. */
  readonly dataFolder?: string
}

const FILE = 'secret.key'
const KEY_BYTES = 32
// A configured key may be a passphrase, so guessing must be slow: about 50 ms per process and key, when a secret is first needed.
const SALT = 'tablinum.secrets'

/** The keys of this process, loaded when first needed: without secrets no key file is created. */
export class Keyring {
  readonly #source: KeySource
  #keys: Promise<readonly Key[]> | undefined

  constructor(source: KeySource) {
    this.#source = source
  }

  /** The first key seals, all of them unseal. */
  keys(): Promise<readonly Key[]> {
    this.#keys ??= loadKeys(this.#source).catch((error) => {
      this.#keys = undefined
      throw error
    })
    return this.#keys
  }
}

const loadKeys = async ({ secretKeys = [], dataFolder }: KeySource): Promise<readonly Key[]> => {
  if (secretKeys.length > 0) return Promise.all(secretKeys.map(async (text) => deriveKey(await deriveKeyBytes(text))))
  if (dataFolder) return [deriveKey(await readKeyFile(dataFolder))]
  throw new ApiError('unavailable', translatable('No encryption key is configured, so secrets cannot be stored. Set TABLINUM_SECRET_KEY.'))
}

const deriveKeyBytes = (text: string): Promise<Buffer> => promisify<string, string, number, Buffer>(scrypt)(text, SALT, KEY_BYTES)

/** Created once, readable by the owner only. Of two processes that create it at the same time, both use the first one's file, never a partial one. */
const readKeyFile = async (folder: string): Promise<Buffer> => {
  const path = join(folder, FILE)
  if (!(await fileExists(path))) await createKeyFile(folder, path)
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64')
  if (key.length === KEY_BYTES) return key
  // Never overwritten: everything sealed with the original key would be lost.
  throw new ApiError(
    'unavailable',
    translatable('The key file {file} in the data folder is damaged. Restore it from a copy, or set TABLINUM_SECRET_KEY.', { file: FILE }),
  )
}

const createKeyFile = async (folder: string, path: string): Promise<void> => {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await mkdir(folder, { recursive: true })
  try {
    {
      await using file = await open(draft, 'wx', 0o600)
      await file.writeFile(`${randomBytes(KEY_BYTES).toString('base64')}\n`)
      await file.sync() // data sealed with this key may be written to disk before the key file is
    }
    await link(draft, path)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
}

const fileExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
