/** A setting that prevents the start. */
export class ConfigError extends Error {}

export const parseChoice = <T extends string>(name: string, value: string, allowed: readonly T[]): T => {
  if ((allowed as readonly string[]).includes(value)) return value as T
  throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not "${value}".`)
}

export const parseInteger = (name: string, value: string, min: number, max: number): number => {
  const number = Number(value)
  if (value.trim() !== '' && Number.isInteger(number) && number >= min && number <= max) return number
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${value}".`)
}

export const parseUrl = (name: string, value: string | undefined, protocols: readonly string[]): string | undefined => {
  if (!value) return undefined
  if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value
  // The value may hold a password, so it is not repeated.
  throw new ConfigError(`${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}.`)
}
