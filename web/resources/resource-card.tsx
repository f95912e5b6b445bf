import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { useHealth } from '../api/health.ts'
import { useNames } from '../api/names.ts'
import { getOwnerIds } from '../api/owners.ts'
import type { Resource, ResultPage } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Person } from '../ui/avatar.tsx'
import { cx } from '../ui/cx.ts'
import { EntityTypeIcon, entityTypeLabel } from '../ui/entity-type.tsx'
import { Flags } from '../ui/flags.tsx'
import { HealthLabel } from '../ui/health-label.tsx'
import { QueryView } from '../ui/states.tsx'

/** Uses the list endpoint, which does not count a page view: hovering over a link is not a visit. */
const cardQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', id, 'card'],
    queryFn: async ({ signal }) => {
      const filter = JSON.stringify({ operator: 'exact', field: 'id', value: id })
      return (await api.get<ResultPage<Resource>>('/resource/catalog', { query: { filter, page_size: 1 }, signal })).results[0] ?? null
    },
    staleTime: 60_000,
  })

/** Summary of a resource for a hover card. */
export const ResourceCard = ({ id }: { id: string }) => (
  <QueryView of={useQuery(cardQuery(id))}>
    {(resource) => (resource ? <Content {...resource} /> : <p className="text-soft">{t('Not found, or you don’t have access.')}</p>)}
  </QueryView>
)

const Content = (resource: Resource) => {
  const { id, title, title_full, entity_type, description } = resource
  const health = useHealth(id)
  const owners = getOwnerIds(resource)
  const names = useNames(owners)
  const owner = owners.flatMap((id) => names(id)?.name ?? [])[0]
  return (
    <div className="grid gap-1.5">
      <p className="flex items-center gap-2 font-medium" dir="auto">
        <EntityTypeIcon type={entity_type} />
        <span className={cx('min-w-0 truncate', resource.deprecation && 'text-soft line-through')}>{title}</span>
        <Flags {...resource} />
      </p>
      <p className="truncate text-xs text-faint">{title_full}</p>
      <p className="flex flex-wrap items-center gap-x-3 text-xs text-faint">
        <span>{entityTypeLabel(entity_type)}</span>
        {health && <HealthLabel {...health} />}
      </p>
      {description && (
        <p className="line-clamp-3 text-soft" dir="auto">
          {description}
        </p>
      )}
      {owner && <Person name={owner} />}
    </div>
  )
}
