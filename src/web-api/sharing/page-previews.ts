import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { PagePreview } from '../../platform/http/page-preview.ts'
import { describeHealth, describeType, shortenText } from './preview-text.ts'
import { getSharedPage, readHealth, type SharedPage } from './public-page.ts'
import { findResource, getContextOfEveryone, parseResourcePath } from './seen-by-everyone.ts'
import { readSharingSettings } from './settings.ts'
import { withoutInternalLinks } from './without-internal-links.ts'

export interface PreviewRequest {
  readonly path: string
  readonly publicUrl: string
  /** A browser of somebody who is signed in needs no preview, and caches the page. */
  readonly hasSession: boolean
}

/** What a chat shows of the address of a page. Undefined: the same as of every other page, whether there is one or not. */
export const findPagePreview = async (ctx: Context, request: PreviewRequest): Promise<PagePreview | undefined> => {
  // Without the database there is no preview, but still the page.
  const page = await findShownPage(ctx, request).catch(() => undefined)
  return page && renderPreview(page, request.publicUrl)
}

const PUBLIC_LINK_PATH = /^\/shared\/([A-Za-z0-9_-]{22})\/?$/

const findShownPage = async (ctx: Context, { path, hasSession }: PreviewRequest): Promise<Omit<SharedPage, 'link'> | undefined> => {
  const [, key] = PUBLIC_LINK_PATH.exec(path) ?? []
  if (key !== undefined) return getSharedPage(ctx, sql`l.preview_key = ${key}`)
  const id = hasSession ? undefined : parseResourcePath(path)
  if (id === undefined || !(await readSharingSettings(ctx)).link_previews) return undefined
  const reader = await getContextOfEveryone(ctx)
  const resource = await findResource(reader, id)
  return resource && { reader, resource }
}

const renderPreview = async ({ reader, resource }: Omit<SharedPage, 'link'>, publicUrl: string): Promise<PagePreview> => {
  const description = resource.description ? withoutInternalLinks(resource.description, publicUrl).replace(/\s+/g, ' ').trim() : ''
  const facts = [describeType(resource.entity_type), describeHealth(await readHealth(reader, resource)), shortenText(description)]
  return { title: resource.title, description: facts.filter(Boolean).join(' · ') }
}
