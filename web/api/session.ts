import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Drafts } from '../editor/drafts.ts'
import { t } from '../i18n/messages.ts'
import { api, isApiError, onSignedOut } from './client.ts'
import { queryClient } from './query-client.ts'
import type { Bootstrap, Permission, Schemas } from './types.ts'

/** The signed-in user with their permissions; null when not signed in. */
export const bootstrapQuery = queryOptions({
  queryKey: ['bootstrap'],
  queryFn: async ({ signal }): Promise<Bootstrap | null> => {
    try {
      return await api.get<Bootstrap>('/ui/bootstrap', { signal })
    } catch (error) {
      if (isApiError(error, 'unauthenticated')) return null
      throw error
    }
  },
  staleTime: 60_000,
})

onSignedOut(() => {
  if (queryClient.getQueryData(bootstrapQuery.queryKey)) queryClient.setQueryData(bootstrapQuery.queryKey, null)
})

export const useSession = () => useQuery(bootstrapQuery)

/** For pages behind the sign-in. */
export const useBootstrap = (): Bootstrap => {
  const { data } = useSuspenseQuery(bootstrapQuery)
  if (!data) throw new Error(t('Not signed in.'))
  return data
}

export const useMe = (): Bootstrap['me'] => useBootstrap().me

/** Decides what is shown; the server enforces the permission. */
export const useCan = (permission: Permission): boolean => useMe().permissions.includes(permission)

/** What the sign-in page needs before anyone is signed in. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => api.get<Schemas['Setup']>('/auth/setup', { signal }),
})

/** After a sign-in: drops the data of the previous user. */
export const reloadSession = async (): Promise<void> => {
  queryClient.removeQueries({ predicate: ({ queryKey: [name] }) => name !== 'bootstrap' && name !== 'setup' })
  await queryClient.fetchQuery({ ...bootstrapQuery, staleTime: 0 })
}

export const signOut = async (): Promise<void> => {
  const me = queryClient.getQueryData(bootstrapQuery.queryKey)?.me
  await api.post('/auth/sign_out')
  if (me) new Drafts(me.id).deleteAll()
  queryClient.clear()
  location.assign('/sign-in')
}
