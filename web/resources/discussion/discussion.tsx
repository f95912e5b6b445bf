import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { MessagesSquare, X } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { useCan } from '../../api/session.ts'
import type { ResourceView } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import { showErrorToast } from '../../ui/toast.tsx'
import { columnsQuery, commentsQuery } from '../queries.ts'
import type { TabProps } from '../tabs.ts'
import { type Comment, CommentEntry, CommentForm, useIsMe } from './comment.tsx'

/** Comments on a resource and its columns, in threads. */
export const Discussion = ({ view }: TabProps) => {
  const { id, title } = view.resource
  const comments = useQuery(commentsQuery(id))
  const [showsResolved, setShowsResolved] = useState(false)
  return (
    <QueryView of={comments}>
      {({ results, count }) => {
        const threads = [...Map.groupBy(results, ({ thread_id }) => thread_id).values()]
        const open = threads.filter(([first]) => first!.status === 'open')
        const resolved = threads.length - open.length
        return (
          <div className="grid max-w-3xl gap-4">
            <StartThread view={view} />
            {threads.length === 0 && (
              <EmptyState icon={MessagesSquare} title={t('No comments yet')}>
                {t('Owners and subscribers of {title} are notified of comments.', { title })}
              </EmptyState>
            )}
            {(showsResolved ? threads : open).map((thread) => (
              <Thread
                key={thread[0]!.thread_id}
                resource={id}
                comments={thread}
                canResolve={view.resource.current_user_permissions.write}
              />
            ))}
            {resolved > 0 && (
              <Button look="quiet" small className="justify-self-start" onClick={() => setShowsResolved(!showsResolved)}>
                {showsResolved
                  ? t('Hide resolved discussions')
                  : t('Show {n:# resolved discussion|# resolved discussions}', { n: resolved })}
              </Button>
            )}
            {count > results.length && <p className="text-sm text-faint">{t('Only the newest discussions are shown.')}</p>}
          </div>
        )
      }}
    </QueryView>
  )
}

const refresh = (...ids: readonly string[]) => {
  for (const id of ids) void queryClient.invalidateQueries({ queryKey: ['resource', id] })
}

/** A new thread about the resource, or about the column named in the URL. */
const StartThread = ({ view: { resource } }: { view: ResourceView }) => {
  const canWrite = useCan('questions.ask')
  const { about } = useSearch({ strict: false }) // documents show their discussion, too
  const columns = useQuery({ ...columnsQuery(resource.id), enabled: about !== undefined })
  const column = columns.data?.results.find(({ id }) => id === about)
  const add = useMutation({
    mutationFn: ({ text }: { text: string; done: () => void }) => api.post('/comments', { resource_id: column?.id ?? resource.id, text }),
    onSuccess: (_, { done }) => {
      done()
      refresh(resource.id, ...(column ? [column.id] : []))
    },
    onError: (error) => showErrorToast(t('Couldn’t post the comment.'), error),
  })
  if (!canWrite) return null
  return (
    <div className="grid gap-1.5">
      {column && (
        <p className="flex items-center gap-1 text-sm text-soft">
          <Trans message="About the column {column}" column={<strong dir="auto">{column.title}</strong>} />
          <Link
            to="/r/$id"
            from="/r/$id"
            params={(before) => before}
            search={(before) => ({ ...before, about: undefined })}
            aria-label={t('Comment on {title} instead', { title: resource.title })}
            title={t('Comment on {title} instead', { title: resource.title })}
            className="inline-flex size-6 items-center justify-center rounded-md hover:bg-hover"
          >
            <X aria-hidden size={14} />
          </Link>
        </p>
      )}
      <CommentForm
        key={column?.id ?? resource.id}
        label={t('Start a discussion')}
        placeholder={t('Write a comment. @ mentions a person, Markdown works.')}
        submit={t('Comment')}
        autoFocus={column !== undefined}
        busy={add.isPending}
        onSubmit={(text, done) => add.mutate({ text, done })}
      />
    </div>
  )
}

interface ThreadProps {
  /** The resource whose page this is; the thread may be about one of its columns. */
  readonly resource: string
  readonly comments: readonly Comment[]
  readonly canResolve: boolean
}

const Thread = ({ resource, comments, canResolve }: ThreadProps) => {
  const [first] = comments as [Comment, ...Comment[]]
  const canWrite = useCan('questions.ask')
  const [isReplying, setIsReplying] = useState(false)
  const isOpen = first.status === 'open'
  const changed = () => refresh(resource, first.resource_id)
  const reply = useMutation({
    mutationFn: ({ text }: { text: string; done: () => void }) => api.post('/comments', { thread_id: first.thread_id, text }),
    onSuccess: (_, { done }) => {
      done()
      setIsReplying(false)
      changed()
    },
    onError: (error) => showErrorToast(t('Couldn’t post the comment.'), error),
  })
  const resolve = useMutation({
    mutationFn: () => api.patch(`/comments/${first.thread_id}`, { status: isOpen ? 'resolved' : 'open' }),
    onSuccess: changed,
    onError: (error) => showErrorToast(t('Not saved.'), error),
  })
  return (
    <article aria-label={t('Discussion')} className="rounded-lg border border-line">
      {comments.map((comment) => (
        <CommentEntry key={comment.id} comment={comment} isReply={comment !== first} page={resource} onChange={changed} />
      ))}
      {canWrite && (
        <footer className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-2">
          {isReplying ? (
            <div className="w-full">
              <CommentForm
                label={t('Your reply')}
                placeholder={t('Reply…')}
                submit={t('Reply')}
                autoFocus
                busy={reply.isPending}
                onSubmit={(text, done) => reply.mutate({ text, done })}
                onCancel={() => setIsReplying(false)}
              />
            </div>
          ) : (
            <>
              <Button small onClick={() => setIsReplying(true)}>
                {t('Reply')}
              </Button>
              <ResolveButton first={first} canResolve={canResolve} busy={resolve.isPending} onClick={() => resolve.mutate()} />
            </>
          )}
        </footer>
      )}
    </article>
  )
}

const ResolveButton = ({
  first: { status, created_by, resolved_by_name },
  canResolve,
  busy,
  onClick,
}: {
  first: Comment
  canResolve: boolean
  busy: boolean
  onClick: () => void
}) => {
  const isMine = useIsMe(created_by)
  return (
    <>
      {(canResolve || isMine) && (
        <Button small look="quiet" busy={busy} onClick={onClick}>
          {status === 'open' ? t('Resolve') : t('Reopen')}
        </Button>
      )}
      {status === 'resolved' && resolved_by_name !== null && (
        <span className="ms-auto text-xs text-faint">{t('Resolved by {who}', { who: resolved_by_name })}</span>
      )}
    </>
  )
}
