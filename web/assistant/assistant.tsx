import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Bot, Plus, SendHorizontal, Trash2, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { api } from '../api/client.ts'
import { useNames } from '../api/names.ts'
import { queryClient } from '../api/query-client.ts'
import { useBootstrap, useCan } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Button, buttonClass, IconButton } from '../ui/button.tsx'
import { TextArea } from '../ui/field.tsx'
import { formatCount } from '../ui/number.ts'
import { Page } from '../ui/page.tsx'
import { EmptyState, QueryView } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { QuestionAndAnswer } from './answer.tsx'
import {
  type Answer,
  assistantStatusQuery,
  type Conversation,
  conversationQuery,
  conversationsQuery,
  showAnswer,
  useRunningAnswer,
} from './queries.ts'

/** Questions about the catalog, answered by a language model with the tools of the catalog. */
export const Assistant = () => {
  const { settings } = useBootstrap()
  return settings.assistant ? <Chat /> : <NotAvailable />
}

const NotAvailable = () => {
  const canManage = useCan('assistant.manage')
  return (
    <Page title={t('Assistant')}>
      <EmptyState
        icon={Bot}
        title={t('The assistant is turned off')}
        action={
          canManage && (
            <Link to="/settings/$section" params={{ section: 'assistant' }} className={buttonClass('primary')}>
              {t('Choose a language model')}
            </Link>
          )
        }
      >
        {t('It needs a language model that an admin chooses. Your own assistant can also be connected under Settings → Agents.')}
      </EmptyState>
    </Page>
  )
}

const Chat = () => {
  const { c, about } = useSearch({ from: '/assistant' })
  const conversation = useQuery(conversationQuery(c))
  const answers = conversation.data?.answers ?? []
  const running = answers.find(({ status }) => status === 'running')
  useRunningAnswer(running)
  return (
    <Page
      title={t('Assistant')}
      about={t('A language model answers with your access to the catalog. It can be wrong: verify important facts.')}
      fixed
      actions={
        <Link to="/assistant" className={buttonClass('plain', true)}>
          <Plus aria-hidden size={15} /> {t('New conversation')}
        </Link>
      }
    >
      <div className="grid min-h-0 flex-1 grid-rows-[minmax(0,1fr)] gap-6 md:grid-cols-[14rem_minmax(0,1fr)]">
        <Conversations current={c} />
        <div className="flex min-h-0 flex-col gap-3">
          {c === undefined ? (
            <div className="min-h-0 flex-1 overflow-auto">
              <EmptyState icon={Bot} title={t('Ask about your data')}>
                {t('Which table to use, what a column means, who owns it, where it comes from, whether it can be trusted now.')}
              </EmptyState>
            </div>
          ) : (
            <QueryView of={conversation}>{(data) => <Answers conversation={data} />}</QueryView>
          )}
          <Composer key={c ?? about} conversation={c} about={c === undefined ? about : undefined} isRunning={running !== undefined} />
        </div>
      </div>
    </Page>
  )
}

/** The conversation, scrolled to its end while it grows. */
const Answers = ({ conversation: { answers, resource_id, resource_title } }: { conversation: Conversation }) => {
  const end = useRef<HTMLDivElement>(null)
  const last = answers.at(-1)
  const size = `${answers.length} ${last?.text.length} ${last?.steps.length}`
  useEffect(() => {
    if (size) end.current?.scrollIntoView({ block: 'end' })
  }, [size])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section aria-label={t('Conversation')} tabIndex={0} className="min-h-0 flex-1 overflow-auto">
      <div className="grid max-w-3xl gap-6 pb-2">
        {resource_id && resource_title && (
          <p className="text-sm text-soft">
            <Trans
              message="About {resource}"
              resource={
                <Link to="/r/$id" params={{ id: resource_id }} className="text-accent hover:underline" dir="auto">
                  {resource_title}
                </Link>
              }
            />
          </p>
        )}
        {answers.map((answer) => (
          <QuestionAndAnswer key={answer.id} answer={answer} />
        ))}
        <div ref={end} />
      </div>
    </section>
  )
}

const Conversations = ({ current }: { current: string | undefined }) => {
  const navigate = useNavigate()
  const { data } = useQuery(conversationsQuery)
  const remove = useMutation({
    mutationFn: (id: string) => api.delete(`/ai/conversations/${id}`),
    onSuccess: (_, id) => {
      showToast(t('Conversation deleted'))
      if (id === current) void navigate({ to: '/assistant' })
    },
    onError: (error) => showErrorToast(t('Not deleted.'), error),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['conversations'] }),
  })
  return (
    <nav aria-label={t('Conversations')} className="min-h-0 overflow-auto max-md:hidden">
      <ul className="grid gap-0.5">
        {data?.results.map(({ id, title, updated_at }) => (
          <li key={id} className="group flex items-center gap-1 rounded-md hover:bg-hover has-aria-[current=page]:bg-accent-soft">
            <Link
              to="/assistant"
              search={{ c: id }}
              aria-current={id === current ? 'page' : undefined}
              className="min-w-0 flex-1 rounded-md px-2 py-1.5 text-sm -outline-offset-2"
            >
              <span className="block truncate" dir="auto">
                {title}
              </span>
              <span className="text-xs text-faint">
                <RelativeTime at={updated_at} />
              </span>
            </Link>
            <IconButton label={t('Delete {name}', { name: title })} icon={Trash2} onClick={() => remove.mutate(id)} />
          </li>
        ))}
      </ul>
      {data?.results.length === 0 && <p className="px-2 text-sm text-faint">{t('No conversations yet')}</p>}
    </nav>
  )
}

interface ComposerProps {
  readonly conversation: string | undefined
  readonly about: string | undefined
  readonly isRunning: boolean
}

const Composer = ({ conversation, about, isRunning }: ComposerProps) => {
  const navigate = useNavigate()
  const [question, setQuestion] = useState('')
  const { data: status } = useQuery(assistantStatusQuery)
  const send = useMutation({
    mutationFn: async () => {
      if (conversation) return showAnswer(await api.post<Answer>(`/ai/conversations/${conversation}/answers`, { question }))
      const created = await api.post<Conversation>('/ai/conversations', { question, ...(about && { resource_id: about }) })
      queryClient.setQueryData(conversationQuery(created.id).queryKey, created)
      await navigate({ to: '/assistant', search: { c: created.id } })
    },
    onSuccess: () => setQuestion(''),
    onError: (error) => showErrorToast(t('Not sent.'), error),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['conversations'] }),
  })
  const canSend = question.trim() !== '' && !isRunning && !send.isPending
  const submit = () => {
    if (canSend) send.mutate()
  }
  return (
    <form
      className="grid max-w-3xl gap-1.5"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {about && <About id={about} />}
      <div className="flex items-end gap-2">
        <TextArea
          aria-label={t('Question')}
          placeholder={t('Ask a question about your data')}
          rows={2}
          maxLength={8000}
          value={question}
          onChange={({ target }) => setQuestion(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            submit()
          }}
        />
        <Button type="submit" look="primary" icon={SendHorizontal} busy={send.isPending} disabled={!canSend}>
          {t('Ask // a question')}
        </Button>
      </div>
      {status && (
        <p className="text-xs text-faint">
          {t('{model}. {used} of {limit} tokens used today.', {
            model: status.model ?? '',
            used: formatCount(status.tokens_used),
            limit: formatCount(status.tokens_per_day),
          })}
        </p>
      )}
    </form>
  )
}

const About = ({ id }: { id: string }) => {
  const nameOf = useNames([id])
  return (
    <p className="flex items-center gap-1 text-sm text-soft">
      <span className="min-w-0 truncate" dir="auto">
        {t('About {resource}', { resource: nameOf(id)?.name ?? '…' })}
      </span>
      <Link
        to="/assistant"
        aria-label={t('Ask about everything')}
        title={t('Ask about everything')}
        className={buttonClass('quiet', true, 'size-7 px-0')}
      >
        <X aria-hidden size={15} />
      </Link>
    </p>
  )
}
