import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Maximize2, SearchAlert } from 'lucide-react'
import { t } from '../i18n/messages.ts'
import type { TabProps } from '../resources/tabs.ts'
import { buttonClass } from '../ui/button.tsx'
import { parseLineageSearch } from './graph/search-params.ts'
import { LineageView } from './lineage-view.tsx'

const route = getRouteApi('/r/$id')

/** The lineage graph on a resource page. */
export const LineageTab = ({ view: { resource } }: TabProps) => {
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/r/$id' })
  const address = parseLineageSearch({ ...search })
  return (
    <div className="grid gap-2">
      <div className="h-[34rem] max-h-[75dvh] overflow-hidden rounded-lg border border-line">
        <LineageView
          id={resource.id}
          embedded
          address={address}
          onAddress={(next, replace) => void navigate({ search: (before) => ({ ...before, ...next }), replace })}
        />
      </div>
      <div className="flex flex-wrap justify-end gap-1">
        <Link to="/why/$id" params={{ id: resource.id }} className={buttonClass('quiet', true)}>
          <SearchAlert aria-hidden size={14} /> {t('Why is this number wrong?')}
        </Link>
        <Link to="/lineage/$id" params={{ id: resource.id }} search={address} className={buttonClass('quiet', true)}>
          <Maximize2 aria-hidden size={14} /> {t('Open full page')}
        </Link>
      </div>
    </div>
  )
}
