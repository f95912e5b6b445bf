import { cx } from './cx.ts'

/** The path of a resource. Where it does not fit, its beginning is cut off: the end tells resources of the same name apart. */
export const PathText = ({ text, className }: { text: string; className?: string }) => (
  <span className={cx('block overflow-hidden text-left text-ellipsis whitespace-nowrap [direction:rtl]', className)}>
    <bdi>{text}</bdi>
  </span>
)
