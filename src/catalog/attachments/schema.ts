import { type Static, Type } from 'typebox'
import { Id, NullableId, Timestamp } from '../../platform/core/schema-types.ts'

export const Attachment = Type.Object(
  {
    id: Id(),
    resource_id: Id('The resource that it belongs to. Whoever can see the resource can read the attachment.'),
    name: Type.String(),
    media_type: Type.String({ description: 'Decided by the content of the file.' }),
    byte_size: Type.Integer(),
    created_at: Timestamp,
    created_by: NullableId(),
    url: Type.String({ description: 'The path for Markdown: `![name](url)` for an image, `[name](url)` for another file.' }),
  },
  { title: 'Attachment' },
)
export type Attachment = Static<typeof Attachment>

export const AttachmentUpload = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'The file name, for people and for downloads.' }),
})
