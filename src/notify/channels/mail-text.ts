import type { Message } from './channel.ts'

/** Renders a message as plain text and HTML. Pure. */
type Body = Pick<Message, 'sections' | 'reason' | 'settings_link'>

export const asText = ({ sections, reason, settings_link }: Body): string =>
  [
    ...sections.map(({ title, link, lines }) => [title, ...(link ? [link] : []), ...lines.map((line) => `  - ${line}`)].join('\n')),
    ['-- ', ...(reason ? [reason] : []), ...(settings_link ? [`Notification settings: ${settings_link}`] : [])].join('\n'),
  ].join('\n\n')

/** Minimal styling, so that it is readable in every client, in light and dark mode. */
export const asHtml = ({ sections, reason = '', settings_link }: Body): string => {
  const bodies = sections.map(({ title, link, lines, image }) => {
    const name = link ? `<a href="${escaped(link)}">${escaped(title)}</a>` : escaped(title)
    return `<h3 style="margin:1em 0 .3em">${name}</h3><ul style="margin:0;padding-left:1.2em">${lines.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>${image ? pictureOf(image) : ''}`
  })
  const settings = settings_link ? ` <a href="${escaped(settings_link)}">Notification settings</a>` : ''
  return `<!doctype html><html><body style="font-family:sans-serif">${bodies.join('')}<p style="margin-top:2em;font-size:.85em;opacity:.7">${escaped(reason)}${settings}</p></body></html>`
}

const pictureOf = ({ address, text }: NonNullable<Body['sections'][number]['image']>): string =>
  `<p><img src="${escaped(address)}" alt="${escaped(text)}" width="600" style="max-width:100%"></p>`

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!)
