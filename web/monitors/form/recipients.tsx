import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { api } from '../../api/client.ts'
import { getOwnerIds } from '../../api/owners.ts'
import { queryClient } from '../../api/query-client.ts'
import { useMe } from '../../api/session.ts'
import type { Resource, ResultPage } from '../../api/types.ts'
import { pluralize, t } from '../../i18n/messages.ts'
import { Button } from '../../ui/button.tsx'
import { showErrorToast, showToast } from '../../ui/toast.tsx'

/** The target and, for a column, its table. Read from the catalog list, which does not count as a page view. */
const recipientsQuery = (target: string) =>
  queryOptions({
    queryKey: ['resource', target, 'hearing'],
    queryFn: async ({ signal }) => {
      const find = async (id: string) => {
        const filter = JSON.stringify({ operator: 'exact', field: 'id', value: id })
        return (await api.get<ResultPage<Resource>>('/resource/catalog', { query: { filter, page_size: 1 }, signal })).results[0]
      }
      const resource = await find(target)
      const table = resource?.entity_type === 'column' && resource.parent ? await find(resource.parent) : undefined
      return [resource, table].filter((each) => each !== undefined)
    },
  })

/** Recipients of the monitor's alerts: owners and subscribers of the target. */
export const Recipients = ({ target }: { target: string }) => {
  const { id: me } = useMe()
  const { data } = useQuery(recipientsQuery(target))
  const subscribable = data?.at(-1)
  const subscribe = useMutation({
    mutationFn: (id: string) => api.put(`/resource/all/${id}/subscription`),
    onSuccess: async (_, id) => {
      showToast(t('Subscribed to incidents and changes'))
      await Promise.all([target, id].map((each) => queryClient.invalidateQueries({ queryKey: ['resource', each] })))
    },
    onError: (error) => showErrorToast(t('Couldn’t subscribe.'), error),
  })
  if (!subscribable) return null
  const all = new Set(data?.flatMap((each) => [...getOwnerIds(each), ...each.subscribers]))
  const mine = all.has(me)
  const others = all.size - (mine ? 1 : 0)
  const text = mine
    ? others > 0
      ? t('You and {n:# other|# others}', { n: others })
      : t('You // recipient')
    : all.size > 0
      ? pluralize(all.size, 'owner or subscriber', 'owners and subscribers')
      : ''
  return (
    <div className="grid justify-items-start gap-1">
      {text || <span className="text-warn">{t('No recipients. Add an owner or subscriber.')}</span>}
      {!mine && (
        <Button small icon={Bell} busy={subscribe.isPending} onClick={() => subscribe.mutate(subscribable.id)}>
          {t('Notify me')}
        </Button>
      )}
    </div>
  )
}
