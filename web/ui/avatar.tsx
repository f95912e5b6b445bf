import { cx } from './cx.ts'

const getInitials = (name: string): string =>
  name
    .split(/[\s@.]+/)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')

export const Avatar = ({ name, className }: { name: string; className?: string }) => (
  <span
    aria-hidden
    className={cx(
      'inline-flex size-5 shrink-0 items-center justify-center rounded-full bg-accent-soft text-[0.625rem] font-semibold text-accent',
      className,
    )}
  >
    {getInitials(name)}
  </span>
)

export const Person = ({ name }: { name: string }) => (
  <span className="inline-flex min-w-0 items-center gap-1.5">
    <Avatar name={name} />
    <span className="truncate" dir="auto">
      {name}
    </span>
  </span>
)
