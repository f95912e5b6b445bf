import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  Archive,
  ArchiveRestore,
  Bell,
  BellOff,
  Bookmark,
  BookmarkCheck,
  Ellipsis,
  ExternalLink,
  Link2,
  Pencil,
  Trash2,
  Users,
} from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { api } from '../api/client.ts'
import type { Job } from '../api/job.ts'
import { queryClient } from '../api/query.ts'
import { useCan } from '../api/session.ts'
import { useCommand } from '../commands/use-command.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input } from '../ui/field.tsx'
import { Confirm } from '../ui/form-dialog.tsx'
import { kindInText } from '../ui/kind.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { told, toldFailure } from '../ui/toast.tsx'
import { Say } from '../words/say.tsx'
import { t } from '../words/words.ts'
import { type ResourceView, resourceQuery } from './queries.ts'
import { useEdit } from './use-edit.ts'

const WhoSees = lazy(async () => ({ default: (await import('./who-sees.tsx')).WhoSees }))

/** Actions next to the title of a resource. */
export const Actions = ({ view }: { view: ResourceView }) => {
  const { resource, bookmarked, subscribed } = view
  const writes = resource.current_user_permissions.write
  const knowsPeople = useCan('people.read')
  const edit = useEdit(view)
  const bookmark = useMark(view, 'bookmark', 'bookmarked')
  const subscription = useMark(view, 'subscription', 'subscribed')
  const [asking, setAsking] = useState<'rename' | 'delete' | 'who-sees'>()
  const copy = async () => {
    await navigator.clipboard.writeText(`${location.origin}/r/${resource.id}`)
    told(t('Link copied'))
  }
  useCommand('resource.copy-link', () => void copy())
  useCommand('resource.bookmark', () => bookmark.mutate(!bookmarked))
  useCommand('resource.subscribe', () => subscription.mutate(!subscribed))
  const verify = (verified: boolean) =>
    edit.mutate(
      { verified },
      {
        onSuccess: () => told(verified ? t('Marked as verified') : t('Verification removed'), () => edit.mutate({ verified: !verified })),
      },
    )
  useCommand('resource.verify', () => verify(!resource.verified), writes)

  const url = /^https?:/i.test(resource.url ?? '') ? resource.url : null
  const items: MenuItem[] = [
    { label: t('Copy link'), icon: Link2, onSelect: () => void copy() },
    ...(url ? [{ label: t('Open in source'), icon: ExternalLink, onSelect: () => void window.open(url, '_blank', 'noopener') }] : []),
    ...(knowsPeople ? [{ label: t('Check access'), icon: Users, onSelect: () => setAsking('who-sees') }] : []),
    ...(writes
      ? [
          { label: t('Rename'), icon: Pencil, onSelect: () => setAsking('rename') },
          resource.archived
            ? { label: t('Unarchive'), icon: ArchiveRestore, onSelect: () => edit.mutate({ archived: false }) }
            : { label: t('Archive'), icon: Archive, onSelect: () => edit.mutate({ archived: true }) },
          { label: t('Delete'), icon: Trash2, danger: true, onSelect: () => setAsking('delete') },
        ]
      : []),
  ]
  return (
    <div className="flex items-center gap-1">
      <IconButton
        label={bookmarked ? t('Remove bookmark') : t('Bookmark')}
        icon={bookmarked ? BookmarkCheck : Bookmark}
        aria-pressed={bookmarked}
        onClick={() => bookmark.mutate(!bookmarked)}
        className={bookmarked ? 'text-accent' : ''}
      />
      <Button small icon={subscribed ? BellOff : Bell} onClick={() => subscription.mutate(!subscribed)}>
        {subscribed ? t('Unsubscribe') : t('Subscribe')}
      </Button>
      <Menu label={t('More')} align="end" items={items} trigger={(props) => <IconButton {...props} label={t('More')} icon={Ellipsis} />} />
      {asking === 'rename' && (
        <Rename title={resource.title} onSave={(title) => edit.mutate({ title })} onClose={() => setAsking(undefined)} />
      )}
      {asking === 'who-sees' && (
        <Suspense fallback={null}>
          <WhoSees resource={resource} onClose={() => setAsking(undefined)} />
        </Suspense>
      )}
      {asking === 'delete' && <Delete view={view} onClose={() => setAsking(undefined)} />}
    </div>
  )
}

/** Bookmark or subscription, updated optimistically and rolled back on an error. */
const useMark = ({ resource: { id } }: ResourceView, door: 'bookmark' | 'subscription', field: 'bookmarked' | 'subscribed') => {
  const set = (on: boolean) => queryClient.setQueryData(resourceQuery(id).queryKey, (view) => view && { ...view, [field]: on })
  return useMutation({
    mutationFn: (on: boolean) => (on ? api.put(`/resource/all/${id}/${door}`) : api.delete(`/resource/all/${id}/${door}`)),
    onMutate: (on) => set(on),
    onSuccess: (_, on) => {
      void queryClient.invalidateQueries({ queryKey: [door === 'bookmark' ? 'home' : 'subscriptions'] })
      if (door === 'subscription') told(on ? t('Subscribed to changes') : t('Unsubscribed'))
      else told(on ? t('Bookmarked') : t('Bookmark removed'))
    },
    onError: (error, on) => {
      set(!on)
      toldFailure(t('Something went wrong.'), error)
    },
  })
}

const Rename = ({ title, onSave, onClose }: { title: string; onSave: (title: string) => void; onClose: () => void }) => {
  const [draft, setDraft] = useState(title)
  const save = () => {
    if (draft.trim() !== '' && draft !== title) onSave(draft.trim())
    onClose()
  }
  return (
    <Dialog
      title={t('Rename')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button look="primary" onClick={save}>
            {t('Rename')}
          </Button>
        </>
      }
    >
      <Field label={t('Name')}>
        {(props) => (
          <Input
            {...props}
            data-autofocus
            value={draft}
            maxLength={500}
            onChange={(event) => setDraft(event.target.value)}
            onKeyDown={(event) => event.key === 'Enter' && save()}
          />
        )}
      </Field>
    </Dialog>
  )
}

const Delete = ({ view: { resource, breadcrumbs }, onClose }: { view: ResourceView; onClose: () => void }) => {
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => api.delete<Job | null>(`/resource/all/${resource.id}`, { if_match: resource }),
    onSuccess: async (job) => {
      const parent = breadcrumbs.at(-1)
      const back = () =>
        api
          .post(`/resource/all/${resource.id}/restore`, {})
          .then(() => navigate({ to: '/r/$id', params: { id: resource.id } }))
          .catch((error) => toldFailure(t('Couldn’t restore it.'), error))
      if (job) told(t('Deleting {title} in the background', { title: resource.title }))
      else told(t('{title} deleted', { title: resource.title }), () => void back())
      await (parent ? navigate({ to: '/r/$id', params: { id: parent.id } }) : navigate({ to: '/search' }))
      queryClient.removeQueries({ queryKey: ['resource', resource.id] })
      for (const list of ['catalog', 'tree', 'home', 'trash']) void queryClient.invalidateQueries({ queryKey: [list] })
    },
  })
  const title = <span className="font-medium break-words">{resource.title}</span>
  return (
    <Confirm
      title={t('Delete this {kind}?', { kind: kindInText(resource.entity_type) })}
      action={t('Delete')}
      onClose={onClose}
      write={remove}
    >
      <p>
        {resource.children_count > 0 ? (
          <Say
            words="This removes {title} and everything in it ({n:# direct child|# direct children}) from the catalog. The source isn’t affected."
            title={title}
            n={resource.children_count}
          />
        ) : (
          <Say words="This removes {title} from the catalog. The source isn’t affected." title={title} />
        )}
      </p>
      <p className="text-soft">{t('You can restore it from the trash for 90 days.')}</p>
    </Confirm>
  )
}
