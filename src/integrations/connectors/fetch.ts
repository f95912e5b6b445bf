/** Fetches a file from an address somebody gave: in bounded time and size, and without handing the token to anybody else. */
export interface Fetching {
  /** Sent as a bearer token, to the host of the address alone. */
  readonly token?: string | undefined
  readonly most: number
  readonly signal: AbortSignal
}

const LONGEST_MS = 120_000
const MOST_HOPS = 5
const REDIRECTS = [301, 302, 303, 307, 308]
const ABSENT = [404, 410]

/** Nothing when there is no such file. */
export const fetchFile = async (address: URL, { token, most, signal }: Fetching): Promise<Uint8Array | undefined> => {
  const until = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)])
  let at = address
  for (let hop = 0; hop <= MOST_HOPS; hop += 1) {
    mustBeHttp(at)
    const own = at.origin === address.origin
    const answer = await fetch(at, {
      redirect: 'manual',
      signal: until,
      headers: own && token ? { authorization: `Bearer ${token}` } : {},
    }).catch((error: Error) => {
      throw new Error(`${at.host} does not answer: ${(error.cause as Error | undefined)?.message || error.message}.`)
    })
    const next = answer.headers.get('location')
    if (REDIRECTS.includes(answer.status) && next) {
      await answer.body?.cancel()
      if (!URL.canParse(next, at.href)) throw new Error(`${at.host} sends us on to an address that is none.`)
      at = new URL(next, at)
      continue
    }
    if (answer.ok) return read(answer, most, at)
    await answer.body?.cancel()
    if (ABSENT.includes(answer.status)) return undefined
    throw new Error(
      `${at.host} answers with ${answer.status}${answer.status === 401 || answer.status === 403 ? ': look at the token' : ''}.`,
    )
  }
  throw new Error(`${address.host} sends us on and on.`)
}

const mustBeHttp = ({ protocol }: URL): void => {
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('The address must begin with https:// or http://.')
}

const read = async (answer: Response, most: number, { host }: URL): Promise<Uint8Array> => {
  const tooLarge = new Error(`The file at ${host} has more than ${Math.floor(most / 1024 / 1024)} MB.`)
  if (Number(answer.headers.get('content-length') ?? 0) > most) throw tooLarge
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.byteLength
    if (size > most) throw tooLarge
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
