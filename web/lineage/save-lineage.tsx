import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, Replace, Waypoints } from 'lucide-react'
import { useState } from 'react'
import { queryClient } from '../api/query-client.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { type QueryLineage, type SqlLineageParams, saveSqlLineage } from './queries.ts'

/** Saves the previewed lineage, in addition to or instead of that of other queries. */
export const SaveLineage = ({ ask, lineage: { statements, target_table } }: { ask: SqlLineageParams; lineage: QueryLineage }) => {
  const [replacing, setReplacing] = useState(false)
  const [saved, setKept] = useState<string>()
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
  const save = useMutation({
    mutationFn: (replace: boolean) => saveSqlLineage(ask, replace),
    onError: (error) => showErrorToast(t('Couldn’t save the lineage.'), error),
    onSuccess: (_, replace) => {
      showToast(replace ? t('Lineage replaced') : t('Lineage saved'))
      setKept(JSON.stringify(ask))
      setReplacing(false)
      return queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'resource' })
    },
  })
  if (known.length === 0)
    return (
      <p className="rounded-md bg-warn-soft px-3 py-1.5 text-sm text-warn">
        {targets.length === 0
          ? t('The query has no target table. Choose one to save the lineage.')
          : t('The target table is not in the catalog. Choose another one to save the lineage.')}
      </p>
    )
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button look="primary" icon={Check} busy={save.isPending} onClick={() => save.mutate(false)}>
        {t('Save lineage')}
      </Button>
      <Button icon={Replace} busy={save.isPending} onClick={() => setReplacing(true)}>
        {t('Replace…')}
      </Button>
      {saved === JSON.stringify(ask) && (
        <Link to="/lineage/$id" params={{ id: known.at(-1)!.id! }} className={buttonClass('quiet')}>
          <Waypoints aria-hidden size={15} /> {t('View lineage')}
        </Link>
      )}
      {replacing && (
        <Dialog
          title={t('Replace existing lineage?')}
          onClose={() => setReplacing(false)}
          footer={
            <>
              <Button data-autofocus onClick={() => setReplacing(false)}>
                {t('Cancel')}
              </Button>
              <Button look="danger" busy={save.isPending} onClick={() => save.mutate(true)}>
                {t('Replace')}
              </Button>
            </>
          }
        >
          <div className="grid gap-2 text-sm">
            <Trans
              words="This removes upstream lineage derived from other queries for {tables} and keeps only this query. Manually added links and downstream lineage are not affected."
              tables={
                <ul className="list-disc ps-5 font-medium">
                  {replaced.map(({ id, title }) => (
                    <li key={id} dir="auto">
                      {title}
                    </li>
                  ))}
                </ul>
              }
            />
          </div>
        </Dialog>
      )}
    </div>
  )
}
