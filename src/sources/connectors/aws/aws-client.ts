import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { RunContext } from '../../../../connector/src/define.ts'
import { type HttpClient, HttpError } from '../../../../connector/src/http.ts'
import { readPagesByToken } from '../../../../connector/src/paging.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { createBiClient } from '../bi/bi-client.ts'
import type { AwsSettings } from './aws-settings.ts'

export interface AwsService {
  /** As in the signature and the public address: `glue`, `dynamodb`. */
  readonly service: string
  readonly label: string
  /** Before the name of an operation in the header of a request: `AWSGlue`. */
  readonly target: string
  readonly jsonVersion: '1.0' | '1.1'
}

/** AWS named the reason: `AccessDeniedException`. */
export class AwsError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const ATTEMPTS = 6
const FIRST_DELAY_MS = 500
const THROTTLED = /Throttl|TooManyRequests|ProvisionedThroughputExceeded|RequestLimitExceeded/

/** Calls operations of an AWS service that takes JSON, with signed requests. */
export class AwsClient {
  readonly #service: AwsService
  readonly #settings: AwsSettings
  readonly #url: string
  readonly #client: HttpClient
  readonly #log: RunContext['log']

  constructor(service: AwsService, context: RunContext<AwsSettings>) {
    const { region, url } = context.settings
    if (!/^[a-z]{2}(-[a-z]+)+-\d+$/.test(region)) throw new Error('The region must be written as in eu-central-1.')
    this.#service = service
    this.#settings = context.settings
    this.#url = (url || `https://${service.service}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`).replace(/\/+$/, '')
    this.#client = createBiClient(service.label, this.#url, context)
    this.#log = context.log
  }

  async call(operation: string, body: Readonly<Record<string, unknown>>): Promise<Shape> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const headers = await this.#sign(operation, JSON.stringify(body))
        return new Shape(await this.#client.send('/', { method: 'POST', body, headers }), operation)
      } catch (error) {
        const explained = this.#explain(operation, error)
        if (!THROTTLED.test(explained.code) || attempt === ATTEMPTS) throw explained
        const delay = FIRST_DELAY_MS * 2 ** (attempt - 1)
        await this.#log(`${explained.message} Trying again in ${Math.ceil(delay / 1000)} s.`)
        await sleep(delay)
      }
    }
  }

  async #sign(operation: string, body: string): Promise<Record<string, string>> {
    const { access_key_id: accessKeyId, secret_access_key: secretAccessKey, session_token: sessionToken, region } = this.#settings
    const { service, target, jsonVersion } = this.#service
    const signer = new AwsV4Signer({
      ...{ method: 'POST', url: `${this.#url}/`, body, accessKeyId, secretAccessKey, service, region },
      ...(sessionToken ? { sessionToken } : {}),
      headers: { 'content-type': `application/x-amz-json-${jsonVersion}`, 'x-amz-target': `${target}.${operation}` },
    })
    const { headers } = await signer.sign()
    return Object.fromEntries(headers)
  }

  /** Errors come as 400 with the reason in the body: `{"__type": "…#AccessDeniedException"}`. */
  #explain(operation: string, error: unknown): AwsError {
    if (!(error instanceof HttpError)) throw error
    const code = /"__type"\s*:\s*"(?:[^"#]*#)?(\w+)"/.exec(error.response)?.[1]
    if (code === undefined) throw error
    return new AwsError(code, `${this.#service.label}: ${operation} failed (${code}).`)
  }
}

/** All pages of a list; `next` is the parameter of the request and the field of the response that continue it. */
export const listPages = (
  client: AwsClient,
  operation: string,
  body: Readonly<Record<string, unknown>>,
  { next, items }: { readonly next: readonly [request: string, response: string]; readonly items: string },
): AsyncGenerator<Shape, void> =>
  readPagesByToken(operation, async (token) => {
    const page = await client.call(operation, token === undefined ? body : { ...body, [next[0]]: token })
    return { items: page.list(items), next: page.optionalText(next[1]) }
  })
