import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { api } from './client.ts'
import { queryClient } from './query-client.ts'
import { useBootstrap } from './session.ts'
import type { Named, Schemas } from './types.ts'

const namesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['names', ...ids],
    queryFn: ({ signal }) => api.get<Schemas['Names']>('/ui/names', { query: { ids: ids.join(',') }, signal }),
    staleTime: 300_000,
    enabled: ids.length > 0,
  })

const MAX_NAME_IDS = 200

/** Names outside of React. IDs that the reader may not see are left out. */
export const fetchNames = (ids: readonly string[]): Promise<Schemas['Names']> =>
  queryClient.fetchQuery(namesQuery([...new Set(ids)].sort().slice(0, MAX_NAME_IDS)))

/**
 * Names of these IDs. Tags, teams, groups and integrations come from the bootstrap response; the rest is fetched in one request, each ID once.
 * The returned function changes only when it has new names.
 */
export const useNames = (ids: readonly string[]): ((id: string) => Named | undefined) => {
  const { tags, teams, groups, integrations, me } = useBootstrap()
  const bootstrapNames = useMemo(() => {
    const names = new Map<string, Named>([[me.id, { type: 'user', name: me.name, initials: me.initials }]])
    for (const { id, name, color } of tags) names.set(id, { type: 'tag', name, color })
    for (const { id, name } of teams) names.set(id, { type: 'team', name })
    for (const { id, name } of groups) names.set(id, { type: 'group', name })
    for (const { id, name, type } of integrations) names.set(id, { type: 'integration', name, integration_type: type })
    return names
  }, [tags, teams, groups, integrations, me])
  const [fetched, setFetched] = useState<ReadonlyMap<string, Named | undefined>>(new Map())
  const missing = [...new Set(ids)]
    .filter((id) => !bootstrapNames.has(id) && !fetched.has(id))
    .sort()
    .slice(0, MAX_NAME_IDS)
  const { data } = useQuery(namesQuery(missing))
  // biome-ignore lint/correctness/useExhaustiveDependencies: a response belongs to the IDs of its request
  useEffect(() => {
    if (data) setFetched((before) => new Map([...before, ...missing.map((id) => [id, data[id]] as const)]))
  }, [data])
  return useCallback((id) => bootstrapNames.get(id) ?? fetched.get(id), [bootstrapNames, fetched])
}
