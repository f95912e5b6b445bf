import { lazy, type ReactNode, Suspense } from 'react'
import { Popover, type TriggerProps } from './popover.tsx'
import { Skeleton } from './states.tsx'

const PickerList = lazy(async () => ({ default: (await import('./picker-list.tsx')).PickerList }))

export interface Option {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly color?: string | null
  readonly person?: boolean
}

interface PickerProps {
  readonly label: string
  readonly trigger: (props: TriggerProps) => ReactNode
  readonly options: readonly Option[]
  readonly chosen: readonly string[]
  readonly onToggle: (id: string) => void
  /** Called with what is typed, for options that the server finds. */
  readonly onSearch?: (typed: string) => void
  /** The options for what is typed are on their way: nothing new is offered before they are there. */
  readonly searching?: boolean
  /** Called as it opens, for options that are fetched then. */
  readonly onOpen?: () => void
  /** Open as soon as it is drawn. */
  readonly opened?: boolean
  readonly onClose?: () => void
  /** Makes a new one of what was typed. */
  readonly onCreate?: (label: string) => void
  /** One only: it closes with the choice. */
  readonly single?: boolean
  readonly align?: 'start' | 'end'
}

/** Chooses among many by typing: owners, tags, teams. */
export const Picker = ({ label, trigger, align, onOpen, opened, onClose, single, onToggle, ...list }: PickerProps) => (
  <Popover label={label} trigger={trigger} align={align} onOpen={onOpen} opened={opened} onClose={onClose} className="w-64 p-0">
    {(close) => (
      <Suspense fallback={<Skeleton className="p-3" />}>
        <PickerList
          {...list}
          label={label}
          onToggle={(id) => {
            onToggle(id)
            if (single) close()
          }}
        />
      </Suspense>
    )}
  </Popover>
)
