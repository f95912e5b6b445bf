/** What drivers say when a source cannot be reached, for people: with the code, by which an administrator finds more. Pure. */
export const inWords = (text: string): string => SAYINGS.reduce((words, [said, means]) => words.replace(said, means), text)

const SAYINGS: readonly (readonly [RegExp, string])[] = [
  [/\bconnect ECONNREFUSED (\S+[^\s.])/, 'Nobody listens at $1 (ECONNREFUSED). Look at the host and the port.'],
  [/\bgetaddrinfo ENOTFOUND (\S+[^\s.])/, 'There is no host called $1 (ENOTFOUND).'],
  [/\bgetaddrinfo EAI_AGAIN (\S+[^\s.])/, 'The host $1 cannot be looked up at the moment (EAI_AGAIN).'],
  [
    /\bconnect (ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b( \S+[^\s.])?/,
    'Nobody answers in time ($1$2). Look at the host, the port and the firewall.',
  ],
  [/\b(?:read|write) (ECONNRESET|EPIPE)\b/, 'The source hung up ($1).'],
  [/\bwrite (CONNECTION_(?:CLOSED|ENDED|DESTROYED))(?: \S+[^\s.])?/, 'The source hung up ($1).'],
  [
    /\bwrite CONNECT_TIMEOUT(?: (\S+[^\s.]))?/,
    'Nobody answers in time at $1 (CONNECT_TIMEOUT). Look at the host, the port and the firewall.',
  ],
  [
    /\bcanceling statement due to (?:statement|lock) timeout\b/,
    'It took too long: a statement was stopped. Something may be locked there.',
  ],
  [
    /\bClient network socket disconnected before secure TLS connection was established\b/,
    'It hung up when TLS was asked for. It speaks no TLS there: clear `ssl`, or look at the port.',
  ],
]
