import { escapeHtml } from '../core/escape-html.ts'

/** What chats and other programs show of a page that somebody links to. */
export interface PagePreview {
  readonly title: string
  readonly description: string
  readonly image?: PreviewImage
}
export interface PreviewImage {
  readonly url: string
  readonly width: number
  readonly height: number
  /** What it shows, in words. */
  readonly alt: string
}

const TITLE = /(<title>)[^<]*(<\/title>)/
const META = /(<meta (?:name|property)="(description|og:title|og:description)" content=")[^"]*(")/g

/** Puts a preview into the page, whose own is about the product. Pure. */
export const withPreview = (html: string, { title, description, image }: PagePreview): string =>
  withImage(html, image)
    .replace(TITLE, (_, open: string, close: string) => `${open}${escapeHtml(title)} · Tablinum${close}`)
    .replace(
      META,
      (_, open: string, name: string, close: string) => `${open}${escapeHtml(name === 'og:title' ? title : description)}${close}`,
    )

const CARD = /<meta name="twitter:card" content="summary" \/>/

const withImage = (html: string, image: PreviewImage | undefined): string => {
  if (!image) return html
  const { url, ...others } = image
  const tags = Object.entries({
    'og:image': url,
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [`og:image:${name}`, value])),
  })
  const metas = tags.map(([name, value]) => `<meta property="${name}" content="${escapeHtml(String(value))}" />`)
  return html.replace(CARD, () => [...metas, '<meta name="twitter:card" content="summary_large_image" />'].join('\n    '))
}
