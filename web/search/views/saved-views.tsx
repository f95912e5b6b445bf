import { useNavigate } from '@tanstack/react-router'
import { Bookmark } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { t } from '../../i18n/messages.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Skeleton } from '../../ui/states.tsx'
import type { SavedView } from '../queries.ts'
import { type CatalogSearch, parseViewQuery, toViewQuery } from '../search-params.ts'

/** Loaded when they are opened. */
const ViewList = lazy(async () => ({ default: (await import('./view-list.tsx')).ViewList }))
const RenameViewDialog = lazy(async () => ({ default: (await import('./view-dialogs.tsx')).RenameViewDialog }))

/** Saved searches: words, filters, sort order and columns under a name. */
export const SavedViews = ({ address, onSave }: { address: CatalogSearch; onSave: () => void }) => {
  const [renaming, setRenaming] = useState<SavedView>()
  const navigate = useNavigate()
  return (
    <>
      <Popover
        label={t('Saved views')}
        align="end"
        className="max-h-[70dvh] w-72 p-1"
        trigger={(props) => (
          <button type="button" {...props} className={buttonClass('quiet', true)}>
            <Bookmark aria-hidden size={15} /> {t('Views')}
          </button>
        )}
      >
        {(close) => (
          <Suspense fallback={<Skeleton className="p-3" />}>
            <ViewList
              current={toViewQuery(address)}
              onOpen={({ query }) => {
                close()
                void navigate({ to: '/search', search: parseViewQuery(query) })
              }}
              onRename={(view) => {
                close()
                setRenaming(view)
              }}
              onSave={() => {
                close()
                onSave()
              }}
            />
          </Suspense>
        )}
      </Popover>
      {renaming && (
        <Suspense>
          <RenameViewDialog view={renaming} onClose={() => setRenaming(undefined)} />
        </Suspense>
      )}
    </>
  )
}
