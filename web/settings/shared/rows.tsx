import type { ReactNode } from 'react'

/** List of records with their actions. */
export const SettingsRows = ({ children }: { children: ReactNode }) => (
  <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">{children}</ul>
)

interface SettingsRowProps {
  readonly title: ReactNode
  readonly about?: ReactNode
  readonly aside?: ReactNode
  readonly actions?: ReactNode
  /** Rendered below the row at full width. */
  readonly children?: ReactNode
}

export const SettingsRow = ({ title, about, aside, actions, children }: SettingsRowProps) => (
  <li className="grid grid-cols-[minmax(0,1fr)] gap-2 px-3 py-2">
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <div className="min-w-0 flex-1 basis-48">
        <div className="flex min-w-0 items-center gap-2 font-medium">{title}</div>
        {about && (
          <div className="text-xs wrap-anywhere text-faint" dir="auto">
            {about}
          </div>
        )}
      </div>
      {(aside || actions) && (
        <div className="ms-auto flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
          {aside && <div className="text-xs text-faint">{aside}</div>}
          {actions && <div className="flex items-center gap-1">{actions}</div>}
        </div>
      )}
    </div>
    {children}
  </li>
)

/** Header of a settings section. */
export const SectionHeader = ({ title, about, actions }: { title: string; about?: ReactNode; actions?: ReactNode }) => (
  <header className="flex flex-wrap items-start gap-2">
    <div className="min-w-0 flex-1 basis-56">
      <h2 className="text-base font-semibold">{title}</h2>
      {about && <p className="text-sm text-soft">{about}</p>}
    </div>
    {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
  </header>
)
