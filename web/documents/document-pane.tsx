import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Eye, FileText, History, LayoutTemplate, MessagesSquare, Pencil } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { ResourceView } from '../api/types.ts'
import { useCommand } from '../commands/use-command.ts'
import { NamedAlike, TermDetails } from '../glossary/term-details.tsx'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { backlinksQuery, resourceQuery } from '../resources/queries.ts'
import { ResourceList } from '../resources/resource-list.tsx'
import { useEdit } from '../resources/use-edit.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { Editable } from '../ui/editable.tsx'
import { formatCount } from '../ui/number.ts'
import { Section, useTitle } from '../ui/page.tsx'
import { EmptyState, QueryView, Skeleton } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { showToast } from '../ui/toast.tsx'
import { MoreMenu } from './more-menu.tsx'
import { MoveDocument } from './move-document.tsx'
import type { DocumentRecord } from './queries.ts'

const Editor = lazy(async () => ({ default: (await import('../editor/definition-editor.tsx')).DefinitionEditor }))

const PARTS = [
  {
    id: 'discussion',
    label: t('Discussion'),
    icon: MessagesSquare,
    count: ({ tabs }: ResourceView) => tabs.discussions,
    component: lazy(async () => ({ default: (await import('../resources/discussion/discussion.tsx')).Discussion })),
  },
  {
    id: 'activity',
    label: t('Activity'),
    icon: History,
    count: ({ tabs }: ResourceView) => tabs.versions,
    component: lazy(async () => ({ default: (await import('../resources/activity.tsx')).Activity })),
  },
] as const

interface DocumentPaneProps {
  readonly id: string
  readonly editing: boolean
  readonly onEdit: (editing: boolean) => void
  /** A page has one h1: next to a list it is an h2. */
  readonly heading: 'h1' | 'h2'
  readonly actions?: ReactNode
}

/** A document or term: title, content and backlinks. */
export const DocumentPane = ({ id, ...rest }: DocumentPaneProps) => (
  <QueryView of={useQuery(resourceQuery(id))}>{(view) => <DocumentContent key={id} view={view} {...rest} />}</QueryView>
)

const DocumentContent = ({ view, editing, onEdit, heading: Heading, actions }: { view: ResourceView } & Omit<DocumentPaneProps, 'id'>) => {
  const { resource, names } = view
  const { id, title, description, definition, published } = resource
  const writes = resource.current_user_permissions.write
  const edit = useEdit(view)
  const publish = () =>
    edit.mutate({ published: true }, { onSuccess: () => showToast(t('Published'), () => edit.mutate({ published: false })) })
  useTitle(title)
  useCommand('resource.edit', () => onEdit(true), writes && !editing)
  const written = <RelativeTime at={resource.multiplayer_last_modified ?? resource.updated_at} />
  const by = resource.multiplayer_last_modified_by && names[resource.multiplayer_last_modified_by]?.name
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <header className="grid grid-cols-[minmax(0,1fr)] gap-1">
        <div className="flex flex-wrap items-start gap-2">
          <Heading className="flex min-w-0 flex-1 basis-56 items-center gap-2 text-xl font-semibold" dir="auto">
            <Editable label={t('title')} value={title} editable={writes} onSave={(now) => now && edit.mutate({ title: now })} />
            {!published && <Badge tone="warn">{t('Draft')}</Badge>}
            {(resource as DocumentRecord).is_template && (
              <Badge tone="accent" icon={LayoutTemplate}>
                {t('Template')}
              </Badge>
            )}
          </Heading>
          <div className="flex flex-wrap items-center gap-2">
            {writes && !editing && !published && (
              <Button look="primary" icon={Eye} title={t('Make visible to viewers')} onClick={publish}>
                {t('Publish')}
              </Button>
            )}
            {writes && !editing && (
              <Button icon={Pencil} onClick={() => onEdit(true)}>
                {t('Edit')}
              </Button>
            )}
            {writes && !editing && resource.entity_type === 'document' && <MoveDocument view={view} />}
            <Link to="/r/$id" params={{ id }} className={buttonClass('quiet')}>
              {t('Details')}
            </Link>
            {writes && !editing && <MoreMenu view={view} />}
            {actions}
          </div>
        </div>
        <Editable
          label={t('description')}
          value={description ?? ''}
          editable={writes}
          multiline
          placeholder={writes ? t('Add a description') : ''}
          className="text-soft"
          onSave={(now) => edit.mutate({ description: now || null })}
        />
        {resource.entity_type === 'glossary' && <TermDetails view={view} onChange={(change) => edit.mutate(change)} />}
      </header>
      {editing && writes ? (
        <Suspense fallback={<Skeleton lines={6} />}>
          <Editor resource={resource} onClose={() => onEdit(false)} />
        </Suspense>
      ) : definition ? (
        <div>
          <Markdown text={definition} outline />
          <p className="mt-6 text-xs text-faint">
            {by ? (
              <Trans message="Last edited by {who} {when}" who={by} when={written} />
            ) : (
              <Trans message="Last edited {when}" when={written} />
            )}
          </p>
        </div>
      ) : (
        <EmptyState
          icon={FileText}
          title={t('No content yet')}
          action={
            writes && (
              <Button look="primary" icon={Pencil} onClick={() => onEdit(true)}>
                {t('Add documentation')}
              </Button>
            )
          }
        />
      )}
      {resource.entity_type === 'glossary' && writes && <NamedAlike id={id} />}
      {view.tabs.backlinks > 0 && (
        <Section title={t('Linked from')}>
          <Backlinks of={id} />
        </Section>
      )}
      {!editing && <DiscussionAndActivity view={view} />}
    </article>
  )
}

/** Comments on the document and its versions. Open discussions are shown at once. */
const DiscussionAndActivity = ({ view }: { view: ResourceView }) => {
  const [opened, setOpened] = useState(view.tabs.discussions > 0 ? 'discussion' : undefined)
  const part = PARTS.find(({ id }) => id === opened)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line pt-3">
      <div className="flex flex-wrap gap-1.5">
        {PARTS.map(({ id, label, icon, count }) => (
          <Button
            key={id}
            small
            look="quiet"
            icon={icon}
            aria-expanded={id === opened}
            onClick={() => setOpened(id === opened ? undefined : id)}
          >
            {label} {count(view) > 0 && <span className="text-xs text-faint">{formatCount(count(view))}</span>}
          </Button>
        ))}
      </div>
      {part && (
        <section aria-label={part.label}>
          <Suspense fallback={<Skeleton lines={4} />}>
            <part.component view={view} />
          </Suspense>
        </section>
      )}
    </div>
  )
}

const Backlinks = ({ of }: { of: string }) => (
  <QueryView of={useQuery(backlinksQuery(of))}>{({ results }) => <ResourceList of={results} />}</QueryView>
)
