import { type Static, Type } from 'typebox'
import { Nullable, NullableId, NullableString, NullableTimestamp, OneOf } from '../../platform/core/schema-types.ts'
import { TEMPLATE_CHANNELS, TEMPLATE_EVENTS } from './placeholders.ts'

const Title = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  description: 'One line with placeholders such as `{{resource}}`.',
})
const Body = Type.String({ maxLength: 5_000, description: 'Plain text with placeholders. Markup is sent as text.' })

export const MessageTemplate = Type.Object(
  {
    channel: OneOf(TEMPLATE_CHANNELS),
    event: OneOf(TEMPLATE_EVENTS),
    title: Type.String(),
    body: Type.String(),
    custom: Type.Boolean({ description: 'False: the default is sent.' }),
    updated_at: NullableTimestamp,
    placeholders: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
  },
  { title: 'MessageTemplate' },
)
export type MessageTemplate = Static<typeof MessageTemplate>

export const TemplateParams = Type.Object({ channel: OneOf(TEMPLATE_CHANNELS), event: OneOf(TEMPLATE_EVENTS) })

export const MessageTemplateEdit = Type.Object(
  { title: Title, body: Body },
  { title: 'MessageTemplateEdit', examples: [{ title: '{{severity}}: {{resource}}', body: '{{monitor}} is {{value}}.\n{{link}}' }] },
)
export type MessageTemplateEdit = Static<typeof MessageTemplateEdit>

export const TemplatePreviewRequest = Type.Object(
  { channel: OneOf(TEMPLATE_CHANNELS), event: OneOf(TEMPLATE_EVENTS), title: Title, body: Body },
  {
    title: 'MessageTemplatePreviewRequest',
    examples: [{ channel: 'slack', event: 'incident_opened', title: '{{resource}}', body: '{{summary}}' }],
  },
)
export type TemplatePreviewRequest = Static<typeof TemplatePreviewRequest>

export const TemplatePreview = Type.Object(
  {
    incident: NullableId('The newest incident, which the preview is about. Null for schema changes.'),
    resource_title: NullableString('What the preview is about. Null if there is nothing yet, and the values are examples.'),
    subject: Type.String(),
    title: Type.String(),
    lines: Type.Array(Type.String()),
    link: Nullable(Type.String()),
    text: Type.String({ description: 'The text as the channel gets it, escaped.' }),
  },
  { title: 'MessageTemplatePreview' },
)
export type TemplatePreview = Static<typeof TemplatePreview>
