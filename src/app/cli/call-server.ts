import { CliError } from './command.ts'
import type { ServerOptions } from './server-options.ts'

/** Calls the API of a server: `path` is below `/api/v1`. An error of the server is one for the user, with what is wrong with each field. */
export const callServer = async <T>({ url, token }: ServerOptions, path: string, request: RequestInit = {}): Promise<T> => {
  const response = await fetch(`${url.replace(/\/+$/, '')}/api/v1${path}`, {
    ...request,
    headers: { ...request.headers, Authorization: `Bearer ${token}` },
  }).catch((error: Error) => {
    throw new CliError(`Cannot reach ${url}: ${(error.cause as Error | undefined)?.message ?? error.message}`)
  })
  const body = (await response.json().catch(() => ({}))) as T & { detail?: string; errors?: Record<string, string[]> }
  if (response.ok) return body
  const fields = Object.entries(body.errors ?? {}).map(([field, problems]) => `\n  ${field} ${problems.join(' ')}`)
  throw new CliError(`${body.detail ?? `The server responded with status ${response.status}.`}${fields.join('')}`, response.status)
}
