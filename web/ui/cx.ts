/** Class names, without those that do not hold. */
export const cx = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(' ')
