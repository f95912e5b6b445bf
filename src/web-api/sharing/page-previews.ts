import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { PagePreview } from '../../platform/http/page-preview.ts'
import { describeHealth, describeType, shortenText } from './preview-text.ts'
import { getSharedPage, readHealth, type SharedPage } from './public-page.ts'
import { findResource, getContextOfEveryone, parseResourcePath } from './seen-by-everyone.ts'
import { readSharingSettings } from './settings.ts'
import { withoutInternalLinks } from './without-internal-links.ts'

declare module '../../platform/context/runtime.ts' {
  interface Runtime {
    /** Previews of links, four at once: they are read before authentication and the rate limit. */
    readonly pagePreviews: PagePreviews
  }
}

export interface PreviewRequest {
  readonly path: string
  readonly publicUrl: string
  /** A browser of somebody who is signed in needs no preview, and caches the page. */
  readonly hasSession: boolean
}

const MAX_RUNNING = 4
const MAX_MS = 1_500

/**
 * What a chat shows of the address of a page. Anybody can request any address, and people whose session ended need the page itself: whatever the
 * database does, the page waits for its preview only shortly, and many requests take few connections.
 */
export class PagePreviews {
  #running = 0

  /** Undefined: the same as of every other page, whether there is one or not. */
  async find(ctx: Context, request: PreviewRequest, onError: (error: unknown) => void): Promise<PagePreview | undefined> {
    const address = parseAddress(request)
    if (!address || this.#running >= MAX_RUNNING) return undefined
    this.#running += 1
    const signal = AbortSignal.timeout(MAX_MS)
    const timedOut = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))
    const found = readPreview({ ...ctx, limits: { signal, inflightQueryAbortStrategy: 'cancel query' } }, address, request.publicUrl)
      .catch((error) => {
        if (!(error instanceof ApiError && error.code === 'not_found')) onError(error)
        return undefined
      })
      .finally(() => {
        this.#running -= 1
      })
    return Promise.race([found, timedOut])
  }
}

type Address = { readonly link: string } | { readonly resource: string }

const PUBLIC_LINK_PATH = /^\/shared\/([A-Za-z0-9_-]{22})\/?$/

const parseAddress = ({ path, hasSession }: PreviewRequest): Address | undefined => {
  const [, link] = PUBLIC_LINK_PATH.exec(path) ?? []
  if (link !== undefined) return { link }
  const resource = hasSession ? undefined : parseResourcePath(path)
  return resource === undefined ? undefined : { resource }
}

const readPreview = async (ctx: Context, address: Address, publicUrl: string): Promise<PagePreview | undefined> => {
  const page = await findShownPage(ctx, address)
  return page && renderPreview(page, publicUrl)
}

const findShownPage = async (ctx: Context, address: Address): Promise<Omit<SharedPage, 'link'> | undefined> => {
  if ('link' in address) return getSharedPage(ctx, sql`l.preview_key = ${address.link}`)
  if (!(await readSharingSettings(ctx)).link_previews) return undefined
  const reader = await getContextOfEveryone(ctx)
  const resource = await findResource(reader, address.resource)
  return resource && { reader, resource }
}

const renderPreview = async ({ reader, resource }: Omit<SharedPage, 'link'>, publicUrl: string): Promise<PagePreview> => {
  const description = resource.description ? withoutInternalLinks(resource.description, publicUrl).replace(/\s+/g, ' ').trim() : ''
  const facts = [describeType(resource.entity_type), describeHealth(await readHealth(reader, resource)), shortenText(description)]
  return { title: resource.title, description: facts.filter(Boolean).join(' · ') }
}
