/** Numbers as people read them. */
const plain = new Intl.NumberFormat()
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })

export const count = (n: number): string => plain.format(n)
export const about = (n: number): string => (n < 10_000 ? plain.format(n) : compact.format(n))

const SIZES = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const
export const bytes = (n: number): string => {
  const step = Math.min(SIZES.length - 1, n < 1 ? 0 : Math.floor(Math.log(n) / Math.log(1024)))
  return `${plain.format(Math.round((n / 1024 ** step) * 10) / 10)} ${SIZES[step]}`
}

/** `1 table`, `2 tables`. */
export const several = (n: number, noun: string, plural = `${noun}s`): string => `${plain.format(n)} ${n === 1 ? noun : plural}`
