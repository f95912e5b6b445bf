import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { FileText, Pencil } from 'lucide-react'
import { lazy, Suspense, useRef } from 'react'
import { useCommand } from '../commands/use-command.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState, Skeleton } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { SourceValuesPanel } from './source-values.tsx'
import type { TabProps } from './tabs.ts'

const Editor = lazy(async () => ({ default: (await import('../editor/definition-editor.tsx')).DefinitionEditor }))
const route = getRouteApi('/r/$id')

/** The documentation of a resource, or an invitation to write it. */
export const Documentation = ({ view }: TabProps) => {
  const { resource, names } = view
  const { edit } = route.useSearch()
  const navigate = useNavigate({ from: '/r/$id' })
  const writes = resource.current_user_permissions.write
  const begin = () => void navigate({ search: (before) => ({ ...before, tab: 'documentation', edit: '1' }) })
  useCommand('resource.edit', begin, writes && !edit)
  const closed = useRef(false)
  /** Closing the editor returns the focus to the button that opens it. */
  const focusAfterClosing = (button: HTMLButtonElement | null) => {
    if (button && closed.current) button.focus()
    if (button) closed.current = false
  }
  if (edit && writes)
    return (
      <Suspense fallback={<Skeleton lines={6} />}>
        <Editor
          resource={resource}
          onClose={() => {
            closed.current = true
            void navigate({ search: (before) => ({ ...before, tab: 'documentation', edit: undefined }) })
          }}
        />
      </Suspense>
    )
  if (!resource.definition)
    return (
      <>
        <SourceValuesPanel resource={resource} field="definition" />
        <EmptyState
          icon={FileText}
          title={t('No documentation yet')}
          action={
            writes && (
              <Button ref={focusAfterClosing} look="primary" icon={Pencil} onClick={begin}>
                {t('Add documentation')}
              </Button>
            )
          }
        >
          {resource.entity_type === 'table'
            ? t('Describe what one row is, where the data comes from, and how to use it.')
            : t('Describe what this contains, where it comes from, and how to use it.')}
        </EmptyState>
      </>
    )
  const by = resource.multiplayer_last_modified_by && names[resource.multiplayer_last_modified_by]?.name
  const written = <RelativeTime at={resource.multiplayer_last_modified} />
  return (
    <div className="flex items-start gap-6 max-sm:flex-col-reverse max-sm:items-stretch max-sm:gap-2">
      <div className="min-w-0 flex-1">
        <SourceValuesPanel resource={resource} field="definition" />
        <Markdown text={resource.definition} outline />
        {resource.multiplayer_last_modified && (
          <p className="mt-6 text-xs text-faint">
            {by ? (
              <Trans message="Last edited by {who} {when}" who={by} when={written} />
            ) : (
              <Trans message="Last edited {when}" when={written} />
            )}
          </p>
        )}
      </div>
      {writes && (
        <div className="max-sm:self-end">
          <Button ref={focusAfterClosing} small icon={Pencil} onClick={begin}>
            {t('Edit')}
          </Button>
        </div>
      )}
    </div>
  )
}
