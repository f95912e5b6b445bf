import { CliError } from './command.ts'

/** Options of commands that call a server. */
export const SERVER_OPTIONS = { url: { type: 'string' }, token: { type: 'string' } } as const

export interface ServerOptions {
  readonly url: string
  readonly token: string
}

/** The options, or the environment, in which a token does not appear in the list of processes. */
export const getServerOptions = (values: { readonly url?: string; readonly token?: string }): ServerOptions => {
  const url = values.url ?? process.env.TABLINUM_URL
  const token = values.token ?? process.env.TABLINUM_TOKEN
  if (!url || !URL.canParse(url)) throw new CliError('Set --url to the address of the server, e.g. https://catalog.example.com.')
  if (!token) throw new CliError('Set TABLINUM_TOKEN (or --token) to an API token. Create one in the settings of the web app.')
  return { url, token }
}
