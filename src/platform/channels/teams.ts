import type { AddressAllowlist } from '../outbound/address-policy.ts'
import type { Channel, Message } from './channel.ts'
import { postJson } from './post-json.ts'

const MAX_LINES = 60 // Teams rejects messages over 28 KB
const MAX_LINE_LENGTH = 300

/** Microsoft Teams by the webhook of a workflow (“Post to a channel when a webhook request is received”), with an Adaptive Card. */
export const createTeamsChannel = (allowed: AddressAllowlist): Channel => ({
  name: 'teams',
  send: async (message, beforeSubmit) => {
    await beforeSubmit()
    const response = await postJson('Microsoft Teams', message.to, { body: buildTeamsMessage(message), allowed })
    return { response }
  },
})

const buildLines = (sections: Message['sections']): { text: string; weight?: string; spacing?: string }[] =>
  sections.flatMap(({ title, link, lines }) => [
    { text: link ? `[${escapeMarkdown(title)}](${link})` : escapeMarkdown(title), weight: 'Bolder' },
    ...lines.map((line) => ({ text: `- ${escapeMarkdown(line)}`, spacing: 'None' })),
  ])

/** The text blocks of the card. */
export const renderTeamsText = ({ sections }: Pick<Message, 'sections'>): string =>
  buildLines(sections)
    .map(({ text }) => text)
    .join('\n')

const buildTeamsMessage = ({ subject, sections }: Message): object => {
  const lines = buildLines(sections)
  const images = sections.flatMap(({ image }) => (image ? [{ type: 'Image', url: image.address, altText: image.text }] : []))
  const link = sections.find((section) => section.link)?.link
  return {
    type: 'message',
    summary: subject,
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          msteams: { width: 'Full' },
          body: [...lines.slice(0, MAX_LINES).map((line) => ({ type: 'TextBlock', wrap: true, ...line })), ...images],
          ...(link ? { actions: [{ type: 'Action.OpenUrl', title: 'Open in Tablinum', url: link }] } : {}),
        },
      },
    ],
  }
}

/** Text blocks are Markdown. */
const escapeMarkdown = (text: string): string => {
  const short = text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH - 1)}…` : text
  return short.replace(/[\\`*_[\]<>]/g, '\\$&')
}
