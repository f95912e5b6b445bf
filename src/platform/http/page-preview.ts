import { escapeHtml } from '../core/escape-html.ts'

/** What chats and other programs show of a page that somebody links to. */
export interface PagePreview {
  readonly title: string
  readonly description: string
}

const TITLE = /(<title>)[^<]*(<\/title>)/
const META = /(<meta (?:name|property)="(description|og:title|og:description)" content=")[^"]*(")/g

/** Puts a preview into the page, whose own is about the product. Pure. */
export const withPreview = (html: string, { title, description }: PagePreview): string =>
  html
    .replace(TITLE, (_, open: string, close: string) => `${open}${escapeHtml(title)} · Tablinum${close}`)
    .replace(
      META,
      (_, open: string, name: string, close: string) => `${open}${escapeHtml(name === 'og:title' ? title : description)}${close}`,
    )
