import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { findRecording, type RecordedStatement } from './loopback.ts'

/** A server that speaks TDS 7.4 without encryption, as far as the driver uses it, and answers statements from a list. */
export const createSqlServer = async (recorded: readonly RecordedStatement[], password: string) => {
  const statements: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    void talk(socket, recorded, password, statements).catch(() => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    statements,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

const [SQL_BATCH, RESPONSE, ATTENTION, LOGIN7, PRELOGIN] = [0x01, 0x04, 0x06, 0x10, 0x12]

const talk = async (socket: Socket, recorded: readonly RecordedStatement[], password: string, statements: string[]): Promise<void> => {
  for await (const { type, data } of readMessages(socket)) {
    if (type === PRELOGIN) send(socket, PRELOGIN_ANSWER)
    else if (type === LOGIN7) {
      const right = data.includes(obfuscate(password))
      send(socket, right ? Buffer.concat([loginAck(), done()]) : Buffer.concat([error('Login failed for user.', 18456), done(2)]))
      if (!right) socket.end()
    } else if (type === ATTENTION) send(socket, done(0x20))
    else if (type === SQL_BATCH) {
      const sql = data.subarray(data.readUInt32LE(0)).toString('utf16le')
      if (/^\s*set /i.test(sql)) {
        send(socket, done()) // how the driver prepares a session
        continue
      }
      statements.push(sql)
      const found = findRecording(recorded, sql)
      if (found.error) send(socket, Buffer.concat([error(found.error, 229), done(2)]))
      else
        send(
          socket,
          Buffer.concat([columnMetadata(found.columns ?? []), ...(found.rows ?? []).map((row) => toRow(found, row)), done(0x10)]),
        )
    }
  }
}

/** Messages of one or more packets: type, status (1: the last one), length, channel, number, window. */
async function* readMessages(socket: Socket): AsyncGenerator<{ type: number; data: Buffer }, void> {
  let rest = Buffer.alloc(0)
  let parts: Buffer[] = []
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 8 && rest.length >= rest.readUInt16BE(2)) {
      const packet = rest.subarray(0, rest.readUInt16BE(2))
      rest = rest.subarray(packet.length)
      parts.push(packet.subarray(8))
      if ((packet[1]! & 1) === 0) continue
      yield { type: packet[0]!, data: Buffer.concat(parts) }
      parts = []
    }
  }
}

const PACKET_BYTES = 4096

const send = (socket: Socket, data: Buffer): void => {
  for (let at = 0; at === 0 || at < data.length; at += PACKET_BYTES - 8) {
    const part = data.subarray(at, at + PACKET_BYTES - 8)
    const header = Buffer.from([RESPONSE, at + part.length >= data.length ? 1 : 0, 0, 0, 0, 0, 1, 0])
    header.writeUInt16BE(part.length + 8, 2)
    socket.write(Buffer.concat([header, part]))
  }
}

/** Version and encryption (2: not supported), each as token, offset and length, then their values. */
const PRELOGIN_ANSWER = Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0, 0, 0, 0, 2])

const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
const shortText = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'utf16le')])
const token = (type: number, ...parts: readonly Buffer[]): Buffer => {
  const data = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([type]), u16(data.length), data])
}

const loginAck = (): Buffer => token(0xad, Buffer.from([1, 0x74, 0, 0, 4]), shortText('Microsoft SQL Server'), Buffer.from([16, 0, 0, 0]))

const error = (message: string, number: number): Buffer => {
  const start = Buffer.alloc(6)
  start.writeInt32LE(number)
  start[4] = 1
  start[5] = 14
  return token(0xaa, start, u16(message.length), Buffer.from(message, 'utf16le'), shortText('server'), shortText(''), Buffer.alloc(4))
}

const done = (status = 0): Buffer => Buffer.concat([Buffer.from([0xfd]), u16(status), u16(0), Buffer.alloc(8)])

/** How a password is hidden in the login: nibbles swapped, then XOR. */
const obfuscate = (password: string): Buffer =>
  Buffer.from(password, 'utf16le').map((byte) => (((byte << 4) | (byte >> 4)) & 0xff) ^ 0xa5) as Buffer

const isNumber = (type: string): boolean => type === 'bigint'

const columnMetadata = (columns: readonly (readonly [name: string, type: string])[]): Buffer =>
  Buffer.concat([
    Buffer.from([0x81]),
    u16(columns.length),
    ...columns.flatMap(([name, type]) => [
      Buffer.from([0, 0, 0, 0, 9, 0]), // user type, flags: nullable
      isNumber(type) ? Buffer.from([0x26, 8]) : Buffer.concat([Buffer.from([0xe7]), u16(8000), Buffer.from([9, 4, 0xd0, 0, 0x34])]),
      shortText(name),
    ]),
  ])

const toRow = ({ columns = [] }: RecordedStatement, row: readonly unknown[]): Buffer =>
  Buffer.concat([Buffer.from([0xd1]), ...row.map((value, i) => (isNumber(columns[i]![1]) ? toInteger(value) : toText(value)))])

const toInteger = (value: unknown): Buffer => {
  if (value === null) return Buffer.from([0])
  const bytes = Buffer.alloc(9)
  bytes[0] = 8
  bytes.writeBigInt64LE(BigInt(value as number), 1)
  return bytes
}

const toText = (value: unknown): Buffer => {
  if (value === null) return u16(0xffff)
  const text = Buffer.from(String(value), 'utf16le')
  return Buffer.concat([u16(text.length), text])
}
