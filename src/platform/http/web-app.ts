import { hash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type PagePreview, withPreview } from './page-preview.ts'

/**
 * Serves the web app: the files of `web/dist`, and index.html for every URL of the client-side router. The files are held in memory and a URL
 * is looked up only among them, never on disk.
 */
export const addWebApp = (app: FastifyInstance, { folder = FOLDER, findPreview = async () => undefined }: WebAppOptions = {}): void => {
  const web = new WebFiles(folder)
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404 || (request.method !== 'GET' && request.method !== 'HEAD')) return
    const path = getPath(request)
    if (path === undefined || API_PATHS.test(path)) return
    const file = path === '/' || path === INDEX ? undefined : (await web.files()).get(path)
    if (file) return sendFile(request, reply, file)
    if (path !== '/' && !isPage(path, request.headers.accept)) return
    const [page, preview] = [await web.page(), await findPreview(path, request)]
    if (preview) reply.header('X-Robots-Tag', 'noindex')
    return sendFile(request, reply, preview ? toPageWithPreview(page, preview) : page)
  })
}

export interface WebAppOptions {
  readonly folder?: string
  /** What others may see of the page with this path; undefined: the same as of every other page, whether there is one or not. */
  readonly findPreview?: (path: string, request: FastifyRequest) => Promise<PagePreview | undefined>
}

/** Programs that preview links accept anything: they get the page where people link to one. */
const LINKED_PAGES = /^\/(r|documents|glossary|monitors|incidents|lineage|shared|search|people|teams|groups|why)(\/|$)/

const isPage = (path: string, accept = ''): boolean =>
  !path.startsWith(ASSETS) && (accept.includes('text/html') || (/^$|\*\/\*/.test(accept) && LINKED_PAGES.test(path)))

const FOLDER = join(import.meta.dirname, '../../../web/dist')
const INDEX = '/index.html'
const ASSETS = '/assets/'
/** Paths of the API never return the page. */
const API_PATHS = /^\/(ai|api|docs|mcp|metrics|healthcheck|readycheck|\.well-known)(\/|$)/

interface WebFile {
  readonly type: string
  readonly bytes: Buffer
  readonly etag: string
  readonly compressed: ReadonlyMap<string, Buffer>
  readonly headers: Readonly<Record<string, string>>
}

class WebFiles {
  readonly #folder: string
  #files?: Promise<ReadonlyMap<string, WebFile>>
  #built = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  files(): Promise<ReadonlyMap<string, WebFile>> {
    this.#files ??= readWebFiles(this.#folder)
    return this.#files
  }

  /** A new build is picked up with the next page load, without a restart. */
  async page(): Promise<WebFile> {
    const built = await stat(join(this.#folder, INDEX)).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    )
    if (built !== this.#built) this.#files = undefined
    this.#built = built
    return (await this.files()).get(INDEX) ?? NOT_BUILT
  }
}

const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

const readWebFiles = async (folder: string): Promise<ReadonlyMap<string, WebFile>> => {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = found.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
  const shown = paths.map((path) => [toUrlPath(folder, path), path] as const).filter(([address]) => !address.includes('/.'))
  const bytes = new Map(await Promise.all(shown.map(async ([address, path]) => [address, await readFile(path)] as const)))
  const plain = [...bytes].filter(([path]) => !ENCODINGS.some(([, end]) => path.endsWith(end)))
  return new Map(
    plain.map(([path, content]) => {
      const compressed = ENCODINGS.flatMap(([name, end]) => (bytes.has(path + end) ? [[name, bytes.get(path + end)!] as const] : []))
      return [path, toWebFile(path, content, new Map(compressed))]
    }),
  )
}

const toUrlPath = (folder: string, path: string): string => `/${relative(folder, path).split(sep).join('/')}`

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/**
 * Scripts only from this server and never inline; nothing from other servers. Inline styles are allowed: the dialogs lock scrolling with a
 * `<style>` element.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE_HEADERS = {
  'Content-Security-Policy': PAGE_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
}

/** Files under `/assets/` have a content hash in their name and are cached forever; all others are revalidated. */
const toWebFile = (path: string, bytes: Buffer, compressed: WebFile['compressed']): WebFile => ({
  type: CONTENT_TYPES[extname(path)] ?? 'application/octet-stream',
  bytes,
  etag: `W/"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`,
  compressed,
  headers: {
    'Cache-Control': path.startsWith(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(compressed.size > 0 ? { Vary: 'Accept-Encoding' } : {}),
    ...(path.endsWith('.html') ? PAGE_HEADERS : {}),
  },
})

/** Never stored: it changes with the page, and ends with its link. */
const toPageWithPreview = ({ bytes }: WebFile, preview: PagePreview): WebFile => {
  const page = toWebFile(INDEX, Buffer.from(withPreview(bytes.toString(), preview)), new Map())
  return { ...page, headers: { ...page.headers, 'Cache-Control': 'no-store' } }
}

const NOT_BUILT = toWebFile(
  INDEX,
  Buffer.from(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Tablinum</title>
<h1>Tablinum is running</h1>
<p>The web app has not been built yet. Stop the server and start it with <code>npm start</code>, which builds it, or build it yourself:</p>
<pre>npx vite build web</pre>
<p>The API works without it: <a href="/docs">API docs</a>.</p>
</html>
`),
  new Map(),
)

const sendFile = (request: FastifyRequest, reply: FastifyReply, { type, bytes, etag, compressed, headers }: WebFile): FastifyReply => {
  reply.headers(headers).type(type).header('ETag', etag)
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  const accepted = String(request.headers['accept-encoding'] ?? '').split(',')
  const [encoding, content] = [...compressed].find(([name]) => accepted.some((each) => acceptsEncoding(each, name))) ?? []
  if (encoding) reply.header('Content-Encoding', encoding)
  const body = content ?? bytes
  reply.header('Content-Length', body.length)
  return request.method === 'HEAD' ? reply.send() : reply.send(body)
}

/** `br`, `br;q=0.5`, but not `br;q=0`. */
const acceptsEncoding = (each: string, name: string): boolean => {
  const [coding, ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
  return coding === name && !parameters.some((part) => /^q=0(\.0*)?$/.test(part))
}

const getPath = ({ url }: FastifyRequest): string | undefined => {
  try {
    return decodeURIComponent(url.split('?')[0]!)
  } catch {
    return undefined
  }
}
