import type { Schemas } from './types.ts'

type Body = Schemas['Error']

/** A refusal, as the server words it. `code` is for programs, `detail` for people, `errors` names the fields. */
export class TablinumError extends Error {
  readonly status: number
  /** `unknown` when something between the two answered, and not in the server's words. */
  readonly code: Body['code'] | 'unknown'
  readonly detail: string
  readonly errors: Readonly<Record<string, readonly string[]>>
  /** Helps to find the request in the server's log. */
  readonly request_id: string | undefined

  constructor(status: number, body: Partial<Body> = {}) {
    const detail = body.detail ?? `The server answered ${status}.`
    super(detail)
    this.name = 'TablinumError'
    this.status = status
    this.code = body.code ?? 'unknown'
    this.detail = detail
    this.errors = body.errors ?? {}
    this.request_id = body.request_id
  }
}

export const errorOf = async (response: Response): Promise<TablinumError> => {
  const text = await response.text()
  return new TablinumError(response.status, bodyIn(text))
}

const bodyIn = (text: string): Partial<Body> | undefined => {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'code' in body ? (body as Body) : undefined
  } catch {
    return undefined // a proxy's page, perhaps
  }
}
