import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id, OneOf } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { addComment, deleteComment, editComment, getComment, listComments } from './comments.ts'
import { react } from './reactions.ts'
import { Comment, CommentCreate, CommentEdit, CommentQuery, REACTIONS } from './schema.ts'

const tags = ['Comments']
const PATH = '/comments'
const ONE = `${PATH}/:comment_id` as const
const params = Type.Object({ comment_id: Id() })
const REACTION = `${ONE}/reactions/:reaction` as const
const reactionParams = Type.Object({ comment_id: Id(), reaction: OneOf(REACTIONS) })
const READ = { permission: 'catalog.read' } as const
const WRITE = { permission: 'questions.ask' } as const

/** Discussions of resources and columns. */
export const commentRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    PATH,
    {
      config: READ,
      schema: {
        summary: 'List comments, thread by thread',
        description: 'The newest threads first, each from its first to its last comment. Comments on what you cannot see are left out.',
        tags,
        querystring: CommentQuery,
        response: { 200: PageSchema(Comment, 'CommentPage'), ...errorResponses(400) },
      },
    },
    (request) => listComments(request.ctx, request.query, parsePageRequest(request.query, getRequestUrl(request))),
  )

  app.post(
    PATH,
    {
      config: WRITE,
      schema: {
        summary: 'Comment on a resource or reply',
        description: 'Owners, subscribers, everyone who wrote in the thread and the people mentioned are notified.',
        tags,
        body: CommentCreate,
        response: { 201: Comment, ...errorResponses(400, 404, 409) },
      },
    },
    async (request, reply) => reply.code(201).send(await addComment(request.ctx, request.body)),
  )

  app.get(
    ONE,
    { config: READ, schema: { summary: 'Get a comment', tags, params, response: { 200: Comment, ...errorResponses(404) } } },
    (request) => getComment(request.ctx, request.params.comment_id),
  )

  app.patch(
    ONE,
    {
      config: WRITE,
      schema: {
        summary: 'Edit your comment, or resolve or reopen its thread',
        tags,
        params,
        body: CommentEdit,
        response: { 200: Comment, ...errorResponses(400, 404, 409, 412) },
      },
    },
    (request) => editComment(request.ctx, request.params.comment_id, request.body),
  )

  app.delete(
    ONE,
    {
      config: WRITE,
      schema: {
        summary: 'Delete your comment',
        description: 'Admins delete any comment. The first comment of a thread with replies stays without its text.',
        tags,
        params,
        response: { 204: Type.Null(), ...errorResponses(404, 412) },
      },
    },
    async (request, reply) => {
      await deleteComment(request.ctx, request.params.comment_id)
      return reply.code(204).send(null)
    },
  )
  app.put(
    REACTION,
    {
      config: WRITE,
      schema: {
        summary: 'React to a comment',
        description: 'Each person can give each kind once. Nobody is notified.',
        tags,
        params: reactionParams,
        response: { 200: Comment, ...errorResponses(400, 404, 409) },
      },
    },
    (request) => react(request.ctx, request.params.comment_id, request.params.reaction, true),
  )

  app.delete(
    REACTION,
    {
      config: WRITE,
      schema: {
        summary: 'Remove your reaction to a comment',
        tags,
        params: reactionParams,
        response: { 200: Comment, ...errorResponses(400, 404) },
      },
    },
    (request) => react(request.ctx, request.params.comment_id, request.params.reaction, false),
  )
}
