import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Folder } from 'lucide-react'
import { api } from '../api/client.ts'
import type { Resource, ResultPage } from '../api/types.ts'
import { pluralize, t } from '../i18n/messages.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { entityTypeLabel } from '../ui/entity-type.tsx'
import { EmptyState, ErrorView, Skeleton } from '../ui/states.tsx'
import { ResourceList } from './resource-list.tsx'
import type { TabProps } from './tabs.ts'

const membersQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['resource', id, 'members'],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      api.get<ResultPage<Resource>>('/resource/catalog', {
        query: {
          filter: JSON.stringify({ operator: 'exact', field: 'collections', value: id }),
          page,
          page_size: 100,
          sort: '{"field":"title","order":"asc"}',
        },
        signal,
      }),
    getNextPageParam: ({ meta }) => meta.next_page,
    staleTime: 0, // users come here right after adding something
  })

/** Members of a collection. */
export const Members = ({ view: { resource } }: TabProps) => {
  const members = useInfiniteQuery(membersQuery(resource.id))
  if (members.error) return <ErrorView error={members.error} retry={() => void members.refetch()} />
  if (!members.data) return <Skeleton lines={6} />
  const { count = 0 } = members.data.pages[0] ?? {}
  if (count === 0)
    return (
      <EmptyState
        icon={Folder}
        title={t('This collection is empty')}
        action={
          resource.current_user_permissions.write && (
            <Link to="/search" className={buttonClass('primary')}>
              {t('Go to catalog')}
            </Link>
          )
        }
      >
        {t('Select resources in the catalog and add them to this collection.')}
      </EmptyState>
    )
  return (
    <div className="grid gap-3">
      <p className="text-sm text-faint">{pluralize(count, 'member')}</p>
      <ResourceList of={members.data.pages.flatMap(({ results }) => results)} aside={({ entity_type }) => entityTypeLabel(entity_type)} />
      {members.hasNextPage && (
        <Button busy={members.isFetchingNextPage} onClick={() => void members.fetchNextPage()}>
          {t('More')}
        </Button>
      )}
    </div>
  )
}
