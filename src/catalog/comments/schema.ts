import { type Static, Type } from 'typebox'
import { Id, IdInput, Nullable, NullableId, NullableString, NullableTimestamp, OneOf, Timestamp } from '../../platform/core/schema-types.ts'
import { PageQuery } from '../../platform/lists/page.ts'

const THREAD_STATUSES = ['open', 'resolved'] as const

export const REACTIONS = ['thumbs_up', 'thumbs_down', 'heart', 'celebrate', 'eyes', 'thinking'] as const
export type Reaction = (typeof REACTIONS)[number]

export const Comment = Type.Object(
  {
    id: Id(),
    created_at: Timestamp,
    updated_at: Timestamp,
    resource_id: Id('The resource or column it is about.'),
    resource_title: Type.String(),
    resource_type: Type.String({ description: 'The entity type of the resource.' }),
    thread_id: Id('The first comment of the thread; its own ID if it starts one.'),
    text: NullableString('Markdown. Null if it was deleted and has replies.'),
    created_by: NullableId(),
    created_by_name: NullableString(),
    edited_at: NullableTimestamp,
    status: OneOf(THREAD_STATUSES, 'Of the thread.'),
    resolved_by: NullableId('Only on the first comment of a thread.'),
    resolved_by_name: NullableString(),
    resolved_at: NullableTimestamp,
    reactions: Type.Array(
      Type.Object({
        kind: OneOf(REACTIONS),
        count: Type.Integer(),
        mine: Type.Boolean({ description: 'Whether it is also yours.' }),
        users: Type.Array(Type.Object({ id: Id(), name: Type.String() }), { description: 'The first 20 who gave it.' }),
      }),
      { description: 'Kinds that somebody gave.' },
    ),
  },
  { title: 'Comment' },
)
export type Comment = Static<typeof Comment>

const Text = Type.String({
  minLength: 1,
  maxLength: 10_000,
  pattern: '\\S',
  description: 'Markdown. `@ada@example.com` mentions a person.',
})

export const CommentCreate = Type.Object(
  {
    resource_id: Type.Optional(Nullable({ ...IdInput, description: 'The resource or column. Required unless `thread_id` is given.' })),
    thread_id: Type.Optional(Nullable({ ...IdInput, description: 'Reply in this thread.' })),
    text: Text,
  },
  {
    title: 'CommentCreate',
    examples: [{ resource_id: '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f', text: 'Does this include refunds?' }],
  },
)
export type CommentCreate = Static<typeof CommentCreate>

export const CommentEdit = Type.Object(
  {
    text: Type.Optional(Text),
    status: Type.Optional(OneOf(THREAD_STATUSES, 'Resolves or reopens the thread that this comment starts.')),
  },
  { title: 'CommentEdit', examples: [{ status: 'resolved' }] },
)
export type CommentEdit = Static<typeof CommentEdit>

export const CommentQuery = Type.Object({
  ...PageQuery.properties,
  resource_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only comments on this resource and its columns.' })),
  thread_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only this thread.' })),
  created_by: Type.Optional(Type.String({ maxLength: 100, description: 'Only comments of this user.' })),
  status: Type.Optional(OneOf(THREAD_STATUSES, 'Only threads with this status.')),
})
export type CommentQuery = Static<typeof CommentQuery>
