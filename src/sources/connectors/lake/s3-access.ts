import { AwsV4Signer } from 'aws4fetch'
import type { RunContext } from '../../../../connector/src/define.ts'
import type { HttpRequest } from '../../../../connector/src/http.ts'
import { createBiClient } from '../bi/bi-client.ts'
import { signInToGoogle } from './google-token.ts'
import type { LakeGcsSettings, LakeS3Settings } from './lake-settings.ts'
import { S3Storage } from './s3-storage.ts'
import { trimSlashes } from './storage.ts'

interface SigningKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
  readonly region: string
}

/** Signs requests with signature version 4, which HMAC keys of Google Cloud Storage have too. */
const signWith =
  (baseUrl: string, key: SigningKey) =>
  async (path: string, { query = {}, headers = {} }: Pick<HttpRequest, 'query' | 'headers'>): Promise<Record<string, string>> => {
    const url = new URL(`${baseUrl}${path}`)
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.append(name, String(value))
    const signed = await new AwsV4Signer({ ...key, method: 'GET', url: url.href, service: 's3', headers: { ...headers } }).sign()
    return Object.fromEntries(signed.headers)
  }

export const openS3 = (context: RunContext<LakeS3Settings>): S3Storage => {
  const { region, url, bucket, prefix, access_key_id, secret_access_key, session_token } = context.settings
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(region)) throw new Error('The region must be written as in eu-central-1.')
  const baseUrl = (url || `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`).replace(/\/+$/, '')
  const key = { accessKeyId: access_key_id, secretAccessKey: secret_access_key, region }
  return new S3Storage({
    ...{ client: createBiClient('S3', baseUrl, context), scheme: 's3', bucket, prefix: trimSlashes(prefix) },
    sign: signWith(baseUrl, session_token ? { ...key, sessionToken: session_token } : key),
  })
}

export const openGcs = async (context: RunContext<LakeGcsSettings>): Promise<S3Storage> => {
  const { bucket, prefix, access_key_id, secret_access_key, service_account } = context.settings
  const baseUrl = context.settings.url.replace(/\/+$/, '')
  const client = createBiClient('Google Cloud Storage', baseUrl, context)
  const options = { client, scheme: 'gs', bucket, prefix: trimSlashes(prefix) }
  if (service_account) {
    await signInToGoogle(client, service_account, context)
    return new S3Storage(options)
  }
  if (!access_key_id || !secret_access_key)
    throw new Error('Google Cloud Storage needs the key file of a service account, or an HMAC key: an access key ID and its secret.')
  const key = { accessKeyId: access_key_id, secretAccessKey: secret_access_key, region: 'auto' }
  return new S3Storage({ ...options, sign: signWith(baseUrl, key) })
}
