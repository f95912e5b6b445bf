import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { ScanSearch } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { PiiRule } from '../../src/observability/pii/pii-schema.ts'
import { api } from '../api/client.ts'
import { type Job, jobQuery } from '../api/job.ts'
import { queryClient } from '../api/query-client.ts'
import { useCan } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { PiiSuggestions } from '../profiles/pii.tsx'
import { piiSuggestionsQuery } from '../profiles/queries.ts'
import { Button } from '../ui/button.tsx'
import { Switch } from '../ui/field.tsx'
import { Section } from '../ui/page.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'

const piiRuleQuery = (id: string) =>
  queryOptions({ queryKey: ['pii', id, 'rule'], queryFn: ({ signal }) => api.get<PiiRule>(`/pii/rules/${id}`, { signal }) })

/** PII suggestions for all tables of an integration, with a manual scan and the setting to scan after each sync. */
export const PiiScanCard = ({ id }: { id: string }) => {
  const manages = useCan('integrations.manage')
  const { data: rule } = useQuery(piiRuleQuery(id))
  const { data: found } = useQuery(piiSuggestionsQuery({ integration_id: id }))
  const scan = usePiiScan(id)
  const edit = useMutation({
    mutationFn: (scan_after_sync: boolean) => api.patch<PiiRule>(`/pii/rules/${id}`, { scan_after_sync }),
    onSuccess: (now) => queryClient.setQueryData(piiRuleQuery(id).queryKey, now),
    onError: (error) => showErrorToast(t('Not saved.'), error),
  })
  if (!rule || !found) return null
  return (
    <Section
      title={t('Personal data')}
      actions={
        manages && (
          <Button small icon={ScanSearch} busy={scan.busy} onClick={scan.begin}>
            {scan.busy ? t('Scanning… {percent} %', { percent: scan.progress }) : t('Scan for personal data')}
          </Button>
        )
      }
    >
      <div className="grid gap-2 text-sm">
        <p className="text-faint">
          {rule.scanned_at ? (
            <LastScan at={rule.scanned_at} undecided={found.results.some(({ pii }) => !pii)} />
          ) : (
            t('Finds e-mail addresses, phone numbers and other personal data by column name and by sampling 300 rows of each table.')
          )}
        </p>
        {manages && (
          <label className="flex items-center gap-2">
            <Switch
              label={t('Scan after each sync')}
              checked={rule.scan_after_sync}
              disabled={edit.isPending}
              onChange={(on) => edit.mutate(on)}
            />
            {t('Scan after each sync')}
          </label>
        )}
        <PiiSuggestions of={{ integration_id: id }} />
      </div>
    </Section>
  )
}

const LastScan = ({ at, undecided }: { at: string; undecided: boolean }) => {
  const when = <RelativeTime at={at} />
  if (undecided) return <Trans message="Scanned {when}." when={when} />
  return <Trans message="No columns to review. Scanned {when}." when={when} />
}

const usePiiScan = (id: string) => {
  const [job, setJob] = useState<string>()
  const { data } = useQuery(jobQuery(job))
  const start = useMutation({
    mutationFn: () => api.post<Job>(`/pii/scan/${id}`),
    onSuccess: (job) => setJob(job.id),
    onError: (error) => showErrorToast(t('Scan failed to start'), error),
  })
  useEffect(() => {
    if (!data?.completed) return
    setJob(undefined)
    if (data.failed) showErrorToast(t('Scan incomplete'), new Error(data.logs.trim().split('\n').at(-1)))
    else showToast(t('Scan complete'))
    void queryClient.invalidateQueries({ queryKey: ['pii'] })
  }, [data])
  return { begin: () => start.mutate(), busy: start.isPending || job !== undefined, progress: Math.round(data?.progress ?? 0) }
}
