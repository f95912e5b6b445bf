import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import type { Schemas } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'
import { Trans } from '../../i18n/trans.tsx'
import { SettingsRow, SettingsRows } from '../../settings/shared/rows.tsx'
import { useSettingsMutation } from '../../settings/shared/use-settings-mutation.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyableCommand } from '../../ui/copyable-command.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { QueryView } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'

const publicLinksQuery = (id: string) =>
  queryOptions({
    queryKey: ['public-links', id],
    queryFn: ({ signal }) => api.get<Schemas['PublicLinks']>(`/resource/all/${id}/public_links`, { signal }),
  })

const DAYS = [1, 7, 30, 90, 365]

/** Public links of a document or glossary term: create and revoke. */
export const PublicLinksDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const [days, setDays] = useState(30)
  const create = useSettingsMutation({
    perform: () => api.post<Schemas['NewPublicLink']>(`/resource/all/${id}/public_links`, { expires_in_days: days }),
    staleKeys: ['public-links'],
    failed: t('The link was not created.'),
  })
  return (
    <Dialog title={t('Public link')} onClose={onClose}>
      <QueryView of={useQuery(publicLinksQuery(id))}>
        {({ results, enabled }) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm">
            <p className="text-soft">
              {enabled
                ? t(
                    'Anyone with the link can read this page, without an account, until the link expires. Chats show its title and description as a preview. Links to other pages are left out.',
                  )
                : t('Public links are turned off. An admin can turn them on under Settings → This server.')}
            </p>
            {enabled && (
              <div className="flex flex-wrap items-center gap-2">
                <Select fit aria-label={t('Expires in')} value={days} onChange={({ currentTarget: { value } }) => setDays(Number(value))}>
                  {DAYS.map((n) => (
                    <option key={n} value={n}>
                      {t('{n:# day|# days}', { n })}
                    </option>
                  ))}
                </Select>
                <Button look="primary" busy={create.isPending} onClick={() => create.mutate()}>
                  {t('Create link')}
                </Button>
              </div>
            )}
            {create.data?.url && (
              <>
                <CopyableCommand text={create.data.url} label={t('Copy link')} />
                <p className="text-xs text-faint">{t('Copy it now: it is not shown again.')}</p>
              </>
            )}
            {results.length > 0 && (
              <SettingsRows>
                {results.map((link) => (
                  <LinkRow key={link.id} link={link} />
                ))}
              </SettingsRows>
            )}
          </div>
        )}
      </QueryView>
    </Dialog>
  )
}

const LinkRow = ({ link }: { link: Schemas['PublicLink'] }) => {
  const { id, hint, created_by_name, created_at, expires_at, revoked_at } = link
  const expired = new Date(expires_at) <= new Date()
  const revoke = useSettingsMutation({
    perform: () => api.delete(`/public_link/${id}`),
    staleKeys: ['public-links'],
    done: t('Link revoked'),
    failed: t('The link was not revoked.'),
  })
  return (
    <SettingsRow
      title={
        <>
          <code className="font-mono text-xs">{hint}</code>{' '}
          {revoked_at ? <Badge>{t('Revoked')}</Badge> : expired ? <Badge>{t('Expired')}</Badge> : <Badge tone="warn">{t('Public')}</Badge>}
        </>
      }
      about={
        <Trans
          message="Created {created} by {who} · expires {expires}"
          created={<RelativeTime at={created_at} />}
          who={created_by_name ?? '–'}
          expires={<RelativeTime at={expires_at} />}
        />
      }
      actions={
        !revoked_at &&
        !expired && (
          <Button small look="quiet" busy={revoke.isPending} onClick={() => revoke.mutate()}>
            {t('Revoke')}
          </Button>
        )
      }
    />
  )
}
