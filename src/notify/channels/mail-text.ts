import type { Message } from './channel.ts'

/** A message as the two bodies of an e-mail. Pure. */
type Body = Pick<Message, 'sections' | 'reason' | 'settings_link'>

export const asText = ({ sections, reason, settings_link }: Body): string =>
  [
    ...sections.map(({ title, link, lines }) => [title, ...(link ? [link] : []), ...lines.map((line) => `  - ${line}`)].join('\n')),
    ['-- ', ...(reason ? [reason] : []), ...(settings_link ? [`What you are sent: ${settings_link}`] : [])].join('\n'),
  ].join('\n\n')

/** Plain on purpose: it reads well in every client, light or dark. */
export const asHtml = ({ sections, reason = '', settings_link }: Body): string => {
  const bodies = sections.map(({ title, link, lines, image }) => {
    const name = link ? `<a href="${escaped(link)}">${escaped(title)}</a>` : escaped(title)
    return `<h3 style="margin:1em 0 .3em">${name}</h3><ul style="margin:0;padding-left:1.2em">${lines.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>${image ? pictureOf(image) : ''}`
  })
  const settings = settings_link ? ` <a href="${escaped(settings_link)}">What you are sent</a>` : ''
  return `<!doctype html><html><body style="font-family:sans-serif">${bodies.join('')}<p style="margin-top:2em;font-size:.85em;opacity:.7">${escaped(reason)}${settings}</p></body></html>`
}

const pictureOf = ({ address, text }: NonNullable<Body['sections'][number]['image']>): string =>
  `<p><img src="${escaped(address)}" alt="${escaped(text)}" width="600" style="max-width:100%"></p>`

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!)
