import { sign } from 'node:crypto'
import type { RunContext } from '../../../../connector/src/define.ts'
import type { HttpClient } from '../../../../connector/src/http.ts'
import { isObject } from '../../../../connector/src/protocol.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { createBiClient } from '../bi/bi-client.ts'
import type { HttpSettings } from '../bi/http-settings.ts'

const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_only'
const LIFETIME_SECONDS = 3600

/** Gives the client a token of a service account, and a new one when it has expired. */
export const signInToGoogle = async (client: HttpClient, keyFile: string, context: RunContext<HttpSettings>): Promise<void> => {
  const { email, privateKey, tokenUrl } = parseKeyFile(keyFile)
  const login = createBiClient('The sign-in of Google', tokenUrl.origin, context)
  const renew = async () => {
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: email, scope: SCOPE, aud: tokenUrl.href, iat: now, exp: now + LIFETIME_SECONDS }
    const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: createAssertion(claims, privateKey) }
    const answer = new Shape(await login.login(tokenUrl.pathname, { form }), `POST ${tokenUrl.pathname}`)
    client.setHeader('authorization', `Bearer ${answer.text('access_token')}`)
  }
  await renew()
  client.renewWith(renew)
}

const WRONG_KEY = 'The service account must be the JSON key file, with client_email, private_key and token_uri.'

/** Messages never repeat a value. */
const parseKeyFile = (text: string): { email: string; privateKey: string; tokenUrl: URL } => {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    throw new Error(WRONG_KEY)
  }
  const { client_email: email, private_key: privateKey, token_uri: url } = isObject(file) ? file : {}
  if (typeof email !== 'string' || typeof privateKey !== 'string' || typeof url !== 'string' || !URL.canParse(url))
    throw new Error(WRONG_KEY)
  return { email, privateKey, tokenUrl: new URL(url) }
}

const createAssertion = (claims: object, privateKey: string): string => {
  const unsigned = [{ alg: 'RS256', typ: 'JWT' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  try {
    return `${unsigned}.${sign('RSA-SHA256', Buffer.from(unsigned), privateKey).toString('base64url')}`
  } catch {
    throw new Error('The private key of the service account cannot be read.')
  }
}
