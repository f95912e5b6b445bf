import { expect, test } from 'vitest'
import { explainConnectionError } from './connection-error.ts'

for (const [message, explanation] of [
  ['connect ECONNREFUSED 127.0.0.1:1', 'Connection to 127.0.0.1:1 refused (ECONNREFUSED). Check the host and port.'],
  ['It failed: getaddrinfo ENOTFOUND db.example.com', 'It failed: Host db.example.com not found (ENOTFOUND). Check the host name.'],
  ['connect ETIMEDOUT', 'Connection timed out (ETIMEDOUT). Check the host, port and firewall.'],
  ['connect EHOSTUNREACH ::1:5', 'Connection timed out (EHOSTUNREACH ::1:5). Check the host, port and firewall.'],
  ['write CONNECTION_CLOSED 127.0.0.1:5432', 'The source closed the connection (CONNECTION_CLOSED).'],
  ['read ECONNRESET', 'The source closed the connection (ECONNRESET).'],
  ['password authentication failed for user "reader"', 'password authentication failed for user "reader"'],
] as const)
  test(message, () => expect(explainConnectionError(message)).toBe(explanation))
