import type { UseQueryResult } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import { api } from '../../api/client.ts'
import { t } from '../../i18n/messages.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/form-dialog.tsx'
import { QueryView } from '../../ui/states.tsx'
import { SectionHeader, SettingsRow, SettingsRows } from './rows.tsx'
import { useSettingsMutation } from './use-settings-mutation.ts'

interface SettingsListProps<T> {
  readonly title: string
  readonly about: string
  /** Label of the create button. */
  readonly add: string
  readonly of: UseQueryResult<readonly T[]>
  readonly manages?: boolean
  readonly empty: ReactNode
  readonly row: (record: T) => ReactNode
  readonly form: (onClose: () => void) => ReactNode
}

/** List of records that are created, edited and deleted in dialogs. */
export const SettingsList = <T extends { readonly id: string }>(props: SettingsListProps<T>) => {
  const { title, about, add, of, manages = true, empty, row, form } = props
  const [making, setMaking] = useState(false)
  return (
    <>
      <SectionHeader
        title={title}
        about={about}
        actions={
          manages && (
            <Button look="primary" icon={Plus} onClick={() => setMaking(true)}>
              {add}
            </Button>
          )
        }
      />
      <QueryView of={of}>
        {(records) =>
          records.length === 0 ? (
            empty
          ) : (
            <SettingsRows>
              {records.map((record) => (
                <Fragment key={record.id}>{row(record)}</Fragment>
              ))}
            </SettingsRows>
          )
        }
      </QueryView>
      {making && form(() => setMaking(false))}
    </>
  )
}

interface SettingsListRowProps {
  readonly name: string
  /** Shown before and after the name. */
  readonly sign?: ReactNode
  readonly badge?: ReactNode
  readonly about?: ReactNode
  readonly aside?: ReactNode
  readonly manages?: boolean
  /** Path for DELETE, query keys to invalidate, and what the deletion also removes. */
  readonly path: string
  readonly staleKeys: readonly string[]
  readonly deleteWarning: ReactNode
  readonly form: (onClose: () => void) => ReactNode
}

/** One record with its actions. */
export const SettingsListRow = (props: SettingsListRowProps) => {
  const { name, sign, badge, about, aside, manages = true, path, staleKeys, deleteWarning, form } = props
  const [over, setOver] = useState<'edit' | 'delete'>()
  const close = () => setOver(undefined)
  const remove = useSettingsMutation({
    perform: () => api.delete(path),
    staleKeys,
    done: t('{name} deleted', { name }),
    failed: t('Couldn’t delete.'),
  })
  return (
    <SettingsRow
      title={
        <>
          {sign}
          <span className="truncate" dir="auto">
            {name}
          </span>
          {badge}
        </>
      }
      about={about}
      aside={aside}
      actions={
        manages && (
          <>
            <Button small look="quiet" onClick={() => setOver('edit')}>
              {t('Edit')}
            </Button>
            <Button small look="quiet" onClick={() => setOver('delete')}>
              {t('Delete')}
            </Button>
          </>
        )
      }
    >
      {over === 'edit' && form(close)}
      {over === 'delete' && (
        <Confirm title={t('Delete {name}?', { name })} action={t('Delete')} onClose={close} write={remove}>
          {deleteWarning}
        </Confirm>
      )}
    </SettingsRow>
  )
}
