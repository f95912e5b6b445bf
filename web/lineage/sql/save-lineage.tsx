import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, Replace, Waypoints } from 'lucide-react'
import { useState } from 'react'
import { queryClient } from '../../api/query-client.ts'
import { t } from '../../i18n/messages.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showErrorToast, showToast } from '../../ui/toast.tsx'
import { type QueryLineage, type SqlLineageParams, saveSqlLineage } from '../graph/queries.ts'

/** Saves the previewed lineage, in addition to or instead of that of other queries. */
export const SaveLineage = ({ params, lineage: { statements, target_table } }: { params: SqlLineageParams; lineage: QueryLineage }) => {
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
  const inCatalog = targets.filter(({ id }) => id !== null)
  const replaced = params.table_id ? inCatalog.filter(({ id }) => id === params.table_id) : inCatalog
  const save = useMutation({
    mutationFn: (replace: boolean) => saveSqlLineage(params, replace),
    onError: (error) => showErrorToast(t('Couldn’t save the lineage.'), error),
    onSuccess: (_, replace) => {
      showToast(replace ? t('Lineage replaced') : t('Lineage saved'))
      setKept(JSON.stringify(params))
      setReplacing(false)
      return queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'resource' })
    },
  })
  if (inCatalog.length === 0)
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
      {saved === JSON.stringify(params) && (
        <Link to="/lineage/$id" params={{ id: inCatalog.at(-1)!.id! }} className={buttonClass('quiet')}>
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
              message="This removes upstream lineage derived from other queries for {tables} and keeps only this query. Manually added links and downstream lineage are not affected."
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
