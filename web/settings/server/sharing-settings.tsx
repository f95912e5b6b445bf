import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, isApiError } from '../../api/client.ts'
import type { Schemas } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Switch, TextArea } from '../../ui/field.tsx'
import { SettingsRow } from '../shared/rows.tsx'
import { useSettingsMutation } from '../shared/use-settings-mutation.ts'

type Settings = Schemas['SharingSettings']

const sharingQuery = queryOptions({
  queryKey: ['sharing-settings'],
  queryFn: ({ signal }) => api.get<Settings>('/sharing/settings', { signal }),
})

/** What people without an account may see: cards on other sites, and public links. */
export const SharingSettings = () => {
  const { data } = useQuery(sharingQuery)
  return data ? <SharingForm key={data.embed_origins.join(' ')} settings={data} /> : null
}

const SharingForm = ({ settings }: { settings: Settings }) => {
  const [origins, setOrigins] = useState(settings.embed_origins.join('\n'))
  const save = useSettingsMutation({
    perform: (edit: Settings) => api.put<Settings>('/sharing/settings', edit),
    staleKeys: ['sharing-settings', 'public-links'],
    done: t('Saved'),
  })
  const errors = isApiError(save.error) ? save.error.errors : {}
  const on = settings.public_links || settings.link_previews || settings.embed_origins.length > 0
  return (
    <SettingsRow
      title={
        <>
          {t('Sharing')} {on ? <Badge tone="warn">{t('On')}</Badge> : <Badge>{t('Off')}</Badge>}
        </>
      }
    >
      <form
        aria-label={t('Sharing')}
        className="grid gap-3 text-sm"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate({ ...settings, embed_origins: origins.split(/[\s,]+/).filter(Boolean) })
        }}
      >
        <label className="flex items-center gap-2">
          <Switch
            label={t('Public links')}
            checked={settings.public_links}
            disabled={save.isPending}
            onChange={(public_links) => save.mutate({ ...settings, public_links })}
          />
          {t('Public links: admins can let anyone read single documents and glossary terms.')}
        </label>
        <label className="flex items-center gap-2">
          <Switch
            label={t('Link previews')}
            checked={settings.link_previews}
            disabled={save.isPending}
            onChange={(link_previews) => save.mutate({ ...settings, link_previews })}
          />
          {t(
            'Link previews: chats show the title, type, health, description and number of owners of what all viewers see, also to people without an account.',
          )}
        </label>
        <Field
          label={t('Sites that may show cards of tables')}
          hint={t('One origin per line, e.g. https://wiki.example.com. Editors copy the embed code from the menu of a table. Blank: none.')}
          error={errors.embed_origins}
        >
          {(props) => (
            <TextArea
              {...props}
              rows={2}
              spellCheck={false}
              className="font-mono text-xs"
              value={origins}
              onChange={({ currentTarget: { value } }) => setOrigins(value)}
            />
          )}
        </Field>
        {save.error && !errors.embed_origins && (
          <p role="alert" className="text-bad">
            {save.error.message}
          </p>
        )}
        <div>
          <Button type="submit" small busy={save.isPending}>
            {t('Save')}
          </Button>
        </div>
      </form>
    </SettingsRow>
  )
}
