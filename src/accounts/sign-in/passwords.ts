import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { invalid } from '../../platform/core/errors.ts'
import { type Translatable, translatable } from '../../platform/core/translatable.ts'

/** Password policy and hashing. Only the argon2id hash and its parameters are stored. */
const derive = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>

// The OWASP minimum. More memory would let a few concurrent sign-ins overload a small machine.
const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1

export const hashPassword = async (password: string): Promise<string> => {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', toParameters(password, nonce, MEMORY_KIB, PASSES, LANES))
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${toBase64(nonce)}$${toBase64(tag)}`
}

/** Without a stored password it takes the same time, so that the duration does not reveal which accounts have one. */
export const verifyPassword = async (password: string, stored: string | undefined): Promise<boolean> => {
  const [, m, t, p, nonce = '', tag = ''] = HASH_PATTERN.exec(stored ?? (await getDummyHash())) ?? []
  const expected = Buffer.from(tag, 'base64')
  const found = await derive('argon2id', toParameters(password, Buffer.from(nonce, 'base64'), Number(m), Number(t), Number(p)))
  return timingSafeEqual(found, expected) && stored !== undefined
}

const HASH_PATTERN = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/
const toBase64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

let cachedDummyHash: Promise<string> | undefined
const getDummyHash = (): Promise<string> => {
  cachedDummyHash ??= hashPassword(randomBytes(16).toString('hex'))
  return cachedDummyHash
}

/** NFKC: the same characters typed on different keyboards are the same password. */
const toParameters = (password: string, nonce: Buffer, memory: number, passes: number, parallelism: number): Argon2Parameters => ({
  message: password.normalize('NFKC'),
  nonce,
  memory,
  passes,
  parallelism,
  tagLength: 32,
})

export const MIN_PASSWORD_LENGTH = 10
export const MAX_PASSWORD_LENGTH = 500

/** Requires only length, and rejects the most obvious guesses. */
export const assertPasswordPolicy = (password: string, user: { email: string; name: string }): void => {
  const plain = password.normalize('NFKC').toLowerCase()
  const problem =
    [...plain].length < MIN_PASSWORD_LENGTH
      ? translatable('must have at least {min} characters.', { min: MIN_PASSWORD_LENGTH })
      : findWeakness(plain, user)
  if (problem) throw invalid({ password: [problem] })
}

const findWeakness = (plain: string, { email, name }: { email: string; name: string }): Translatable | undefined => {
  const own = [email, email.split('@')[0]!, name].map((each) => each.toLowerCase())
  if (own.includes(plain)) return translatable('must not be your name or e-mail address.')
  const isCommon = COMMON.some((each) => plain === each || plain.repeat(2).includes(each.repeat(2)))
  if (new Set(plain).size < 4 || isCommon || isCommonWord(plain))
    return translatable('is too common. Choose a password that is harder to guess.')
  return undefined
}

/** The most common leaked passwords that are long enough. */
const COMMON = [
  ...['passwordpassword', 'passw0rd123', 'p@ssword123', 'p@ssw0rd123', '1234567890', '0123456789', '0987654321', '12345678910'],
  ...['1q2w3e4r5t', '1qaz2wsx3edc', 'qwertyuiop', 'adminadmin', 'abcdefghij'],
]

/** Guessed first with a year and a sign: Summer2026! */
const isCommonWord = (plain: string): boolean => {
  const letters = plain.replace(/\P{L}/gu, '')
  return COMMON_WORDS.has(letters) && plain.length - letters.length <= 8
}

const COMMON_WORDS = new Set(
  `password passwort welcome willkommen changeme letmein iloveyou admin administrator qwerty qwertz abc tablinum spring summer autumn fall winter
  january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday
  frühling sommer herbst januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag`
    .trim()
    .split(/\s+/),
)
