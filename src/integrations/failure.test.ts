import { expect, test } from 'vitest'
import { inWords } from './failure.ts'

for (const [said, means] of [
  ['connect ECONNREFUSED 127.0.0.1:1', 'Nobody listens at 127.0.0.1:1 (ECONNREFUSED). Look at the host and the port.'],
  ['It failed: getaddrinfo ENOTFOUND db.example.com', 'It failed: There is no host called db.example.com (ENOTFOUND).'],
  ['connect ETIMEDOUT', 'Nobody answers in time (ETIMEDOUT). Look at the host, the port and the firewall.'],
  ['connect EHOSTUNREACH ::1:5', 'Nobody answers in time (EHOSTUNREACH ::1:5). Look at the host, the port and the firewall.'],
  ['write CONNECTION_CLOSED 127.0.0.1:5432', 'The source hung up (CONNECTION_CLOSED).'],
  ['read ECONNRESET', 'The source hung up (ECONNRESET).'],
  ['password authentication failed for user "reader"', 'password authentication failed for user "reader"'],
] as const)
  test(said, () => expect(inWords(said)).toBe(means))
