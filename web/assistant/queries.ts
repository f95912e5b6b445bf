import { queryOptions } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, buildUrl } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import type { ResultPage, Schemas } from '../api/types.ts'

export type Answer = Schemas['AssistantAnswer']
export type Conversation = Schemas['AssistantConversation']
type ConversationEntry = Schemas['AssistantConversationEntry']

export const conversationsQuery = queryOptions({
  queryKey: ['conversations'],
  queryFn: ({ signal }) => api.get<ResultPage<ConversationEntry>>('/ai/conversations', { query: { page_size: 50 }, signal }),
})

export const conversationQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['conversation', id],
    queryFn: ({ signal }) => api.get<Conversation>(`/ai/conversations/${id}`, { signal }),
    enabled: id !== undefined,
  })

export const assistantStatusQuery = queryOptions({
  queryKey: ['assistant-status'],
  queryFn: ({ signal }) => api.get<Schemas['AssistantStatus']>('/ai/status', { signal }),
})

/** Puts an answer into its conversation: the new state of one that is there, or a new one. */
export const showAnswer = (answer: Answer): void => {
  queryClient.setQueryData(conversationQuery(answer.conversation_id).queryKey, (before) => {
    if (!before) return before
    const isNew = before.answers.every(({ id }) => id !== answer.id)
    return {
      ...before,
      answers: isNew ? [...before.answers, answer] : before.answers.map((each) => (each.id === answer.id ? answer : each)),
    }
  })
}

const addText = (conversation_id: string, id: string, text: string): void => {
  queryClient.setQueryData(
    conversationQuery(conversation_id).queryKey,
    (before) =>
      before && { ...before, answers: before.answers.map((each) => (each.id === id ? { ...each, text: each.text + text } : each)) },
  )
}

/** Follows an answer while it is written. */
export const useRunningAnswer = (running: Answer | undefined): void => {
  const { id, conversation_id } = running ?? {}
  useEffect(() => {
    if (!id || !conversation_id) return
    const source = new EventSource(buildUrl(`/ai/answers/${id}/events`))
    source.addEventListener('answer', ({ data }: MessageEvent<string>) => {
      const answer = JSON.parse(data) as Answer
      showAnswer(answer)
      if (answer.status === 'running') return
      source.close()
      for (const queryKey of [['conversations'], ['assistant-status'], ['change-suggestions']])
        void queryClient.invalidateQueries({ queryKey })
    })
    source.addEventListener('text', ({ data }: MessageEvent<string>) => addText(conversation_id, id, JSON.parse(data).text))
    return () => source.close()
  }, [id, conversation_id])
}
