import type { UseQueryResult } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import { api } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/form-dialog.tsx'
import { Answer } from '../ui/states.tsx'
import { t } from '../words/words.ts'
import { Head, Row, Rows } from './rows.tsx'
import { useWrite } from './use-write.ts'

interface ManagedProps<T> {
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
export const Managed = <T extends { readonly id: string }>(props: ManagedProps<T>) => {
  const { title, about, add, of, manages = true, empty, row, form } = props
  const [making, setMaking] = useState(false)
  return (
    <>
      <Head
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
      <Answer of={of}>
        {(records) =>
          records.length === 0 ? (
            empty
          ) : (
            <Rows>
              {records.map((record) => (
                <Fragment key={record.id}>{row(record)}</Fragment>
              ))}
            </Rows>
          )
        }
      </Answer>
      {making && form(() => setMaking(false))}
    </>
  )
}

interface ManagedRowProps {
  readonly name: string
  /** Shown before and after the name. */
  readonly sign?: ReactNode
  readonly badge?: ReactNode
  readonly about?: ReactNode
  readonly aside?: ReactNode
  readonly manages?: boolean
  /** Path for DELETE, query keys to invalidate, and what the deletion also removes. */
  readonly path: string
  readonly old: readonly string[]
  readonly lost: ReactNode
  readonly form: (onClose: () => void) => ReactNode
}

/** One record with its actions. */
export const ManagedRow = (props: ManagedRowProps) => {
  const { name, sign, badge, about, aside, manages = true, path, old, lost, form } = props
  const [over, setOver] = useState<'edit' | 'delete'>()
  const close = () => setOver(undefined)
  const remove = useWrite({ perform: () => api.delete(path), old, done: t('{name} deleted', { name }), failed: t('Couldn’t delete.') })
  return (
    <Row
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
          {lost}
        </Confirm>
      )}
    </Row>
  )
}
