import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Option } from '../ui/picker.tsx'
import { t } from '../words/words.ts'
import { api } from './client.ts'
import { queryClient } from './query.ts'
import { useBootstrap, useCan } from './session.ts'
import type { Page, User } from './types.ts'
import { useSettled } from './use-settled.ts'

/**
 * Options of a picker: the first fifty by name, and server-side matches while the user types, so that every one of a hundred thousand can be
 * selected.
 */
export interface Choices {
  readonly options: readonly Option[]
  readonly onSearch: (typed: string) => void
  /** The search is still running: an empty list does not mean that nothing matches. */
  readonly searching?: boolean
}

const MOST_OFFERED = 50
const MOST_IN_BOOTSTRAP = 1000 // the server's limit: with fewer, the list is complete

/** The typed text, debounced for the server. */
const useTyped = () => {
  const [typed, onSearch] = useState('')
  const words = useSettled(typed.trim())
  return { words, settled: words === typed.trim(), onSearch }
}

export const peopleQuery = (words: string) =>
  queryOptions({
    queryKey: ['people', words],
    queryFn: ({ signal }) => {
      const match = words === '' ? {} : words.includes('@') ? { email: words } : { name: words }
      return api.get<Page<User>>('/user', { query: { page_size: MOST_OFFERED, disabled: false, ...match }, signal })
    },
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })

const usePeople = (words: string, wanted: boolean): readonly Option[] => {
  const may = useCan('people.read')
  const { data } = useQuery({ ...peopleQuery(words), enabled: wanted && may })
  return data?.results.map(({ id, name, email }) => ({ id, label: name, hint: email, person: true })) ?? []
}

/** People, fetched when the picker opens. */
export const usePeopleChoices = (wanted: boolean): Choices => {
  const { words, onSearch } = useTyped()
  return { options: usePeople(words, wanted), onSearch }
}

interface Named {
  readonly id: string
  readonly name: string
}

const namedQuery = (path: string, words: string) =>
  queryOptions({
    queryKey: [path, 'choices', words],
    queryFn: ({ signal }) =>
      api.get<Page<Named & { color?: string | null }>>(path, { query: { page_size: MOST_OFFERED, name: words }, signal }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })

/** The list of the bootstrap response, plus matches from the server when that list is incomplete. */
const useNamed = <T extends Named>(path: string, known: readonly T[], words: string) => {
  const someAreMissing = known.length >= MOST_IN_BOOTSTRAP
  const { data, isPlaceholderData, isLoading } = useQuery({ ...namedQuery(path, words), enabled: someAreMissing && words !== '' })
  const more = data?.results.filter(({ id }) => !known.some((each) => each.id === id)) ?? []
  const named: readonly (Named & { color?: string | null })[] = [...known, ...more]
  return { named, someAreMissing, waiting: isLoading || isPlaceholderData }
}

export const useTagChoices = (): Choices => {
  const { words, settled, onSearch } = useTyped()
  const { named, someAreMissing, waiting } = useNamed('/tag', useBootstrap().tags, words)
  const options = named.map(({ id, name, color = null }) => ({ id, label: name, color }))
  return { options, onSearch, searching: waiting || (someAreMissing && !settled) }
}

export const useTeamChoices = (): Choices => {
  const { words, onSearch } = useTyped()
  const { named } = useNamed('/auth/teams', useBootstrap().teams, words)
  return { options: named.map(({ id, name }) => ({ id, label: name })), onSearch }
}

const GROUPS = '/auth/group'

/** Groups and people: both can be owners. */
export const useOwnerChoices = (wanted: boolean): Choices => {
  const { words, onSearch } = useTyped()
  const people = usePeople(words, wanted)
  const { named } = useNamed(GROUPS, useBootstrap().groups, words)
  return { options: [...named.map(({ id, name }) => ({ id, label: name, hint: t('Group'), person: true })), ...people], onSearch }
}

/** Whether the ID is a group found by a search: such groups are not in the bootstrap response. */
export const isFoundGroup = (id: string): boolean =>
  queryClient
    .getQueriesData<Page<Named>>({ queryKey: [GROUPS, 'choices'] })
    .some(([, page]) => page?.results.some((each) => each.id === id))
