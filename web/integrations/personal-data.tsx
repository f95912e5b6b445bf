import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { ScanSearch } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { PiiRule } from '../../src/profiles/pii-schema.ts'
import { api } from '../api/client.ts'
import { type Job, jobQuery } from '../api/job.ts'
import { queryClient } from '../api/query.ts'
import { useCan } from '../api/session.ts'
import { PiiSuggestions } from '../profiles/pii.tsx'
import { suggestionsQuery } from '../profiles/queries.ts'
import { Button } from '../ui/button.tsx'
import { Switch } from '../ui/field.tsx'
import { Section } from '../ui/page.tsx'
import { When } from '../ui/time.tsx'
import { told, toldFailure } from '../ui/toast.tsx'
import { Say } from '../words/say.tsx'
import { t } from '../words/words.ts'

const ruleQuery = (id: string) =>
  queryOptions({ queryKey: ['pii', id, 'rule'], queryFn: ({ signal }) => api.get<PiiRule>(`/pii/rules/${id}`, { signal }) })

/** PII suggestions for all tables of an integration, with a manual scan and the setting to scan after each sync. */
export const PersonalData = ({ id }: { id: string }) => {
  const manages = useCan('integrations.manage')
  const { data: rule } = useQuery(ruleQuery(id))
  const { data: found } = useQuery(suggestionsQuery({ integration_id: id }))
  const scan = useScan(id)
  const edit = useMutation({
    mutationFn: (scan_after_sync: boolean) => api.patch<PiiRule>(`/pii/rules/${id}`, { scan_after_sync }),
    onSuccess: (now) => queryClient.setQueryData(ruleQuery(id).queryKey, now),
    onError: (error) => toldFailure(t('Not saved.'), error),
  })
  if (!rule || !found) return null
  return (
    <Section
      title={t('Personal data')}
      actions={
        manages && (
          <Button small icon={ScanSearch} busy={scan.busy} onClick={scan.begin}>
            {scan.busy ? t('Scanning… {percent} %', { percent: scan.progress }) : t('Scan for PII')}
          </Button>
        )
      }
    >
      <div className="grid gap-2 text-sm">
        <p className="text-faint">
          {rule.scanned_at ? (
            <Looked at={rule.scanned_at} undecided={found.results.some(({ pii }) => !pii)} />
          ) : (
            t('Finds e-mail addresses, phone numbers and other personal data by column name and by sampling 300 rows of each table.')
          )}
        </p>
        {manages && (
          <div className="flex items-center gap-2">
            <Switch
              label={t('Scan after each sync')}
              checked={rule.scan_after_sync}
              disabled={edit.isPending}
              onChange={(on) => edit.mutate(on)}
            />
            {t('Scan after each sync')}
          </div>
        )}
        <PiiSuggestions of={{ integration_id: id }} />
      </div>
    </Section>
  )
}

const Looked = ({ at, undecided }: { at: string; undecided: boolean }) => {
  const when = <When at={at} />
  if (undecided) return <Say words="Scanned {when}." when={when} />
  return <Say words="No columns to review. Scanned {when}." when={when} />
}

const useScan = (id: string) => {
  const [job, setJob] = useState<string>()
  const { data } = useQuery(jobQuery(job))
  const begin = useMutation({
    mutationFn: () => api.post<Job>(`/pii/scan/${id}`),
    onSuccess: (begun) => setJob(begun.id),
    onError: (error) => toldFailure(t('Scan failed to start'), error),
  })
  useEffect(() => {
    if (!data?.completed) return
    setJob(undefined)
    if (data.failed) toldFailure(t('Scan incomplete'), new Error(data.logs.trim().split('\n').at(-1)))
    else told(t('Scan complete'))
    void queryClient.invalidateQueries({ queryKey: ['pii'] })
  }, [data])
  return { begin: () => begin.mutate(), busy: begin.isPending || job !== undefined, progress: Math.round(data?.progress ?? 0) }
}
