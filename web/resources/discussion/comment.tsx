import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useBootstrap } from '../../api/session.ts'
import type { Schemas } from '../../api/types.ts'
import { MentionTextArea } from '../../editor/mention-text-area.tsx'
import { t } from '../../i18n/messages.ts'
import { Markdown } from '../../markdown/markdown.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Confirm } from '../../ui/form-dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PersonLink } from '../../ui/person-link.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { showErrorToast } from '../../ui/toast.tsx'
import { Reactions } from './reactions.tsx'

export type Comment = Schemas['Comment']

export const useIsMe = (id: string | null): boolean => useBootstrap().me.id === id

interface CommentEntryProps {
  readonly comment: Comment
  readonly isReply: boolean
  /** The resource whose page this is. */
  readonly page: string
  readonly onChange: () => void
}

/** One comment with its author; one's own can be edited and deleted. */
export const CommentEntry = ({ comment, isReply, page, onChange }: CommentEntryProps) => {
  const { id, text, created_by_name, created_at, edited_at, resource_id, resource_title, status } = comment
  const isMine = useIsMe(comment.created_by)
  const isAdmin = useBootstrap().me.role === 'admin'
  const [mode, setMode] = useState<'edit' | 'delete'>()
  const name = created_by_name ?? t('Unknown user')
  const edit = useMutation({
    mutationFn: (text: string) => api.patch(`/comments/${id}`, { text }),
    onSuccess: () => {
      setMode(undefined)
      onChange()
    },
    onError: (error) => showErrorToast(t('Not saved.'), error),
  })
  const remove = useMutation<unknown, Error, void>({
    mutationFn: () => api.delete(`/comments/${id}`),
    onSuccess: () => {
      setMode(undefined)
      onChange()
    },
  })
  return (
    <div className={cx('px-4 py-3 text-sm', isReply && 'border-t border-line ps-8')}>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Avatar name={name} />
        <PersonLink id={comment.created_by} name={name} />
        <span className="text-xs text-faint">
          <RelativeTime at={created_at} />
          {edited_at !== null && text !== null && ` · ${t('edited')}`}
        </span>
        {!isReply && resource_id !== page && (
          <Link
            to="/r/$id"
            params={{ id: resource_id }}
            search={{ tab: 'discussion' }}
            className="max-w-60 truncate font-mono text-xs text-accent hover:underline"
            dir="auto"
          >
            {resource_title}
          </Link>
        )}
        {!isReply && status === 'resolved' && <Badge tone="good">{t('Resolved')}</Badge>}
        {text !== null && (isMine || isAdmin) && mode !== 'edit' && (
          <span className="ms-auto">
            <Menu
              label={t('Comment')}
              align="end"
              trigger={(props) => <Button {...props} small look="quiet" icon={Ellipsis} aria-label={t('Actions of the comment')} />}
              items={[
                ...(isMine ? [{ label: t('Edit'), icon: Pencil, onSelect: () => setMode('edit') }] : []),
                { label: t('Delete'), icon: Trash2, danger: true, onSelect: () => setMode('delete') },
              ]}
            />
          </span>
        )}
      </div>
      <div className="mt-1.5">
        {mode === 'edit' ? (
          <CommentForm
            label={t('Your comment')}
            submit={t('Save')}
            initial={text ?? ''}
            autoFocus
            busy={edit.isPending}
            onSubmit={(changed) => edit.mutate(changed)}
            onCancel={() => setMode(undefined)}
          />
        ) : text === null ? (
          <p className="text-faint italic">{t('This comment was deleted.')}</p>
        ) : (
          <Markdown text={text} />
        )}
      </div>
      {mode !== 'edit' && <Reactions comment={comment} onChange={onChange} />}
      {mode === 'delete' && (
        <Confirm title={t('Delete comment')} action={t('Delete')} onClose={() => setMode(undefined)} write={remove}>
          <p>{t('The comment is deleted for everyone.')}</p>
        </Confirm>
      )}
    </div>
  )
}

interface CommentFormProps {
  readonly label: string
  readonly submit: string
  readonly busy: boolean
  readonly placeholder?: string
  readonly initial?: string
  readonly autoFocus?: boolean
  readonly onSubmit: (text: string, done: () => void) => void
  readonly onCancel?: () => void
}

const MAX_LENGTH = 10_000 // the API's limit

export const CommentForm = ({ label, submit, busy, placeholder, initial = '', autoFocus, onSubmit, onCancel }: CommentFormProps) => {
  const [text, setText] = useState(initial)
  const send = () => {
    if (text.trim() !== '' && !busy) onSubmit(text.trim(), () => setText(''))
  }
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
      }}
    >
      <MentionTextArea
        aria-label={label}
        placeholder={placeholder}
        rows={2}
        maxLength={MAX_LENGTH}
        value={text}
        onChange={setText}
        autoFocus={autoFocus}
      />
      <div className="flex gap-2">
        <Button type="submit" small look="primary" busy={busy} disabled={text.trim() === ''}>
          {submit}
        </Button>
        {onCancel && (
          <Button small onClick={onCancel}>
            {t('Cancel')}
          </Button>
        )}
      </div>
    </form>
  )
}
