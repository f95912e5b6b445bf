import { useQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import { useCan } from './session.ts'
import type { Schemas } from './types.ts'

type Health = Schemas['Health'][string]

const MOST = 200
let waiting = new Map<string, ((health: Health | null) => void)[]>()

/** Rows ask one by one, and all that ask at the same moment are one request. */
const ask = (id: string): Promise<Health | null> =>
  new Promise((resolve) => {
    if (waiting.size === 0) setTimeout(send, 20)
    waiting.set(id, [...(waiting.get(id) ?? []), resolve])
  })

const send = async (): Promise<void> => {
  const asked = [...waiting]
  waiting = new Map()
  for (let i = 0; i < asked.length; i += MOST) {
    const some = asked.slice(i, i + MOST)
    const found = await api
      .get<Record<string, Health>>('/ui/health', { query: { ids: some.map(([id]) => id).join(',') } })
      .catch((): Record<string, Health> => ({})) // a sign that is missing must not take the page with it
    for (const [id, done] of some) for (const tell of done) tell(found[id] ?? null)
  }
}

/** How many incidents are open on a resource; a table has those of its columns. */
export const useOpenIncidents = (id: string | undefined): number => {
  const reads = useCan('monitors.read')
  const { data } = useQuery({
    queryKey: ['health', id],
    queryFn: () => ask(id!),
    enabled: id !== undefined && reads,
    staleTime: 30_000,
  })
  return data?.open_incidents ?? 0
}
