/** What Slack would read as a link or a mention. Pure. */
export const escapeSlackText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
