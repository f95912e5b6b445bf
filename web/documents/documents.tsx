import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { FilePlus, FileText, ListTree } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useCan } from '../api/session.ts'
import { useCommand } from '../commands/use-command.ts'
import { t } from '../i18n/messages.ts'
import { resourceQuery } from '../resources/queries.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { useTitle } from '../ui/page.tsx'
import { EmptyState } from '../ui/states.tsx'
import { DocumentPane } from './document-pane.tsx'
import { DocumentTree } from './document-tree.tsx'
import { NewDocumentDialog } from './new-document.tsx'
import { documentListQuery } from './queries.ts'

const route = getRouteApi('/documents/$id')

/** The document tree, with no document open. */
export const Documents = () => {
  useTitle(t('Documents'))
  const { data } = useInfiniteQuery(documentListQuery({ entity_type: 'document', parent: null }))
  const none = data?.pages[0]?.count === 0
  const writes = useCan('catalog.write')
  return (
    <DocumentLayout path={[]}>
      {(create) => (
        <>
          <h1 className="text-lg font-semibold">{t('Documents')}</h1>
          <EmptyState
            icon={FileText}
            title={none ? t('No documents yet') : t('Select a document')}
            action={
              writes && (
                <Button look={none ? 'primary' : 'plain'} icon={FilePlus} onClick={create}>
                  {t('New document')}
                </Button>
              )
            }
          >
            {none && writes && t('Start with a handbook: naming conventions and who to ask.')}
          </EmptyState>
        </>
      )}
    </DocumentLayout>
  )
}

/** One document next to the tree. */
export const DocumentPage = () => {
  const { id } = route.useParams()
  const { edit } = route.useSearch()
  const navigate = useNavigate({ from: '/documents/$id' })
  const { data: view } = useQuery(resourceQuery(id))
  return (
    <DocumentLayout chosen={id} path={view?.breadcrumbs.map(({ id }) => id) ?? []}>
      {() => (
        <>
          {view === undefined && <h1 className="sr-only">{t('Document')}</h1>}
          <DocumentPane
            id={id}
            heading="h1"
            editing={edit !== undefined}
            onEdit={(on) => void navigate({ search: { edit: on ? '1' : undefined } })}
          />
        </>
      )}
    </DocumentLayout>
  )
}

interface DocumentLayoutProps {
  readonly chosen?: string
  readonly path: readonly string[]
  /** `create` opens the dialog for a new document. */
  readonly children: (create: () => void) => ReactNode
}

const DocumentLayout = ({ chosen, path, children }: DocumentLayoutProps) => {
  const writes = useCan('catalog.write')
  const navigate = useNavigate()
  const [creating, setCreating] = useState<'top' | 'below'>()
  // On a phone the tree is above the text and would push it off the screen.
  const [tree, setTree] = useState<{ readonly shownFor?: string }>({})
  const folded = chosen !== undefined && tree.shownFor !== chosen
  useCommand('documents.new', () => setCreating('top'), writes)
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] content-start overflow-auto md:grid-cols-[17rem_minmax(0,1fr)] md:content-stretch md:overflow-hidden">
      <nav aria-label={t('Documents')} className="flex flex-col gap-2 border-line p-3 max-md:border-b md:overflow-auto md:border-e">
        {(writes || chosen) && (
          <div className="flex flex-wrap gap-2">
            {chosen && (
              <span className="md:hidden">
                <Button small icon={ListTree} aria-expanded={!folded} onClick={() => setTree(folded ? { shownFor: chosen } : {})}>
                  {t('All documents')}
                </Button>
              </span>
            )}
            {writes && (
              <>
                <Button small icon={FilePlus} onClick={() => setCreating('top')}>
                  {t('New document')}
                </Button>
                {chosen && (
                  <Button small look="quiet" onClick={() => setCreating('below')}>
                    {t('New subpage')}
                  </Button>
                )}
              </>
            )}
          </div>
        )}
        <div className={cx(folded && 'max-md:hidden')}>
          <DocumentTree chosen={chosen} path={path} />
        </div>
      </nav>
      <div className="min-w-0 px-4 py-5 md:overflow-auto md:px-8">
        <div className="mx-auto max-w-4xl">{children(() => setCreating('top'))}</div>
      </div>
      {creating && (
        <NewDocumentDialog
          entity_type="document"
          parent={creating === 'below' ? chosen : undefined}
          onClose={() => setCreating(undefined)}
          onCreated={({ id }) => {
            setCreating(undefined)
            void navigate({ to: '/documents/$id', params: { id }, search: { edit: '1' } })
          }}
        />
      )}
    </div>
  )
}
