import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, Replace, Waypoints } from 'lucide-react'
import { useState } from 'react'
import { queryClient } from '../api/query.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { told, toldFailure } from '../ui/toast.tsx'
import { keepSqlLineage, type QueryLineage, type SqlAsk } from './queries.ts'

/** Keeps what was previewed: beside what other queries say, or in place of it. */
export const KeepLineage = ({ ask, said: { statements, target_table } }: { ask: SqlAsk; said: QueryLineage }) => {
  const [replacing, setReplacing] = useState(false)
  const [kept, setKept] = useState<string>()
  const targets = [
    ...new Map(
      [...statements.flatMap(({ target_tables }) => target_tables), ...(target_table ? [target_table] : [])].map((table) => [
        table.id ?? table.title,
        table,
      ]),
    ).values(),
  ]
  const known = targets.filter(({ id }) => id !== null)
  const replaced = ask.table_id ? known.filter(({ id }) => id === ask.table_id) : known
  const keep = useMutation({
    mutationFn: (replace: boolean) => keepSqlLineage(ask, replace),
    onError: (error) => toldFailure('Not kept.', error),
    onSuccess: (_, replace) => {
      told(replace ? 'Kept, in place of what other queries said.' : 'Kept.')
      setKept(JSON.stringify(ask))
      setReplacing(false)
      return queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'resource' })
    },
  })
  if (known.length === 0)
    return (
      <p className="rounded-md bg-warn-soft px-3 py-1.5 text-sm text-warn">
        {targets.length === 0
          ? 'The text does not say where its result goes. Choose the table to keep this.'
          : 'The catalog does not hold the table it writes. Choose another to keep this.'}
      </p>
    )
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button look="primary" icon={Check} busy={keep.isPending} onClick={() => keep.mutate(false)}>
        Keep this lineage
      </Button>
      <Button icon={Replace} busy={keep.isPending} onClick={() => setReplacing(true)}>
        Replace…
      </Button>
      {kept === JSON.stringify(ask) && (
        <Link to="/lineage/$id" params={{ id: known.at(-1)!.id! }} className={buttonClass('quiet')}>
          <Waypoints aria-hidden size={15} /> Show it
        </Link>
      )}
      {replacing && (
        <Dialog
          title="Replace what other queries said?"
          onClose={() => setReplacing(false)}
          footer={
            <>
              <Button data-autofocus onClick={() => setReplacing(false)}>
                Cancel
              </Button>
              <Button look="danger" busy={keep.isPending} onClick={() => keep.mutate(true)}>
                Replace
              </Button>
            </>
          }
        >
          <div className="grid gap-2 text-sm">
            <p>Everything that queries said so far of where the data comes from in</p>
            <ul className="list-disc ps-5 font-medium">
              {replaced.map(({ id, title }) => (
                <li key={id} dir="auto">
                  {title}
                </li>
              ))}
            </ul>
            <p>is forgotten, and this query alone counts. What people stated stays, and so does what flows out of it.</p>
          </div>
        </Dialog>
      )}
    </div>
  )
}
