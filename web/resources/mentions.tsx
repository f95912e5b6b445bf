import { useQuery } from '@tanstack/react-query'
import { QueryView } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { backlinksQuery } from './queries.ts'
import { ResourceList } from './resource-list.tsx'
import type { TabProps } from './tabs.ts'

/** Resources whose documentation links to this one. */
export const Mentions = ({ view }: TabProps) => (
  <QueryView of={useQuery(backlinksQuery(view.resource.id))}>
    {({ results }) => <ResourceList of={results} aside={({ updated_at }) => <RelativeTime at={updated_at} />} />}
  </QueryView>
)
