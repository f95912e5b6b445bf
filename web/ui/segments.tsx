import { cx } from './cx.ts'

/** Segmented control. */
export const Segments = <T extends string>({
  label,
  of,
  chosen,
  onChoose,
}: {
  label: string
  of: readonly (readonly [value: T, label: string])[]
  chosen: T
  onChoose: (value: T) => void
}) => (
  <div role="group" aria-label={label} className="flex h-8 shrink-0 rounded-md border border-line bg-sunken p-0.5">
    {of.map(([value, label]) => (
      <button
        key={value}
        type="button"
        aria-pressed={value === chosen}
        onClick={() => onChoose(value)}
        className={cx(
          'rounded px-2.5 text-sm whitespace-nowrap',
          value === chosen ? 'bg-raised font-medium text-ink shadow-[0_0_0_1px_var(--color-line)]' : 'text-soft hover:text-ink',
        )}
      >
        {label}
      </button>
    ))}
  </div>
)
