import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { useNames } from '../api/names.ts'
import { ownersOf } from '../api/owners.ts'
import type { Page, Resource } from '../api/types.ts'
import { Person } from '../ui/avatar.tsx'
import { Flags } from '../ui/flags.tsx'
import { KindIcon } from '../ui/kind.tsx'
import { Answer } from '../ui/states.tsx'
import { t } from '../words/words.ts'

/** Uses the list endpoint, which does not count a page view: hovering over a link is not a visit. */
const cardQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', id, 'card'],
    queryFn: async ({ signal }) => {
      const filter = JSON.stringify({ operator: 'exact', field: 'id', value: id })
      return (await api.get<Page<Resource>>('/resource/catalog', { query: { filter, page_size: 1 }, signal })).results[0] ?? null
    },
    staleTime: 60_000,
  })

/** Summary of a resource for a hover card. */
export const ResourceCard = ({ id }: { id: string }) => (
  <Answer of={useQuery(cardQuery(id))}>
    {(resource) => (resource ? <Content {...resource} /> : <p className="text-soft">{t('Not found, or you don’t have access.')}</p>)}
  </Answer>
)

const Content = (resource: Resource) => {
  const { title, title_full, entity_type, description } = resource
  const owners = ownersOf(resource)
  const names = useNames(owners)
  const owner = owners.flatMap((id) => names(id)?.name ?? [])[0]
  return (
    <div className="grid gap-1.5">
      <p className="flex items-center gap-2 font-medium" dir="auto">
        <KindIcon type={entity_type} />
        <span className="min-w-0 truncate">{title}</span>
        <Flags {...resource} />
      </p>
      <p className="truncate text-xs text-faint">{title_full}</p>
      {description && (
        <p className="line-clamp-3 text-soft" dir="auto">
          {description}
        </p>
      )}
      {owner && <Person name={owner} />}
    </div>
  )
}
