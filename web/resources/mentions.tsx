import { useQuery } from '@tanstack/react-query'
import { Answer } from '../ui/states.tsx'
import { When } from '../ui/time.tsx'
import { BriefList } from './brief-list.tsx'
import { backlinksQuery } from './queries.ts'
import type { TabProps } from './tabs.ts'

/** Resources whose documentation links to this one. */
export const Mentions = ({ view }: TabProps) => (
  <Answer of={useQuery(backlinksQuery(view.resource.id))}>
    {({ results }) => <BriefList of={results} aside={({ updated_at }) => <When at={updated_at} />} />}
  </Answer>
)
