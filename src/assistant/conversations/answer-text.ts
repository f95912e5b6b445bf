/**
 * What a model writes is rendered as Markdown, and a text of the catalog may have told it what to write. Links lead only to resources that a
 * tool returned; every other link, image and HTML tag becomes plain text. Pure.
 */
const FENCE = /^(?:```|~~~)[\w+-]*\n[\s\S]*?(?:^(?:```|~~~)[ \t]*$|(?![\s\S]))/gm
const LINK = /\[((?:[^[\]\n]|\[[^[\]\n]*\])*)\]\(\s*<?([^()\s<>]*)>?(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/g
const URL_TEXT = /(?:\b(?:https?|ftp|file|data|javascript|vbscript|mailto):|\bwww\.)[^\s<>`)\]]+/gi
const RESOURCE_PATH = /\/r\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i
const OWN_LINK = /\]\((?!\/r\/[0-9a-f-]{36}\))/g

/** The titles of the resources that may be linked, by ID. */
export type KnownResources = ReadonlyMap<string, { readonly title: string }>

export const cleanAnswerText = (text: string, known: KnownResources): string => {
  let result = ''
  let at = 0
  for (const { 0: fence, index } of text.matchAll(FENCE)) {
    result += cleanProse(text.slice(at, index), known) + breakLinks(fence)
    at = index + fence.length
  }
  return result + cleanProse(text.slice(at), known)
}

const cleanProse = (text: string, known: KnownResources): string => {
  const linked = text
    .replaceAll('![', '[')
    .replace(/<(?=[a-z/!?])(?!https?:)/gi, '&lt;')
    .replace(LINK, (_, label: string, target: string) => {
      const id = findKnownId(target, known)
      return id ? `[${label}](/r/${id})` : label
    })
    .replace(URL_TEXT, (url: string) => {
      const id = findKnownId(url, known)
      return id ? `[${escapeLabel(known.get(id)!.title)}](/r/${id})` : `\`${url}\``
    })
  return breakLinks(linked)
}

const findKnownId = (target: string, known: KnownResources): string | undefined => {
  const id = RESOURCE_PATH.exec(target)?.[1]?.toLowerCase()
  return id && known.has(id) ? id : undefined
}

/** Whatever was not recognized above is no link in any case: neither `[a](b)` nor a definition `[a]: b`. */
const breakLinks = (text: string): string => text.replace(OWN_LINK, '] (').replaceAll(']:', '] :')

const escapeLabel = (title: string): string => title.replace(/[[\]<>`\\]/g, '')

/** The resources that a cleaned text links to, in the order in which they appear. */
export const findLinkedIds = (text: string): string[] => [
  ...new Set([...text.matchAll(/\]\(\/r\/([0-9a-f-]{36})\)/g)].map(([, id]) => id!)),
]

/** A text that is still being written, up to where a link or an address may be incomplete. */
const INCOMPLETE = /(?:!?\[[^[\]\n]{0,300}(?:\](?:\([^()\n]{0,300})?)?|\S*:\/\/\S{0,500}|!|<|`{1,2})$/
/** Only the end is searched: a long text without spaces would take seconds, with every save. */
const SEARCHED_LENGTH = 1_000

export const withoutIncompleteEnd = (text: string): string =>
  text.slice(0, -SEARCHED_LENGTH) + text.slice(-SEARCHED_LENGTH).replace(INCOMPLETE, '')
