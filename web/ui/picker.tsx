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
  /** The ID is that of a resource: its health is shown. */
  readonly resource?: boolean
}

interface PickerProps {
  readonly label: string
  readonly trigger: (props: TriggerProps) => ReactNode
  readonly options: readonly Option[]
  readonly chosen: readonly string[]
  /** Chosen for some of several resources. */
  readonly partial?: readonly string[]
  readonly onToggle: (id: string) => void
  /** Called with the typed text, for server-side search. */
  readonly onSearch?: (typed: string) => void
  /** A search is running: creating a new option is not offered until it has finished. */
  readonly searching?: boolean
  /** Called on opening, for options fetched on demand. */
  readonly onOpen?: () => void
  /** Open when mounted. */
  readonly opened?: boolean
  readonly onClose?: () => void
  /** Creates an option from the typed text. */
  readonly onCreate?: (label: string) => void
  /** Single selection: closes after selecting. */
  readonly single?: boolean
  readonly align?: 'start' | 'end'
}

/** Searchable select for owners, tags, teams. */
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
