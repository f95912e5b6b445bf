import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  Archive,
  ArchiveRestore,
  Bell,
  BellOff,
  Bookmark,
  BookmarkCheck,
  Bot,
  CircleCheck,
  CircleHelp,
  CircleSlash,
  CodeXml,
  Ellipsis,
  ExternalLink,
  Globe,
  HeartPulse,
  Link2,
  Pencil,
  SearchAlert,
  Sparkles,
  Trash2,
  Users,
} from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { useBootstrap, useCan } from '../../api/session.ts'
import type { ResourceView } from '../../api/types.ts'
import { useCommand } from '../../commands/use-command.ts'
import { t } from '../../i18n/messages.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { showErrorToast, showToast } from '../../ui/toast.tsx'
import { resourceQuery } from '../queries.ts'
import { useEdit } from '../use-edit.ts'

const DeleteDialog = lazy(async () => ({ default: (await import('./delete-dialog.tsx')).DeleteDialog }))
const DeprecateDialog = lazy(async () => ({ default: (await import('./deprecate-dialog.tsx')).DeprecateDialog }))
const DraftDialog = lazy(async () => ({ default: (await import('./draft-dialog.tsx')).DraftDialog }))
const PublicLinksDialog = lazy(async () => ({ default: (await import('./public-links-dialog.tsx')).PublicLinksDialog }))
const EmbedDialog = lazy(async () => ({ default: (await import('./embed-dialog.tsx')).EmbedDialog }))
const AccessDialog = lazy(async () => ({ default: (await import('./access-dialog.tsx')).AccessDialog }))

const DRAFTED_TYPES: readonly string[] = ['table', 'schema', 'database']

/** Those that can have a public link. */
const SHARED_TYPES: readonly string[] = ['document', 'glossary']

const EXPLAINED_TYPES: readonly string[] = ['table', 'column', 'dashboard', 'chart', 'report']
/** Those that people look at: they have a button of their own. */
const WRONG_NUMBER_TYPES: readonly string[] = ['dashboard', 'chart', 'report']
const WHY = t('Why is this number wrong?')

/** Actions next to the title of a resource. */
export const Actions = ({ view }: { view: ResourceView }) => {
  const { resource, bookmarked, subscribed } = view
  const writes = resource.current_user_permissions.write
  const canReadPeople = useCan('people.read')
  const canAsk = useCan('questions.ask')
  const canShare = useCan('links.manage') && SHARED_TYPES.includes(resource.entity_type)
  const hasAssistant = useBootstrap().settings.assistant
  const navigate = useNavigate()
  const edit = useEdit(view)
  const bookmark = useUserRelation(view, 'bookmark', 'bookmarked')
  const subscription = useUserRelation(view, 'subscription', 'subscribed')
  const [dialog, setDialog] = useState<'rename' | 'delete' | 'deprecate' | 'who-sees' | 'draft' | 'public-links' | 'embed'>()
  const copy = async () => {
    await navigator.clipboard.writeText(`${location.origin}/r/${resource.id}`)
    showToast(t('Link copied'))
  }
  useCommand('resource.copy-link', () => void copy())
  useCommand('resource.bookmark', () => bookmark.mutate(!bookmarked))
  useCommand('resource.subscribe', () => subscription.mutate(!subscribed))
  const verify = (verified: boolean) =>
    edit.mutate(
      { verified },
      {
        onSuccess: () =>
          showToast(verified ? t('Marked as verified') : t('Verification removed'), () => edit.mutate({ verified: !verified })),
      },
    )
  useCommand('resource.verify', () => verify(!resource.verified), writes)

  const url = /^https?:/i.test(resource.url ?? '') ? resource.url : null
  const items: MenuItem[] = [
    ...(hasAssistant
      ? [{ label: t('Ask the assistant'), icon: Bot, onSelect: () => void navigate({ to: '/assistant', search: { about: resource.id } }) }]
      : []),
    ...(EXPLAINED_TYPES.includes(resource.entity_type)
      ? [{ label: WHY, icon: SearchAlert, onSelect: () => void navigate({ to: '/why/$id', params: { id: resource.id } }) }]
      : []),
    ...(canAsk && !['question', 'question_reply'].includes(resource.entity_type)
      ? [
          {
            label: t('Ask a question'),
            icon: CircleHelp,
            onSelect: () => void navigate({ to: '/r/$id', params: { id: resource.id }, search: { tab: 'questions', ask: '1' } }),
          },
        ]
      : []),
    { label: t('Copy link'), icon: Link2, onSelect: () => void copy() },
    {
      label: t('Copy health badge'),
      icon: HeartPulse,
      onSelect: () => void import('./copy-badge.ts').then(({ copyBadge }) => copyBadge(resource.id)),
    },
    ...(writes && resource.entity_type === 'table'
      ? [
          {
            label: t('Copy embed code'),
            icon: CodeXml,
            onSelect: () =>
              void import('./copy-embed.ts').then(async ({ copyEmbed }) => {
                if (!(await copyEmbed(resource.id))) setDialog('embed')
              }),
          },
        ]
      : []),
    ...(canShare ? [{ label: t('Public link'), icon: Globe, onSelect: () => setDialog('public-links') }] : []),
    ...(url ? [{ label: t('Open in source'), icon: ExternalLink, onSelect: () => void window.open(url, '_blank', 'noopener') }] : []),
    ...(canReadPeople ? [{ label: t('Check access'), icon: Users, onSelect: () => setDialog('who-sees') }] : []),
    ...(writes
      ? [
          ...(DRAFTED_TYPES.includes(resource.entity_type)
            ? [{ label: t('Draft descriptions'), icon: Sparkles, onSelect: () => setDialog('draft') }]
            : []),
          { label: t('Rename'), icon: Pencil, onSelect: () => setDialog('rename') },
          {
            label: resource.deprecation ? t('Edit deprecation') : t('Deprecate'),
            icon: CircleSlash,
            onSelect: () => setDialog('deprecate'),
          },
          ...(resource.deprecation
            ? [{ label: t('Remove deprecation'), icon: CircleCheck, onSelect: () => edit.mutate({ deprecation: null }) }]
            : []),
          resource.archived
            ? { label: t('Unarchive'), icon: ArchiveRestore, onSelect: () => edit.mutate({ archived: false }) }
            : { label: t('Archive'), icon: Archive, onSelect: () => edit.mutate({ archived: true }) },
          { label: t('Delete'), icon: Trash2, danger: true, onSelect: () => setDialog('delete') },
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
      {WRONG_NUMBER_TYPES.includes(resource.entity_type) && (
        <Button
          small
          icon={SearchAlert}
          className="max-sm:hidden"
          onClick={() => void navigate({ to: '/why/$id', params: { id: resource.id } })}
        >
          {WHY}
        </Button>
      )}
      <Button small icon={subscribed ? BellOff : Bell} onClick={() => subscription.mutate(!subscribed)}>
        {subscribed ? t('Unsubscribe') : t('Subscribe')}
      </Button>
      <Menu label={t('More')} align="end" items={items} trigger={(props) => <IconButton {...props} label={t('More')} icon={Ellipsis} />} />
      {dialog === 'rename' && (
        <RenameDialog title={resource.title} onSave={(title) => edit.mutate({ title })} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'deprecate' && (
        <Suspense fallback={null}>
          <DeprecateDialog resource={resource} onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
      {dialog === 'who-sees' && (
        <Suspense fallback={null}>
          <AccessDialog resource={resource} onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
      {dialog === 'draft' && (
        <Suspense fallback={null}>
          <DraftDialog resource_id={resource.id} onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
      {dialog === 'public-links' && (
        <Suspense fallback={null}>
          <PublicLinksDialog id={resource.id} onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
      {dialog === 'delete' && (
        <Suspense fallback={null}>
          <DeleteDialog view={view} onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
      {dialog === 'embed' && (
        <Suspense fallback={null}>
          <EmbedDialog onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

/** Bookmark or subscription, updated optimistically and rolled back on an error. */
const useUserRelation = ({ resource: { id } }: ResourceView, relation: 'bookmark' | 'subscription', field: 'bookmarked' | 'subscribed') => {
  const set = (on: boolean) => queryClient.setQueryData(resourceQuery(id).queryKey, (view) => view && { ...view, [field]: on })
  return useMutation({
    mutationFn: (on: boolean) => (on ? api.put(`/resource/all/${id}/${relation}`) : api.delete(`/resource/all/${id}/${relation}`)),
    onMutate: (on) => set(on),
    onSuccess: (_, on) => {
      void queryClient.invalidateQueries({ queryKey: [relation === 'bookmark' ? 'home' : 'subscriptions'] })
      if (relation === 'subscription') showToast(on ? t('Subscribed to changes') : t('Unsubscribed'))
      else showToast(on ? t('Bookmarked') : t('Bookmark removed'))
    },
    onError: (error, on) => {
      set(!on)
      showErrorToast(t('Something went wrong.'), error)
    },
  })
}

const RenameDialog = ({ title, onSave, onClose }: { title: string; onSave: (title: string) => void; onClose: () => void }) => {
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
          <Button look="quiet" onClick={onClose}>
            {t('Cancel')}
          </Button>
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
