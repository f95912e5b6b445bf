import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from '../ui/button.tsx'
import { about } from '../ui/number.ts'
import { FailureView, Skeleton } from '../ui/states.tsx'
import { t } from '../words/words.ts'
import { BriefList } from './brief-list.tsx'
import { childrenQuery } from './queries.ts'
import type { TabProps } from './tabs.ts'

/** Child resources. */
export const Children = ({ view }: TabProps) => {
  const children = useInfiniteQuery(childrenQuery(view.resource.id))
  if (children.error) return <FailureView error={children.error} retry={() => void children.refetch()} />
  if (!children.data) return <Skeleton lines={6} />
  return (
    <div className="grid gap-3">
      <BriefList
        of={children.data.pages.flatMap(({ results }) => results)}
        aside={({ external_usage: n }) => n > 0 && t('{number} {n:query|queries}', { number: about(n), n })}
      />
      {children.hasNextPage && (
        <Button busy={children.isFetchingNextPage} onClick={() => void children.fetchNextPage()}>
          {t('More')}
        </Button>
      )}
    </div>
  )
}
