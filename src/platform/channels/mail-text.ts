import type { Message } from './channel.ts'

/** Renders a message as plain text and HTML. Pure. */
type MailBody = Pick<Message, 'sections' | 'reason' | 'settings_link'>

export const renderText = ({ sections, reason, settings_link }: MailBody): string =>
  [
    ...sections.map(({ title, link, lines }) => [title, ...(link ? [link] : []), ...lines.map((line) => `  - ${line}`)].join('\n')),
    ['-- ', ...(reason ? [reason] : []), ...(settings_link ? [`Notification settings: ${settings_link}`] : [])].join('\n'),
  ].join('\n\n')

/** Minimal styling, so that it is readable in every client, in light and dark mode. */
export const renderHtml = ({ sections, reason = '', settings_link }: MailBody): string => {
  const bodies = sections.map(({ title, link, lines, image }) => {
    const name = link ? `<a href="${escapeHtml(link)}">${escapeHtml(title)}</a>` : escapeHtml(title)
    return `<h3 style="margin:1em 0 .3em">${name}</h3><ul style="margin:0;padding-left:1.2em">${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>${image ? renderImage(image) : ''}`
  })
  const settings = settings_link ? ` <a href="${escapeHtml(settings_link)}">Notification settings</a>` : ''
  return `<!doctype html><html><body style="font-family:sans-serif">${bodies.join('')}<p style="margin-top:2em;font-size:.85em;opacity:.7">${escapeHtml(reason)}${settings}</p></body></html>`
}

const renderImage = ({ address, text }: NonNullable<MailBody['sections'][number]['image']>): string =>
  `<p><img src="${escapeHtml(address)}" alt="${escapeHtml(text)}" width="600" style="max-width:100%"></p>`

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!)
