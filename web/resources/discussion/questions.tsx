import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Check, CircleHelp } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useNames } from '../../api/names.ts'
import { queryClient } from '../../api/query-client.ts'
import { useCan } from '../../api/session.ts'
import type { Schemas } from '../../api/types.ts'
import { MentionTextArea } from '../../editor/mention-text-area.tsx'
import { t } from '../../i18n/messages.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Markdown } from '../../markdown/markdown.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { showErrorToast } from '../../ui/toast.tsx'
import { questionQuery, questionsQuery, repliesQuery } from '../queries.ts'
import type { TabProps } from '../tabs.ts'

type Question = Schemas['Question']
const route = getRouteApi('/r/$id')

/** Questions about a resource. */
export const Questions = ({ view }: TabProps) => {
  const { id, title } = view.resource
  const canAsk = useCan('questions.ask')
  const questions = useQuery(questionsQuery(id))
  const { ask } = route.useSearch()
  const navigate = useNavigate({ from: '/r/$id' })
  const isAsking = canAsk && ask !== undefined
  const setIsAsking = (asks: boolean) => void navigate({ search: (before) => ({ ...before, ask: asks ? '1' : undefined }), replace: true })
  const form = isAsking && <QuestionForm about={id} onDone={() => setIsAsking(false)} />
  return (
    <QueryView of={questions}>
      {({ results }) =>
        results.length === 0 ? (
          form || (
            <EmptyState
              icon={CircleHelp}
              title={t('No questions yet')}
              action={
                canAsk && (
                  <Button look="primary" onClick={() => setIsAsking(true)}>
                    {t('Ask a question')}
                  </Button>
                )
              }
            >
              {t('Owners are notified, and answers stay with {title}.', { title })}
            </EmptyState>
          )
        ) : (
          <div className="grid max-w-3xl gap-4">
            {form ||
              (canAsk && (
                <Button className="justify-self-start" onClick={() => setIsAsking(true)}>
                  {t('Ask a question')}
                </Button>
              ))}
            {results.map((question) => (
              <QuestionCard key={question.id} question={question} answers={canAsk} />
            ))}
          </div>
        )
      }
    </QueryView>
  )
}

/** A question with its answers, on its own page. */
export const Answers = ({ view }: TabProps) => {
  const canAnswer = useCan('questions.ask')
  return (
    <QueryView of={useQuery(questionQuery(view.resource.id))}>
      {(question) => (
        <div className="max-w-3xl">
          <QuestionCard question={question} answers={canAnswer} />
        </div>
      )}
    </QueryView>
  )
}

const invalidateResources = (...ids: string[]) => {
  for (const id of ids) void queryClient.invalidateQueries({ queryKey: ['resource', id] })
}

const QuestionForm = ({ about, onDone }: { about: string; onDone: () => void }) => {
  const [title, setTitle] = useState('')
  const [more, setMore] = useState('')
  const ask = useMutation({
    mutationFn: () => api.post('/question/questions', { title: title.trim(), definition: more.trim() || null, base_entity_id: about }),
    onSuccess: () => {
      invalidateResources(about)
      onDone()
    },
    onError: (error) => showErrorToast(t('Couldn’t post the question.'), error),
  })
  return (
    <form
      className="grid max-w-3xl gap-3 rounded-lg border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (title.trim() !== '') ask.mutate()
      }}
    >
      <Field label={t('Your question')}>
        {(props) => (
          <Input
            {...props}
            ref={(box) => box?.focus()}
            value={title}
            maxLength={500}
            onChange={({ target }) => setTitle(target.value)}
            required
          />
        )}
      </Field>
      <Field label={t('Details')} hint={t('Optional. Markdown supported.')}>
        {(props) => <MentionTextArea {...props} value={more} onChange={setMore} />}
      </Field>
      <div className="flex gap-2">
        <Button type="submit" look="primary" busy={ask.isPending}>
          {t('Ask')}
        </Button>
        <Button onClick={onDone}>{t('Cancel')}</Button>
      </div>
    </form>
  )
}

const QuestionCard = ({ question, answers }: { question: Question; answers: boolean }) => {
  const { id, title, definition, question_status, created_at, children_count } = question
  const answered = question_status === 'answered'
  const replies = useQuery({ ...repliesQuery(id), enabled: children_count > 0 })
  const names = useNames([id, ...(replies.data?.results.map((reply) => reply.id) ?? [])])
  const author = names(id)?.author
  const accept = useMutation({
    mutationFn: (reply: string) => api.patch(`/question/questions/${id}`, { accepted_reply: reply }),
    onSuccess: () => invalidateResources(question.base_entity_id ?? id, id),
    onError: (error) => showErrorToast(t('Couldn’t accept the answer.'), error),
  })
  return (
    <article className="rounded-lg border border-line">
      <header className="flex items-start gap-3 p-4">
        <div className="min-w-0 flex-1">
          <h3 className="font-medium break-words" dir="auto">
            {title}
          </h3>
          {definition && (
            <div className="mt-1 text-sm">
              <Markdown text={definition} />
            </div>
          )}
          <p className="mt-1 text-xs text-faint">
            {author ? (
              <Trans message="Asked by {who} {when}" who={author} when={<RelativeTime at={created_at} />} />
            ) : (
              <Trans message="Asked {when}" when={<RelativeTime at={created_at} />} />
            )}
          </p>
        </div>
        <Badge tone={answered ? 'good' : 'warn'}>{answered ? t('Answered') : t('Open // of a question')}</Badge>
      </header>
      {replies.data?.results.map((reply) => (
        <div key={reply.id} className="flex items-start gap-3 border-t border-line px-4 py-3 text-sm">
          <div className="min-w-0 flex-1">
            <Markdown text={reply.definition || reply.description || reply.title} />
            <p className="mt-1 text-xs text-faint">
              {names(reply.id)?.author && <span className="font-medium text-soft">{names(reply.id)?.author} </span>}
              <RelativeTime at={reply.created_at} />
            </p>
          </div>
          {question.accepted_reply === reply.id ? (
            <Badge tone="good" icon={Check}>
              {t('Accepted')}
            </Badge>
          ) : (
            answers &&
            !answered && (
              <Button small look="quiet" onClick={() => accept.mutate(reply.id)}>
                {t('Accept')}
              </Button>
            )
          )}
        </div>
      ))}
      {answers && <ReplyForm question={question} />}
    </article>
  )
}

const TITLE_LENGTH = 80

const ReplyForm = ({ question: { id, base_entity_id } }: { question: Question }) => {
  const [text, setText] = useState('')
  const reply = useMutation({
    mutationFn: () =>
      api.post('/question/replies', { parent: id, title: text.trim().split('\n')[0]!.slice(0, TITLE_LENGTH), definition: text.trim() }),
    onSuccess: () => {
      setText('')
      invalidateResources(base_entity_id ?? id, id)
    },
    onError: (error) => showErrorToast(t('Couldn’t post the answer.'), error),
  })
  return (
    <form
      className="flex items-end gap-2 border-t border-line p-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') reply.mutate()
      }}
    >
      <MentionTextArea
        aria-label={t('Your answer')}
        placeholder={t('Write an answer (Markdown supported)')}
        rows={1}
        value={text}
        onChange={setText}
      />
      <Button type="submit" busy={reply.isPending} disabled={text.trim() === ''}>
        {t('Answer')}
      </Button>
    </form>
  )
}
