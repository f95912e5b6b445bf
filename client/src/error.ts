import type { Schemas } from './types.ts'

type Body = Schemas['Error']

/** An error response of the server. `code` is for programs, `detail` for people, `errors` has messages by field. */
export class TablinumError extends Error {
  readonly status: number
  /** `unknown` if the response is not from Tablinum, e.g. from a proxy. */
  readonly code: Body['code'] | 'unknown'
  readonly detail: string
  readonly errors: Readonly<Record<string, readonly string[]>>
  /** Helps to find the request in the server's log. */
  readonly request_id: string | undefined

  constructor(status: number, body: Partial<Body> = {}) {
    const detail = body.detail ?? `The server returned status ${status}.`
    super(detail)
    this.name = 'TablinumError'
    this.status = status
    this.code = body.code ?? 'unknown'
    this.detail = detail
    this.errors = body.errors ?? {}
    this.request_id = body.request_id
  }
}

export const readError = async (response: Response): Promise<TablinumError> => {
  const text = await response.text()
  return new TablinumError(response.status, parseBody(text))
}

const parseBody = (text: string): Partial<Body> | undefined => {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'code' in body ? (body as Body) : undefined
  } catch {
    return undefined // e.g. an HTML page of a proxy
  }
}
