import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../i18n/messages.ts'
import type { Option } from '../ui/picker.tsx'
import { api } from './client.ts'
import { queryClient } from './query-client.ts'
import { useBootstrap, useCan } from './session.ts'
import type { ResultPage, SearchPage, User } from './types.ts'
import { useThrottled } from './use-throttled.ts'

/**
 * Options of a picker: the first fifty by name, and server-side matches while the user types, so that every one of a hundred thousand can be
 * selected.
 */
export interface PickerOptions {
  readonly options: readonly Option[]
  readonly onSearch: (typed: string) => void
  /** The search is still running: an empty list does not mean that nothing matches. */
  readonly searching?: boolean
}

export const MAX_OPTIONS = 50
const MAX_IN_BOOTSTRAP = 1000 // the server's limit: with fewer, the list is complete

/** The typed text, debounced for the server. */
export const useServerSearch = () => {
  const [typed, onSearch] = useState('')
  const query = useThrottled(typed.trim())
  return { query, settled: query === typed.trim(), onSearch }
}

export const peopleQuery = (query: string) =>
  queryOptions({
    queryKey: ['people', query],
    queryFn: ({ signal }) => {
      const match = query === '' ? {} : query.includes('@') ? { email: query } : { name: query }
      return api.get<ResultPage<User>>('/user', { query: { page_size: MAX_OPTIONS, disabled: false, ...match }, signal })
    },
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })

const usePeople = (query: string, enabled: boolean): readonly Option[] => {
  const may = useCan('people.read')
  const { data } = useQuery({ ...peopleQuery(query), enabled: enabled && may })
  return data?.results.map(({ id, name, email }) => ({ id, label: name, hint: email, person: true })) ?? []
}

/** People, fetched when the picker opens. */
export const usePeopleOptions = (enabled: boolean): PickerOptions => {
  const { query, onSearch } = useServerSearch()
  return { options: usePeople(query, enabled), onSearch }
}

interface NamedOption {
  readonly id: string
  readonly name: string
}

const namedOptionsQuery = (path: string, query: string) =>
  queryOptions({
    queryKey: [path, 'choices', query],
    queryFn: ({ signal }) =>
      api.get<ResultPage<NamedOption & { color?: string | null }>>(path, { query: { page_size: MAX_OPTIONS, name: query }, signal }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })

/** The list of the bootstrap response, plus matches from the server when that list is incomplete. */
const useNamedOptions = <T extends NamedOption>(path: string, loaded: readonly T[], query: string) => {
  const someAreMissing = loaded.length >= MAX_IN_BOOTSTRAP
  const { data, isPlaceholderData, isLoading } = useQuery({ ...namedOptionsQuery(path, query), enabled: someAreMissing && query !== '' })
  const more = data?.results.filter(({ id }) => !loaded.some((each) => each.id === id)) ?? []
  const named: readonly (NamedOption & { color?: string | null })[] = [...loaded, ...more]
  return { named, someAreMissing, waiting: isLoading || isPlaceholderData }
}

export const useTagOptions = (): PickerOptions => {
  const { query, settled, onSearch } = useServerSearch()
  const { named, someAreMissing, waiting } = useNamedOptions('/tag', useBootstrap().tags, query)
  const options = named.map(({ id, name, color = null }) => ({ id, label: name, color }))
  return { options, onSearch, searching: waiting || (someAreMissing && !settled) }
}

export const useTeamOptions = (): PickerOptions => {
  const { query, onSearch } = useServerSearch()
  const { named } = useNamedOptions('/auth/teams', useBootstrap().teams, query)
  return { options: named.map(({ id, name }) => ({ id, label: name })), onSearch }
}

const GROUPS_PATH = '/auth/group'

/** Groups and people: both can be owners. */
export const useOwnerOptions = (enabled: boolean): PickerOptions => {
  const { query, onSearch } = useServerSearch()
  const people = usePeople(query, enabled)
  const { named } = useNamedOptions(GROUPS_PATH, useBootstrap().groups, query)
  return { options: [...named.map(({ id, name }) => ({ id, label: name, hint: t('Group'), person: true })), ...people], onSearch }
}

export const useGroupOptions = (): PickerOptions => {
  const { query, onSearch } = useServerSearch()
  const { named } = useNamedOptions(GROUPS_PATH, useBootstrap().groups, query)
  return { options: named.map(({ id, name }) => ({ id, label: name, person: true })), onSearch }
}

export const useIntegrationOptions = (): PickerOptions => {
  const { query, onSearch } = useServerSearch()
  const { named } = useNamedOptions('/integration/integrations', useBootstrap().integrations, query)
  return { options: named.map(({ id, name }) => ({ id, label: name })), onSearch }
}

type ContainerType = 'database' | 'schema'

/** Resources of one type, the most used first, and matches of what is typed. */
const typedResourcesQuery = (type: 'glossary' | ContainerType, query: string) =>
  queryOptions({
    queryKey: ['catalog', `${type}-choices`, query],
    queryFn: ({ signal }) =>
      api.get<SearchPage>('/search', {
        query: { entity_type: type, q: query || undefined, facets: false, page_size: MAX_OPTIONS },
        signal,
      }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })

/** Glossary terms, fetched when the picker opens. */
export const useTermOptions = (enabled: boolean): PickerOptions => useResourceOptions('glossary', enabled)

/** Schemas or databases, fetched when the picker opens. */
export const useContainerOptions = (type: ContainerType, enabled: boolean): PickerOptions => useResourceOptions(type, enabled)

const useResourceOptions = (type: 'glossary' | ContainerType, enabled: boolean): PickerOptions => {
  const { query, onSearch } = useServerSearch()
  const { data } = useQuery({ ...typedResourcesQuery(type, query), enabled })
  return {
    options:
      data?.results.map(({ id, title, title_full }) => ({
        id,
        label: title,
        hint: title_full === title ? undefined : title_full,
        resource: true,
      })) ?? [],
    onSearch,
  }
}

/** Names of schemas or databases: a name that several of them have is one option. */
export const useContainerNameOptions = (type: ContainerType, enabled: boolean): PickerOptions => {
  const { query, onSearch } = useServerSearch()
  const { data } = useQuery({ ...typedResourcesQuery(type, query), enabled })
  const byName = Map.groupBy(data?.results ?? [], ({ title }) => title)
  return {
    options: [...byName].map(([name, [first, ...others]]) => ({
      id: name,
      label: name,
      hint: others.length > 0 ? t('in {n} places', { n: others.length + 1 }) : first!.title_full === name ? undefined : first!.title_full,
    })),
    onSearch,
  }
}

/** Whether the ID is a group found by a search: such groups are not in the bootstrap response. */
export const isGroupOption = (id: string): boolean =>
  queryClient
    .getQueriesData<ResultPage<NamedOption>>({ queryKey: [GROUPS_PATH, 'choices'] })
    .some(([, page]) => page?.results.some((each) => each.id === id))
