import { useInfiniteQuery } from '@tanstack/react-query'
import { t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'
import { formatApprox } from '../ui/number.ts'
import { ErrorView, Skeleton } from '../ui/states.tsx'
import { childrenQuery } from './queries.ts'
import { ResourceList } from './resource-list.tsx'
import type { TabProps } from './tabs.ts'

/** Child resources. */
export const Children = ({ view }: TabProps) => {
  const children = useInfiniteQuery(childrenQuery(view.resource.id))
  if (children.error) return <ErrorView error={children.error} retry={() => void children.refetch()} />
  if (!children.data) return <Skeleton lines={6} />
  return (
    <div className="grid gap-3">
      <ResourceList
        of={children.data.pages.flatMap(({ results }) => results)}
        aside={({ external_usage: n }) => n > 0 && t('{number} {n:query|queries}', { number: formatApprox(n), n })}
      />
      {children.hasNextPage && (
        <Button busy={children.isFetchingNextPage} onClick={() => void children.fetchNextPage()}>
          {t('More')}
        </Button>
      )}
    </div>
  )
}
