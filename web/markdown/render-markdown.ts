import DOMPurify from 'dompurify'
import { marked } from 'marked'
import { t } from '../i18n/messages.ts'
import { stripDisallowedMarkup } from './allowed-markup.ts'
import { createSlugs, decorateMarkdown } from './decorate-markdown.ts'
import { toHtml } from './footnotes.ts'

/** Renders Markdown to safe HTML. Loaded with the first text. */
const TAGS =
  'a b blockquote br code del details div dd dl dt em h1 h2 h3 h4 h5 h6 hr i img input kbd li ol p pre s span strong sub summary sup table tbody td th thead tr ul'
const ATTRIBUTES = ['href', 'title', 'alt', 'src', 'align', 'start', 'type', 'checked', 'disabled', 'open', 'dir', 'lang', 'class']
const allowed = { tags: new Set(TAGS.split(' ')), attributes: new Set(ATTRIBUTES) }
const SANITIZE_OPTIONS = {
  ALLOWED_TAGS: [...allowed.tags],
  ALLOWED_ATTR: ATTRIBUTES,
  ALLOW_DATA_ATTR: false,
  // DOMPurify tests every attribute not listed here against the URL pattern below: `type="checkbox"` would be removed.
  ADD_URI_SAFE_ATTR: ATTRIBUTES.filter((name) => name !== 'href' && name !== 'src'),
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|\/(?![/\\])|#)/i, // browsers read `/\` as `//`
}

const purify = DOMPurify(window)
purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A') {
    const href = node.getAttribute('href') ?? ''
    if (leavesSite(href)) {
      node.setAttribute('target', '_blank')
      node.setAttribute('rel', 'noopener noreferrer')
    } else if (isResourceAddress(href)) toResourceLink(node, href)
  }
  // Only the language of a code block: other classes would look like parts of the page.
  if (node.tagName !== 'CODE' || !/^language-[\w+#-]{1,40}$/.test(node.className)) node.removeAttribute('class')
  // Only checkboxes of task lists.
  if (node.tagName === 'INPUT') {
    if (node.getAttribute('type') !== 'checkbox') node.remove()
    else {
      node.setAttribute('disabled', '')
      node.setAttribute('aria-label', t('Task'))
    }
  }
  // Images become links: loading one would tell its server who reads the page, and the Content-Security-Policy blocks it.
  if (node.tagName === 'IMG' && !node.getAttribute('src')?.startsWith('/')) node.replaceWith(toImageLink(node))
})

const leavesSite = (href: string): boolean => {
  const url = URL.parse(href, location.href)
  return url !== null && url.protocol !== 'mailto:' && url.origin !== location.origin
}

const RESOURCE_PATH = /^\/r\/[0-9a-f]{8}-/i
const isResourceAddress = (href: string): boolean => href !== '' && RESOURCE_PATH.test(URL.parse(href, location.href)?.pathname ?? '')

/** Links to resources are paths; `resource-links.ts` shows the title of those whose text is only their address. */
const toResourceLink = (link: Element, href: string): void => {
  const { pathname, search, hash } = new URL(href, location.href)
  const text = link.textContent.trim()
  if (text === href || text === decodeURI(href)) link.setAttribute('data-bare', '')
  link.setAttribute('href', `${pathname}${search}${hash}`)
}

const toImageLink = (picture: Element): Element | string => {
  const [src, words] = [picture.getAttribute('src') ?? '', picture.getAttribute('alt') || t('picture')]
  if (!/^https?:/i.test(src) || picture.closest('a')) return words
  const link = document.createElement('a')
  Object.assign(link, { href: src, target: '_blank', rel: 'noopener noreferrer', textContent: words })
  return link
}

/** The only way from HTML of a text to elements of the page. */
const toSafeBody = (html: string): HTMLElement =>
  purify.sanitize(stripDisallowedMarkup(html, allowed), { ...SANITIZE_OPTIONS, RETURN_DOM: true }) as unknown as HTMLElement

export const renderMarkdown = (text: string): string => {
  const body = toSafeBody(toHtml(text))
  decorateMarkdown(body)
  return body.innerHTML
}

export interface Heading {
  readonly depth: number
  readonly text: string
  readonly id: string
}

/** The headings of a text, with the IDs that `renderMarkdown` gives them. */
export const listHeadings = (text: string): Heading[] => {
  const slugs = createSlugs()
  return marked.lexer(text).flatMap((token) => {
    if (token.type !== 'heading') return []
    const title = toSafeBody(marked.parseInline(token.text as string, { gfm: true, async: false })).textContent
    return [{ depth: token.depth as number, text: title, id: slugs(title) }]
  })
}
