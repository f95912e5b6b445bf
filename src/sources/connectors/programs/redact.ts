/** Without these values, also where they are part of a URL. */
export const redactTexts = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((clean, secret) => clean.replaceAll(secret, '•••').replaceAll(encodeURIComponent(secret), '•••'), text)
