import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { PagePreview } from '../../platform/http/page-preview.ts'
import { PICTURE_SIZE, type PictureFact, type PictureText, toDrawableTitle } from './draw-picture.ts'
import { getPictureKey, Pictures } from './pictures.ts'
import { describeHealth, describeType, getHealthTone, shortenText } from './preview-text.ts'
import { getSharedPage, readHealth, type SharedPage } from './public-page.ts'
import { findResource, getContextOfAnyViewer, parseResourcePath } from './seen-by-everyone.ts'
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
  readonly #pictures = new Pictures()

  /** Undefined: the same as of every other page, whether there is one or not. */
  async find(ctx: Context, request: PreviewRequest, onError: (error: unknown) => void): Promise<PagePreview | undefined> {
    const page = await this.#read(ctx, request, onError)
    if (!page) return undefined
    const { title, type, health, description } = page
    const picture = toPicture(page)
    return {
      title,
      description: [type, health?.text, description].filter(Boolean).join(' · '),
      ...(picture && {
        image: {
          // Chats cache a picture by its URL, so the URL changes with the picture.
          url: `${request.publicUrl}${PICTURE_PATH}?path=${encodeURIComponent(request.path)}&v=${getPictureKey(picture)}`,
          ...PICTURE_SIZE,
          alt: [title, ...picture.facts.map(({ text }) => text)].join(' · '),
        },
      }),
    }
  }

  /** The picture of the preview of a page as PNG. Undefined where the page has no preview, or its title cannot be drawn. */
  async draw(ctx: Context, request: PreviewRequest, onError: (error: unknown) => void): Promise<Buffer | undefined> {
    const page = await this.#read(ctx, request, onError)
    const picture = page && toPicture(page)
    return picture && this.#pictures.draw(picture)
  }

  async #read(ctx: Context, request: PreviewRequest, onError: (error: unknown) => void): Promise<PreviewedPage | undefined> {
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

const PICTURE_PATH = '/api/v1/link_preview.png'

/** A page that anybody may see. */
interface PreviewedPage {
  readonly title: string
  readonly type: string
  readonly health: PictureFact | undefined
  readonly owners: number
  readonly description: string
}

const toPicture = ({ title, type, health, owners }: PreviewedPage): PictureText | undefined => {
  const drawable = toDrawableTitle(title)
  const facts = [
    { text: type },
    ...(health ? [health] : []),
    ...(owners > 0 ? [{ text: owners === 1 ? '1 owner' : `${owners} owners` }] : []),
  ]
  return drawable === undefined ? undefined : { title: drawable, facts }
}

type Address = { readonly link: string } | { readonly resource: string }

const PUBLIC_LINK_PATH = /^\/shared\/([A-Za-z0-9_-]{22})\/?$/

const parseAddress = ({ path, hasSession }: PreviewRequest): Address | undefined => {
  const [, link] = PUBLIC_LINK_PATH.exec(path) ?? []
  if (link !== undefined) return { link }
  const resource = hasSession ? undefined : parseResourcePath(path)
  return resource === undefined ? undefined : { resource }
}

const readPreview = async (ctx: Context, address: Address, publicUrl: string): Promise<PreviewedPage | undefined> => {
  const page = await findShownPage(ctx, address)
  return page && describePage(page, publicUrl)
}

const findShownPage = async (ctx: Context, address: Address): Promise<Omit<SharedPage, 'link'> | undefined> => {
  if ('link' in address) return getSharedPage(ctx, sql`l.preview_key = ${address.link}`)
  if (!(await readSharingSettings(ctx)).link_previews) return undefined
  const reader = await getContextOfAnyViewer(ctx)
  const resource = await findResource(reader, address.resource)
  return resource && { reader, resource }
}

const describePage = async ({ reader, resource }: Omit<SharedPage, 'link'>, publicUrl: string): Promise<PreviewedPage> => {
  const description = resource.description ? withoutInternalLinks(resource.description, publicUrl).replace(/\s+/g, ' ').trim() : ''
  const health = await readHealth(reader, resource)
  const text = describeHealth(health)
  return {
    title: resource.title,
    type: describeType(resource.entity_type),
    health: text === undefined ? undefined : { text, tone: getHealthTone(health) },
    owners: (resource.owners?.length ?? 0) + (resource.owners_groups?.length ?? 0),
    description: shortenText(description),
  }
}
