import { useState } from 'react'
import { api } from '../../api/client.ts'
import { t } from '../../i18n/messages.ts'
import { Field, Input, Select } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import type { NotificationChannel } from '../shared/queries.ts'
import { useSettingsMutation } from '../shared/use-settings-mutation.ts'
import { CHANNEL_TYPES, type ChannelType } from './channel-types.ts'

/** Form for a notification channel. Secrets are write-only: left blank, they stay as they are. */
export const EditNotificationChannel = ({ channel, onClose }: { channel?: NotificationChannel; onClose: () => void }) => {
  const [type, setType] = useState<ChannelType>(channel?.type ?? 'slack')
  const { field, fieldLabel, hint, apiUrl, ownUrl } = CHANNEL_TYPES[type]
  const isSecret = field !== 'address'
  const [name, setName] = useState(channel?.name ?? '')
  const [value, setValue] = useState(channel && !isSecret ? channel.address : '')
  const [url, setUrl] = useState(channel && apiUrl ? channel.address : '')
  const write = useSettingsMutation({
    perform: () => {
      const movesApi = apiUrl !== undefined && url.trim() !== '' && url.trim() !== channel?.address
      const body = {
        name,
        ...(value.trim() !== '' && value !== channel?.address && { [field]: value.trim() }),
        ...(movesApi && { url: url.trim() }),
      }
      return channel ? api.patch(`/notification/channels/${channel.id}`, body) : api.post('/notification/channels', { type, ...body })
    },
    staleKeys: ['notification-channels'],
    onSuccess: onClose,
  })
  return (
    <FormDialog
      title={channel ? t('Edit {name}', { name: channel.name }) : t('New channel')}
      submit={channel ? t('Save') : t('Create channel')}
      onClose={onClose}
      write={write}
    >
      {(errors) => (
        <>
          {!channel && (
            <Field label={t('Type')} error={errors.type}>
              {(props) => (
                <Select {...props} value={type} onChange={({ target }) => setType(target.value as ChannelType)}>
                  {Object.entries(CHANNEL_TYPES).map(([id, { label }]) => (
                    <option key={id} value={id}>
                      {label}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          )}
          <Field label={t('Name')} error={errors.name}>
            {(props) => (
              <Input {...props} required data-autofocus maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />
            )}
          </Field>
          <Field label={fieldLabel} error={errors[field]} hint={channel && isSecret ? t('Leave blank to keep the current value.') : hint}>
            {(props) => (
              <Input
                {...props}
                type={field === 'key' ? 'password' : 'text'}
                autoComplete="off"
                required={!(channel && isSecret)}
                value={value}
                onChange={({ target }) => setValue(target.value)}
              />
            )}
          </Field>
          {apiUrl && (
            <Field
              label={ownUrl ? t('URL') : t('URL of the API')}
              error={errors.url}
              hint={
                ownUrl
                  ? t('If you change the URL, enter the secret again.')
                  : t('Only for other regions. If you change the URL, enter the key again.')
              }
            >
              {(props) => (
                <Input
                  {...props}
                  type="url"
                  required={ownUrl && !channel}
                  placeholder={apiUrl}
                  value={url}
                  onChange={({ target }) => setUrl(target.value)}
                />
              )}
            </Field>
          )}
        </>
      )}
    </FormDialog>
  )
}
