/** Explains the connection errors of drivers, keeping the error code so that administrators can look it up. Pure. */
export const explainConnectionError = (text: string): string =>
  EXPLANATIONS.reduce((message, [pattern, explanation]) => message.replace(pattern, explanation), text)

const EXPLANATIONS: readonly (readonly [RegExp, string])[] = [
  [/\bconnect ECONNREFUSED (\S+[^\s.])/, 'Connection to $1 refused (ECONNREFUSED). Check the host and port.'],
  [/\bgetaddrinfo ENOTFOUND (\S+[^\s.])/, 'Host $1 not found (ENOTFOUND). Check the host name.'],
  [/\bgetaddrinfo EAI_AGAIN (\S+[^\s.])/, 'Host $1 could not be resolved (EAI_AGAIN). Try again later.'],
  [/\bconnect (ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b( \S+[^\s.])?/, 'Connection timed out ($1$2). Check the host, port and firewall.'],
  [/\b(?:read|write) (ECONNRESET|EPIPE)\b/, 'The source closed the connection ($1).'],
  [/\bwrite (CONNECTION_(?:CLOSED|ENDED|DESTROYED))(?: \S+[^\s.])?/, 'The source closed the connection ($1).'],
  [/\bwrite CONNECT_TIMEOUT(?: (\S+[^\s.]))?/, 'Connection to $1 timed out (CONNECT_TIMEOUT). Check the host, port and firewall.'],
  [
    /\bcanceling statement due to (?:statement|lock) timeout\b/,
    'A statement timed out and was cancelled by the source. A lock may be blocking it.',
  ],
  [
    /\bClient network socket disconnected before secure TLS connection was established\b/,
    'The source closed the connection during the TLS handshake. It may not support TLS: turn off `ssl`, or check the port.',
  ],
]
