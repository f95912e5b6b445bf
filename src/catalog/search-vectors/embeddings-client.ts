import { LRUCache } from 'lru-cache'
import type { EmbeddingsConfig } from '../../platform/config/config.ts'
import { parseRetryAfter } from '../../platform/outbound/retry-after.ts'
import { type CompactVector, toCompactVector } from './vectors.ts'

declare module '../../platform/context/runtime.ts' {
  interface Runtime {
    /** The embeddings service, if the operator has set one. */
    readonly embeddings: EmbeddingsClient | undefined
  }
}

/** The message never contains the key, or the response, which may repeat it. */
export class EmbeddingsError extends Error {
  /** Undefined if there was no valid response. */
  readonly status: number | undefined
  /** Pause requested with `Retry-After`. */
  readonly after_ms: number | undefined

  constructor(message: string, status?: number, after_ms?: number) {
    super(message)
    this.status = status
    this.after_ms = after_ms
  }

  /** A text was rejected, e.g. because it is too long for the model. */
  get isRejected(): boolean {
    return this.status === 400 || this.status === 413 || this.status === 422
  }

  /** The same request may succeed later. */
  get isTemporary(): boolean {
    return this.status === undefined || this.status === 408 || this.status === 429 || this.status >= 500
  }
}

const QUERY_TIMEOUT_MS = 500 // a search waits no longer, and answers without vectors
const BATCH_TIMEOUT_MS = 30_000
const PAUSE_MS = 15_000 // without requests for queries after a failure
const MAX_CACHED_QUERIES = 1_000
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024
const MAX_DIMENSIONS = 4_096

/** Requests to an OpenAI-compatible embeddings endpoint. */
export class EmbeddingsClient {
  /** Vectors are only compared with those of the same model and size. */
  readonly model: string
  readonly #config: EmbeddingsConfig
  readonly #queries = new LRUCache<string, Promise<CompactVector | undefined>>({ max: MAX_CACHED_QUERIES })
  #pausedUntil = Number.NEGATIVE_INFINITY

  constructor(config: EmbeddingsConfig) {
    this.#config = config
    this.model = config.dimensions === undefined ? config.model : `${config.model} (${config.dimensions})`
  }

  /** The vector of a query; undefined if the service does not respond in time. */
  async embedQuery(text: string): Promise<CompactVector | undefined> {
    const known = this.#queries.get(text)
    if (known) return known
    if (performance.now() < this.#pausedUntil) return undefined
    const embedding = this.embed([text], QUERY_TIMEOUT_MS).then(
      ([vector]) => vector,
      (error: unknown) => {
        this.#queries.delete(text)
        // A rejected query says nothing about the next one.
        if (!(error instanceof EmbeddingsError && error.isRejected))
          this.#pausedUntil = performance.now() + ((error instanceof EmbeddingsError ? error.after_ms : undefined) ?? PAUSE_MS)
        return undefined
      },
    )
    this.#queries.set(text, embedding)
    return embedding
  }

  /** One vector for each text, in order. */
  async embed(texts: readonly string[], timeoutMs = BATCH_TIMEOUT_MS): Promise<CompactVector[]> {
    const { url, key, model, dimensions } = this.#config
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(`${url}/embeddings`, {
        method: 'POST',
        redirect: 'error', // the key is for this server only
        headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
        body: JSON.stringify({ model, input: texts, encoding_format: 'float', ...(dimensions ? { dimensions } : {}) }),
        signal,
      })
      if (!response.ok) {
        await response.body?.cancel()
        throw new EmbeddingsError(
          `The embeddings service responded with status ${response.status}.`,
          response.status,
          parseRetryAfter(response.headers.get('retry-after') ?? undefined),
        )
      }
      return parseVectors(await readText(response), texts.length).map(toCompactVector)
    } catch (error) {
      if (error instanceof EmbeddingsError) throw error
      throw new EmbeddingsError(
        signal.aborted
          ? `The embeddings service did not respond within ${timeoutMs / 1000} seconds.`
          : 'The embeddings service cannot be reached.',
      )
    }
  }
}

const readText = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_RESPONSE_BYTES) throw new EmbeddingsError('The response of the embeddings service is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** `{"data": [{"index": 0, "embedding": [0.1, …]}]}`, in any order. */
const parseVectors = (text: string, count: number): number[][] => {
  const wrong = new EmbeddingsError('The embeddings service did not respond with a vector for each text.')
  let parsed: { data?: { index?: unknown; embedding?: unknown }[] } | null
  try {
    parsed = JSON.parse(text)
  } catch {
    throw wrong
  }
  const vectors: number[][] = []
  for (const { index, embedding } of Array.isArray(parsed?.data) ? parsed.data : []) {
    if (!isVector(embedding) || typeof index !== 'number') throw wrong
    vectors[index] = embedding
  }
  const size = vectors[0]?.length
  if (vectors.length !== count || !Array.from(vectors).every((vector) => vector?.length === size)) throw wrong
  return vectors
}

const isVector = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.length <= MAX_DIMENSIONS && value.every(Number.isFinite)
