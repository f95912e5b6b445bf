import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../platform/context/context.ts'
import { formatEvent, streamRecord } from '../../platform/http/stream-record.ts'
import { getAnswer } from './conversations.ts'
import type { Answer } from './schema.ts'
import { ANSWERS_CHANNEL } from './store.ts'

/** Streams an answer while it is written, by whichever process: the whole record when it begins, after each step and at the end, and the text in between. */
export const streamAnswer = (ctx: Context, id: string, request: FastifyRequest, reply: FastifyReply): Promise<void> =>
  streamRecord(
    ctx,
    {
      channel: ANSWERS_CHANNEL,
      id,
      read: (ctx) => getAnswer(ctx, id),
      toEvents: createAnswerEvents(),
      isFinished: ({ status }) => status !== 'running',
    },
    request,
    reply,
  )

const createAnswerEvents = (): ((answer: Answer) => string) => {
  let last: Answer | undefined
  return (answer) => {
    const before = last
    last = answer
    if (!before || before.status !== answer.status || before.steps.length !== answer.steps.length || !answer.text.startsWith(before.text))
      return formatEvent('answer', answer)
    return answer.text.length > before.text.length ? formatEvent('text', { text: answer.text.slice(before.text.length) }) : ''
  }
}
