import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ArrowUpRight, FileCode2 } from 'lucide-react'
import { t } from '../i18n/messages.ts'
import { buttonClass } from '../ui/button.tsx'
import { EntityTypeIcon } from '../ui/entity-type.tsx'
import { useTitle } from '../ui/page.tsx'
import { TrustBadges } from '../ui/trust-badges.tsx'
import { graphQuery } from './graph/queries.ts'
import { getParentPath } from './graph/scene.ts'
import { DEFAULT_LIMIT } from './graph/use-lineage.ts'
import { LineageView } from './lineage-view.tsx'

const route = getRouteApi('/lineage/$id')

/** Lineage page; its state is in the URL. */
export const LineagePage = () => {
  const { id } = route.useParams()
  const address = route.useSearch()
  const navigate = useNavigate({ from: '/lineage/$id' })
  // The smallest request that returns the title, and usually the one the graph needs anyway.
  const { data } = useQuery(graphQuery(id, { direction: 'BOTH', depth: 1, level: 'table', limit: DEFAULT_LIMIT }))
  const start = data?.nodes[0]
  const title = start?.title
  const named = title ? t('Lineage of {title}', { title }) : t('Lineage')
  useTitle(named)
  return (
    <div className="flex h-full flex-col">
      <header className="flex items-center gap-2.5 px-3 pt-3 pb-1">
        <EntityTypeIcon type={start?.entity_type ?? 'table'} size={18} />
        <h1 className="min-w-0 truncate text-base font-semibold" dir="auto">
          <span className="sr-only">{named}</span>
          <span aria-hidden>{title ?? t('Lineage')}</span>
        </h1>
        <TrustBadges id={id} size={15} />
        <span className="min-w-0 flex-1 truncate text-sm text-faint" dir="auto">
          {start && getParentPath(start.title, start.title_full)}
        </span>
        <Link to="/lineage/sql" className={buttonClass('quiet', true, 'max-md:hidden')}>
          <FileCode2 aria-hidden size={14} /> {t('From SQL')}
        </Link>
        <Link to="/r/$id" params={{ id }} className={buttonClass('quiet', true)}>
          {t('Open')} <ArrowUpRight aria-hidden size={14} />
        </Link>
      </header>
      <div className="min-h-0 flex-1">
        <LineageView key={id} id={id} address={address} onAddress={(search, replace) => void navigate({ search, replace })} />
      </div>
    </div>
  )
}
